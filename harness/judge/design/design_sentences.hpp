#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "variance/verdict/verdict.hpp"

/// A declared design in words, the same in plan, run and compare.
namespace retrial::harness::inline judge::inline design {

/// "dual_e, at most 60 pairs: alpha 0.05, beta 0.05, gamma 0.75".
[[nodiscard]] std::string design_words(const variance::Design& design);

/// The stopping rule of a sequential design: "BETTER from all of 7 wins on, 16 of 20, ...; NOT MEANINGFUL with ...".
[[nodiscard]] std::string boundary_words(const variance::Design& design);

/// One look as a line: pairs, wins, evidence and its bound, further wins needed.
[[nodiscard]] std::string look_line(const variance::SequentialPart& part, const variance::Design& design);

/// One line per look, for --looks.
[[nodiscard]] report::Section looks_section(const variance::Verdict& verdict);

}  // namespace retrial::harness::inline judge::inline design
