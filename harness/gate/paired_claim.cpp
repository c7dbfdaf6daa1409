#include <algorithm>
#include <cmath>
#include <map>

#include "harness/gate/claim_evidence.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction;
using Scores = std::vector<double>;

/// Differences of the pairs that both sides have, candidate - baseline.
Scores pair_differences(const ClaimSide& a, const ClaimSide& b, bool absolute) {
  const Scores from = scaled_scores(a.values, absolute), to = scaled_scores(b.values, absolute);
  std::map<std::int64_t, double> of_base;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (a.pairs[i]) of_base[*a.pairs[i]] = from[i];
  Scores out;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const auto found = b.pairs[i] ? of_base.find(*b.pairs[i]) : of_base.end(); found != of_base.end())
      out.push_back(to[i] == found->second ? 0.0 : to[i] - found->second);
  return out;
}

/// p of "greater" and "less" of paired differences.
struct Tails {
  double greater = 1.0, less = 1.0;
};

Tails flipped_signs(const Scores& differences, const GateClaim& claim, std::uint64_t root) {
  const std::string name = "comparison:" + claim.workload + "/" + claim.metric;
  const auto test = variance::paired_permutation(
      differences, {.draws = 99'999, .key = variance::derive(variance::derive(root, name), "permutation")});
  return {.greater = test.p_greater, .less = test.p_less};
}

/// The sign test of the pairs that are not tied, and whether the baseline is known not to win a meaningful share of
/// them.
Tails pairs_won(ClaimTest& out, const Scores& differences, double tolerance, const GateSettings& settings) {
  const auto above = std::ranges::count_if(differences, [&](double d) { return d > tolerance; });
  const auto below = std::ranges::count_if(differences, [&](double d) { return d < -tolerance; });
  const bool lower = out.verdict.direction == Direction::lower;
  out.won = lower ? below : above, out.lost = lower ? above : below;
  out.not_meaningful = variance::excludes_gamma(out.lost, out.won + out.lost, {.beta = settings.equiv_alpha});
  const auto tail = [&](std::int64_t wins) { return variance::binomial_at_least(wins, above + below, 0.5); };
  return {.greater = tail(above), .less = tail(below)};
}

/// Counts of one program and input are the same in every process, or nearly so.
bool counts_repeat(const Scores& counts, const GateSettings& settings) {
  if (counts.size() < 2 || has_loss(counts)) return false;
  const auto [low, high] = std::ranges::minmax(counts);
  return high / low - 1.0 <= settings.min_effect / 10.0;
}

}  // namespace

bool paired_claim(ClaimTest& out, const GateClaim& claim, const ClaimSide& a, const ClaimSide& b,
                  const GateSettings& settings) {
  const Scores differences = pair_differences(a, b, out.verdict.absolute);
  if (differences.empty() || has_loss(differences)) return false;
  const Scores from = scaled_scores(a.values, out.verdict.absolute), to = scaled_scores(b.values, out.verdict.absolute);
  const double tolerance = variance::tie_tolerance({}, from, to);
  Tails tails;
  if (settings.test == GateTest::signflip) {
    tails = flipped_signs(differences, claim, settings.root);
  } else if (settings.test == GateTest::win) {
    tails = pairs_won(out, differences, tolerance, settings);
  } else {
    const auto test = variance::wilcoxon(differences, tolerance).test;
    tails = {.greater = test.p_greater, .less = test.p_less};
  }
  const bool lower = out.verdict.direction == Direction::lower;
  out.verdict.p_worse = lower ? tails.greater : tails.less;
  out.verdict.p_better = lower ? tails.less : tails.greater;
  const double k = static_cast<double>(differences.size());
  if (const std::size_t most = std::max(from.size(), to.size()); differences.size() < most)
    out.verdict.warnings.push_back(std::to_string(most - differences.size()) + " of " + std::to_string(most) +
                                   " pairs have no partner");
  out.verdict.min_p = std::exp2(-k);
  take_shift(
      out, {variance::hodges_lehmann(differences), variance::hodges_lehmann(differences, 2.0 * settings.equiv_alpha)});
  out.sigma = robust_spread(differences);
  out.runs_term = 1.0 / std::sqrt(k);
  return true;
}

bool counts_claim(ClaimTest& out, const ClaimSide& a, const ClaimSide& b, const GateSettings& settings) {
  if (!counts_repeat(a.values, settings) || !counts_repeat(b.values, settings)) return false;
  const Scores differences = pair_differences(a, b, out.verdict.absolute);
  if (differences.size() < 2) return false;
  const auto [low, high] = std::ranges::minmax(differences);
  const variance::Estimate range{.point = *variance::median(differences), .low = low, .high = high};
  take_shift(out, {range, range});
  return true;
}

}  // namespace retrial::harness::inline gate
