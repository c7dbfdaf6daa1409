#pragma once

#include <string>
#include <vector>

#include "variance/verdict/verdict.hpp"

/// What is said of a declared design, the same by plan, run and compare.
namespace retrial::harness::inline judge {

/// "dual_e, at most 60 pairs: alpha 0.05, beta 0.05, gamma 0.75".
[[nodiscard]] std::string design_words(const variance::Design& design);

/// Where a sequential design stops: "BETTER with all of 7, 16 of 20, ... wins; NOT MEANINGFUL with ...".
[[nodiscard]] std::string boundary_words(const variance::Design& design);

/// One look as a line: pairs, wins, evidence against its bound, and what is still needed.
[[nodiscard]] std::string look_line(const variance::SequentialPart& part, const variance::Design& design);

/// A line for each look, for --looks.
[[nodiscard]] std::string looks_table(const variance::Verdict& verdict);

}  // namespace retrial::harness::inline judge
