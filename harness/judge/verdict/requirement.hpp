#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "results/text/error.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// Basis of an answer in addition to its numbers.
struct Standing {
  std::vector<std::string> undeclared = {};  ///< choices made after the runs, in words
  bool recorded = true;                      ///< the look is in the store, or no store is in use
  bool on_trust = false;                     ///< score files: the options count as declared
};
/// "not declared: ..." for each of them, and where it is so that the look was not recorded.
[[nodiscard]] std::vector<std::string> remarks_on(const Standing& standing);

/// The exit code of --require: that of the answer. Error{incomparable} where the look at it was not recorded, and where
/// it is met by an answer that was not declared before the first look, without --undeclared-ok.
[[nodiscard]] Exit required(const Arguments& arguments, Exit exit, const Standing& standing);

/// The result required by `compare --require`.
enum class Requirement { nothing, better, equivalent, not_worse };

[[nodiscard]] Requirement requirement_from(const std::optional<std::string>& word);

/// Without a requirement ok, whatever the verdict. Otherwise ok when it was shown, different when the contrary was
/// shown, inconclusive when neither was; for INVALID measurement (numerics, sampler, missing, null-control) or
/// incomparable. "not-worse" is shown by BETTER, by EQUIVALENT, or, in a design with a gamma, when the rule with the
/// variants exchanged calls the baseline's advantage NOT MEANINGFUL: a baseline that wins gamma of the pairs loses that
/// many with probability <= beta.
[[nodiscard]] Exit exit_for(const variance::Verdict& verdict, Requirement requirement);
/// The same for a single test, which has no exchanged rule: "not-worse" is then shown by BETTER and EQUIVALENT, and
/// NOT MEANINGFUL answers no requirement.
[[nodiscard]] Exit exit_for(variance::Status status, std::optional<variance::InvalidReason> reason,
                            Requirement requirement);

}  // namespace retrial::harness::inline judge::inline verdict
