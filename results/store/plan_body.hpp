#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::results::inline store {

/// Signs and leaves of a JSON text, in order: {"a":[1,"x"]} has nine.
[[nodiscard]] std::vector<std::string_view> json_tokens(std::string_view text);

/// The body of one trial, to which the others of its variant are compared: they differ in seeds and numbers, and a
/// whole body of each would be most of the store.
class BodyTemplate {
 public:
  explicit BodyTemplate(std::string body) : body_(std::move(body)), tokens_(json_tokens(body_)) {}
  BodyTemplate(const BodyTemplate&) = delete;
  BodyTemplate& operator=(const BodyTemplate&) = delete;

  /// The leaves of `body` that differ, by their place: {"5":"f1e4","9":1}. Nothing if the two differ in more than
  /// leaves, or if that would not be shorter.
  [[nodiscard]] std::optional<std::string> differing(std::string_view body) const;
  /// The body with these leaves; nothing if they are not what `differing` writes.
  [[nodiscard]] std::optional<std::string> with(std::string_view leaves) const;

 private:
  std::string body_;
  std::vector<std::string_view> tokens_;
};

}  // namespace retrial::results::inline store
