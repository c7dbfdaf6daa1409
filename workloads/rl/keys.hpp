#pragma once

#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"

/// Keys of the workload, and what they say.
namespace retrial::rl {

inline constexpr const char* workload_name = "rl";

[[nodiscard]] std::vector<workloads::Parameter> parameters();
[[nodiscard]] std::vector<workloads::Variant> variants();
/// Keys that are read under these values, and sources that are honored.
[[nodiscard]] std::vector<std::string> reads(const Values& values);
[[nodiscard]] std::vector<std::string> honours(const Values& values);
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);

/// A policy written by hand, not an algorithm.
[[nodiscard]] bool is_reference(const Values& values);

}  // namespace retrial::rl
