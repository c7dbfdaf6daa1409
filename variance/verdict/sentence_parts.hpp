#pragma once

#include <string>

#include "variance/verdict/verdict.hpp"

/// The sentences of a verdict that is not INVALID, by kind of design.
namespace retrial::variance::inline verdict {

[[nodiscard]] std::string sequential_sentence(const Verdict& verdict);  ///< for a sequential design
[[nodiscard]] std::string test_sentence(const Verdict& verdict);        ///< for a fixed design with a test of its own

}  // namespace retrial::variance::inline verdict
