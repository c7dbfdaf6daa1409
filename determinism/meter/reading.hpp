#pragma once

#include <optional>
#include <string>
#include <utility>

namespace retrial::determinism::inline meter {

/// A measured value, or the reason why there is none: "no_counter", "too_short", the text of a library.
template <typename T>
struct Reading {
  std::optional<T> value;
  std::string reason;

  static Reading of(T value) { return {.value = std::move(value), .reason = {}}; }
  static Reading none(std::string reason) { return {.value = {}, .reason = std::move(reason)}; }
};

}  // namespace retrial::determinism::inline meter
