#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge {

/// What the verdict page and the report say in the same words.

/// "kd is " BETTER " than scratch"; the word between them is variance::name_of(status).
struct Headline {
  std::string before, after;
};
[[nodiscard]] Headline headline_of(const variance::Verdict& verdict);

/// The mean difference, candidate - baseline. One complete pair and differences that do not vary leave no interval:
/// `why` is then "undefined (n = 1)" or "no variation: ...". Nothing without a complete pair.
struct MeanDifference {
  variance::Estimate estimate;
  std::string why = {};
};
[[nodiscard]] std::optional<MeanDifference> mean_difference(const variance::Verdict& verdict,
                                                            const variance::PairedScores& scores);

/// "15 wins or more of 20 untied pairs", or why no number of wins is enough.
[[nodiscard]] std::string needed_text(const variance::FixedRule& rule);

/// What the design does with a failed trial.
[[nodiscard]] std::string failure_text(variance::FailurePolicy policy);

}  // namespace retrial::harness::inline judge
