#pragma once

#include <string>

#include "variance/verdict/verdict.hpp"

/// The sentences of variance/verdict.hpp by kind of design. The verdict is not INVALID.
namespace retrial::variance::inline verdict {

[[nodiscard]] std::string sequential_sentence(const Verdict& verdict);  ///< of verdict.sequential
[[nodiscard]] std::string test_sentence(const Verdict& verdict);        ///< of verdict.test

}  // namespace retrial::variance::inline verdict
