#include <algorithm>
#include <cmath>
#include <map>

#include "harness/gate/claim_evidence.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/ranks/strata.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction;
using Scores = std::vector<double>;
using Strata = std::vector<variance::RankStratum>;

constexpr std::size_t most_in_stratum = 100;  // of a side, for exact laws of ranks with ties

/// The values by the places where they were measured. One stratum where a place has values of one side only, as beside
/// a stored baseline, or too many for the exact law.
Strata strata_of(const ClaimSide& a, const ClaimSide& b, const Scores& from, const Scores& to) {
  std::map<std::optional<GatePlace>, variance::RankStratum> by_place;
  for (std::size_t i = 0; i < from.size(); ++i) by_place[a.places[i]].baseline.push_back(from[i]);
  for (std::size_t i = 0; i < to.size(); ++i) by_place[b.places[i]].candidate.push_back(to[i]);
  Strata out;
  for (auto& [_, stratum] : by_place) {
    const auto [few, many] = std::minmax(stratum.baseline.size(), stratum.candidate.size());
    if (few == 0 || many > most_in_stratum) return {{.candidate = to, .baseline = from}};
    out.push_back(std::move(stratum));
  }
  return out;
}

/// Half of the probability of what was seen is left out: less conservative where values are tied.
std::optional<double> mid_p_worse(Strata strata, Direction direction) {
  for (auto& stratum : strata) {
    if (std::max(stratum.candidate.size(), stratum.baseline.size()) > most_in_stratum) return {};
    if (direction == Direction::higher) std::swap(stratum.candidate, stratum.baseline);
  }
  return variance::rank_test_stratified(strata).mid_greater;
}

}  // namespace

void rank_claim(ClaimTest& out, const ClaimSide& a, const ClaimSide& b, const GateSettings& settings) {
  const Scores from = scaled_scores(a.values, out.verdict.absolute), to = scaled_scores(b.values, out.verdict.absolute);
  const double n = static_cast<double>(a.values.size()), m = static_cast<double>(b.values.size());
  double greater = 1.0, less = 1.0;
  ClaimShift shift;
  const Strata raw = strata_of(a, b, a.values, b.values);
  out.verdict.strata = std::ssize(raw);
  for (const auto& stratum : raw)
    out.verdict.min_p *= std::exp(-variance::log_choose(std::ssize(stratum.baseline) + std::ssize(stratum.candidate),
                                                        std::ssize(stratum.baseline)));
  if (settings.mid_p) out.verdict.mid_p_worse = mid_p_worse(raw, out.verdict.direction);
  if (raw.size() > 1 || has_loss(a.values) || has_loss(b.values)) {
    const Strata on_scale = strata_of(a, b, from, to);
    const auto test = variance::rank_test_stratified(raw);
    greater = test.p_greater, less = test.p_less;
    shift = {variance::shift_stratified(on_scale), variance::shift_stratified(on_scale, 2.0 * settings.equiv_alpha)};
  } else {
    const auto test = variance::mann_whitney(b.values, a.values).test;
    greater = test.p_greater, less = test.p_less;
    shift = {variance::hodges_lehmann_shift(to, from),
             variance::hodges_lehmann_shift(to, from, 2.0 * settings.equiv_alpha)};
  }
  const bool lower = out.verdict.direction == Direction::lower;
  out.verdict.p_worse = lower ? greater : less;
  out.verdict.p_better = lower ? less : greater;
  take_shift(out, shift);
  const double ra = robust_spread(without_losses(from)), rb = robust_spread(without_losses(to));
  out.sigma = std::sqrt((ra * ra + rb * rb) / 2.0);
  out.runs_term = std::sqrt(1.0 / n + 1.0 / m);
}

}  // namespace retrial::harness::inline gate
