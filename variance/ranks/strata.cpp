#include "variance/ranks/strata.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/error.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/wins/pooled_runs.hpp"

namespace retrial::variance::inline ranks {
namespace {

constexpr std::int64_t max_runs = 100;

void require_strata(std::span<const RankStratum> strata) {
  require_at_least("strata", std::ssize(strata), 1);
  for (const RankStratum& one : strata)
    for (const auto* side : {&one.candidate, &one.baseline}) {
      require_at_least("runs of a stratum", std::ssize(*side), 1);
      if (std::ssize(*side) > max_runs)
        throw InvalidInput("runs of a stratum", std::to_string(side->size()), "1 to 100");
      if (std::ranges::any_of(*side, [](double v) { return std::isnan(v); }))
        throw InvalidInput("runs of a stratum", "NaN", "numbers and infinities");
    }
}

/// Infinities as numbers beyond all others, so that ranks and the tolerance of ties stay what they are.
PooledRuns pooled_with_infinities(const RankStratum& one) {
  double largest = std::numeric_limits<double>::min();
  for (const auto* side : {&one.candidate, &one.baseline})
    for (const double v : *side)
      if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  const auto finite = [&](std::vector<double> values) {
    for (double& v : values)
      if (std::isinf(v)) v = std::copysign(2.0 * largest, v);
    return values;
  };
  return pooled_runs(finite(one.candidate), finite(one.baseline));
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  return out;
}

/// P(U = u) without ties, u = 0 .. sum of n m.
std::vector<double> untied_law(std::span<const RankStratum> strata) {
  std::vector<double> law{1.0};
  for (const RankStratum& one : strata) {
    RankStratum plain;
    for (std::size_t i = 0; i < one.candidate.size(); ++i) plain.candidate.push_back(static_cast<double>(i));
    for (std::size_t i = 0; i < one.baseline.size(); ++i)
      plain.baseline.push_back(static_cast<double>(one.candidate.size() + i));
    const auto doubled = doubled_u_law(pooled_runs(plain.candidate, plain.baseline));
    std::vector<double> shares;
    for (std::size_t u = 0; u < doubled.size(); u += 2) shares.push_back(doubled[u]);
    law = convolved(law, shares);
  }
  return law;
}

double difference(double a, double b) {
  return std::isinf(a) && a == b ? 0.0 : a - b;
}

double middle_of(double low, double high) {
  return std::isinf(low) || std::isinf(high) ? (low == high ? low : low + high) : low / 2.0 + high / 2.0;
}

}  // namespace

StratifiedRanks rank_test_stratified(std::span<const RankStratum> strata) {
  require_strata(strata);
  std::vector<double> law{1.0};
  std::int64_t doubled = 0;
  double log_labelings = 0.0;
  for (const RankStratum& one : strata) {
    const PooledRuns runs = pooled_with_infinities(one);
    doubled += runs.doubled_u();
    law = convolved(law, doubled_u_law(runs));
    log_labelings += log_choose(std::ssize(one.candidate) + std::ssize(one.baseline), std::ssize(one.candidate));
  }
  StratifiedRanks out{.u = static_cast<double>(doubled) / 2.0, .p_greater = 0.0, .p_less = 0.0};
  const auto at = static_cast<std::size_t>(doubled);
  for (std::size_t u = law.size(); u-- > at;) out.p_greater += law[u];
  for (std::size_t u = 0; u <= at; ++u) out.p_less += law[u];
  out.p_greater = std::min(1.0, out.p_greater);
  out.p_less = std::min(1.0, out.p_less);
  out.mid_greater = out.p_greater - law[at] / 2.0;
  out.min_p = std::exp(-log_labelings);
  return out;
}

Estimate shift_stratified(std::span<const RankStratum> strata, double alpha) {
  require_strata(strata);
  require_between("alpha", alpha, 0.0, 1.0);
  std::vector<double> all;
  for (const RankStratum& one : strata)
    for (const double b : one.candidate)
      for (const double a : one.baseline) all.push_back(difference(b, a));
  std::ranges::sort(all);
  const std::size_t count = all.size();
  Estimate out{.point = all[count / 2], .level = 1.0 - alpha, .method = "Hodges-Lehmann within strata, Moses"};
  if (count % 2 == 0) out.point = middle_of(all[count / 2 - 1], all[count / 2]);
  const auto law = untied_law(strata);
  // A sum of shares may exceed the level by rounding alone: 2/20 against .1.
  const double limit = alpha / 2.0 * (1.0 + 1e-12);
  std::size_t cut = 0;
  for (double sum = law[0]; cut < count / 2 && sum <= limit; sum += law[cut]) ++cut;
  if (cut == 0) return out;
  out.low = all[cut - 1];
  out.high = all[count - cut];
  return out;
}

}  // namespace retrial::variance::inline ranks
