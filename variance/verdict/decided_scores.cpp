#include "variance/verdict/decided_scores.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace retrial::variance::inline verdict {
namespace {

ScoreBound bound_at(const std::vector<ScoreBound>& bounds, std::size_t pair) {
  return pair < bounds.size() ? bounds[pair] : ScoreBound::exact;
}

/// All scores that a stands for are above all that b stands for.
bool surely_above(const BoundedScore& a, const BoundedScore& b) {
  return a.bound != ScoreBound::at_most && b.bound != ScoreBound::at_least && a.value > b.value;
}

/// The value that both of an open pair have: the one that is a bound, of two the smaller.
double common_value(const BoundedScore& a, const BoundedScore& b) {
  if (a.bound == ScoreBound::exact) return b.value;
  if (b.bound == ScoreBound::exact) return a.value;
  return std::min(a.value, b.value);
}

}  // namespace

ScoreBound candidate_bound(const PairedScores& scores, std::size_t pair) {
  return bound_at(scores.candidate_bounds, pair);
}

ScoreBound baseline_bound(const PairedScores& scores, std::size_t pair) {
  return bound_at(scores.baseline_bounds, pair);
}

bool order_is_known(const BoundedScore& a, const BoundedScore& b) {
  if (a.bound == ScoreBound::exact && b.bound == ScoreBound::exact) return true;
  return surely_above(a, b) || surely_above(b, a);
}

PairedScores decided_scores(const PairedScores& scores) {
  PairedScores out = scores;
  for (std::size_t i = 0; i < out.candidate.size() && i < out.baseline.size(); ++i) {
    auto &candidate = out.candidate[i], &baseline = out.baseline[i];
    if (!candidate || !baseline || !std::isfinite(*candidate) || !std::isfinite(*baseline)) continue;
    const BoundedScore a{*candidate, candidate_bound(scores, i)}, b{*baseline, baseline_bound(scores, i)};
    if (!order_is_known(a, b)) candidate = baseline = common_value(a, b);
  }
  return out;
}

bool levels_bounds(const PairedScores& scores) {
  const PairedScores decided = decided_scores(scores);
  const auto differ = [](const auto& now, const auto& before) {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] && std::isfinite(*now[i]) && *now[i] != *before[i]) return true;
    return false;
  };
  return differ(decided.candidate, scores.candidate) || differ(decided.baseline, scores.baseline);
}

Estimate cut_to(Estimate estimate, double low, double high) {
  if (estimate.low) estimate.low = std::clamp(*estimate.low, low, high);
  if (estimate.high) estimate.high = std::clamp(*estimate.high, low, high);
  return estimate;
}

}  // namespace retrial::variance::inline verdict
