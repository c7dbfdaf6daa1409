#include "variance/many/claim_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/comparisons/comparisons.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline many {
namespace {

std::vector<double> shifted_differences(std::span<const double> candidate, std::span<const double> baseline,
                                        double shift = 0.0) {
  std::vector<double> out;
  for (std::size_t i = 0; i < candidate.size(); ++i) out.push_back(candidate[i] - (baseline[i] + shift));
  return out;
}

/// Differences that do not vary have an infinite t, which is no evidence.
bool do_not_vary(std::span<const double> candidate, std::span<const double> baseline) {
  return paired_t(shifted_differences(candidate, baseline))->degenerate;
}

}  // namespace

ClaimEvidence claim_of_side(std::span<const double> candidate, std::span<const double> baseline,
                            const ClaimBound& bound, std::string_view test, double alpha, std::uint64_t key,
                            std::optional<double> overlap) {
  if ((test == "paired_t" || test == "corrected_t") && do_not_vary(candidate, baseline)) return {.constant = true};
  std::vector<double> moved(baseline.begin(), baseline.end());
  for (double& score : moved) score += bound.at;
  const auto found = compare(test, {candidate.begin(), candidate.end()}, std::move(moved),
                             {.direction = bound.side,
                              .alpha = alpha,
                              .resolution = std::nullopt,
                              .margin = std::nullopt,
                              .overlap = overlap,
                              .key = key});
  if (found.status == Status::invalid) return {.invalid = true, .reason = found.reason};
  return {.p_for = found.p_better, .p_against = found.p_worse};
}

ClaimEvidence claim_of_share(std::span<const double> shares, Direction side, double share) {
  constexpr double rounding = 1e-9;  // of a sum of quotients: 3 times 2/3 is 2
  const auto pairs = static_cast<std::int64_t>(shares.size());
  Neumaier sum;
  for (const double one : shares) sum.add(one);
  const double won = sum.value();
  const auto at_least = [&](double count, double chance) {
    return binomial_at_least(static_cast<std::int64_t>(std::floor(count + rounding)), pairs, chance);
  };
  const double above = at_least(won, share), below = at_least(static_cast<double>(pairs) - won, 1 - share);
  return side == Direction::higher ? ClaimEvidence{.p_for = above, .p_against = below}
                                   : ClaimEvidence{.p_for = below, .p_against = above};
}

ClaimEvidence claim_of_equality(std::span<const double> candidate, std::span<const double> baseline, double margin,
                                double alpha, double overlap) {
  if (do_not_vary(candidate, baseline)) return {.constant = true};
  const PairedOptions options{.alpha = alpha, .overlap = overlap};
  const auto above = paired_t(shifted_differences(candidate, baseline, margin), options);
  const auto below = paired_t(shifted_differences(candidate, baseline, -margin), options);
  return {.p_for = tost(shifted_differences(candidate, baseline), margin, options)->p(),
          .p_against = std::min(1.0, 2.0 * std::min(above->p_greater, below->p_less))};
}

std::vector<std::optional<double>> holm_over(std::span<const std::optional<double>> p) {
  std::vector<double> family;
  for (const auto& one : p) family.push_back(one.value_or(1.0));
  const auto corrected = adjusted(family, Adjustment::holm);
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < p.size(); ++i) out.push_back(p[i] ? std::optional(corrected[i]) : std::nullopt);
  return out;
}

}  // namespace retrial::variance::inline many
