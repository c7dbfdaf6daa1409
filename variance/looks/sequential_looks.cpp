#include "variance/sequential/sequential_rules.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/comparisons/least_p.hpp"
#include "variance/looks/group_sequential.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::variance::inline sequential::sequential_rules {
namespace {

/// The boundaries of the last design are kept per thread: they take longer than everything else of a run of pairs, and
/// a study asks after each of them.
const std::vector<double>& boundaries_at(Spending spending, const Looks& looks, double alpha) {
  struct Kept {
    Spending spending = Spending::pocock;
    Looks looks = {};
    double alpha = 0.0;
    std::vector<double> boundaries = {};
  };
  thread_local Kept kept;
  if (kept.spending == spending && kept.looks == looks && kept.alpha == alpha) return kept.boundaries;
  std::vector<double> shares;
  for (const auto look : looks) shares.push_back(static_cast<double>(look) / static_cast<double>(looks.back()));
  kept = {spending, looks, alpha, spending_boundaries(spending, shares, alpha)};
  return kept.boundaries;
}

/// z with the same p value as the t test: t itself would reject too often after few pairs (Pocock 1977). The upper tail
/// is used directly, since 1 - p would lose its digits. Differences that repeat have at least the p of their signs, so
/// that a few equal ones stop nothing.
double z_of(const PairedT& t) {
  const double tail = std::max(std::min(t.p_greater, t.p_less), 1e-300);
  const double z = -quantile(std::min(tail, 0.5));
  return t.p_greater < t.p_less ? z : -z;
}

/// Repeated confidence interval (Jennison and Turnbull 1989): the means that the look's boundary does not reject. No
/// bounds where it rejects none.
Estimate repeated(std::span<const double> so_far, const PairedT& t, double c, double level) {
  Estimate interval{.point = *mean(so_far), .low = {}, .high = {}, .level = level, .method = "repeated interval"};
  if (!std::isfinite(c)) return interval;
  if (t.least.repeats && least_sign_p(static_cast<std::int64_t>(so_far.size())) > normal_cdf(-c)) return interval;
  const double n = static_cast<double>(so_far.size());
  const double radius = -student_quantile(normal_cdf(-c), n - 1.0) * *sd(so_far) / std::sqrt(n);
  interval.low = interval.point - radius;
  interval.high = interval.point + radius;
  return interval;
}

void look(SequentialStep& step, std::span<const double> so_far, double c, const SequentialSettings& s) {
  const auto t = paired_t(so_far, {.alpha = s.alpha, .tolerance = s.tie});
  const double z = z_of(*t);
  step.statistic = z;
  if (std::isfinite(c)) {
    step.boundary = c;
    step.boundary_against = -c;
  }
  step.interval = repeated(so_far, *t, c, 1.0 - s.alpha);
  if (z >= c) decide(step, Status::better);
  if (z <= -c) decide(step, Status::worse);
}

/// The t test at each look against the boundary from the spending function.
Steps at_looks(Spending spending, Differences differences, const SequentialSettings& s) {
  const Looks looks = looks_of(s);
  const auto& boundaries = boundaries_at(spending, looks, s.alpha);
  Steps steps;
  SequentialStep step;
  for (std::size_t i = 0; i < differences.size() && step.state == SequentialState::go_on; ++i) {
    const Estimate before = step.interval;
    step = counted(step, differences[i], s.tie);
    step.interval = before;
    if (before.method.empty()) step.interval.level = 1.0 - s.alpha;
    const auto here = std::ranges::find(looks, step.pairs);
    if (here != looks.end()) {
      look(step, differences.first(i + 1), boundaries[static_cast<std::size_t>(here - looks.begin())], s);
      if (step.state == SequentialState::go_on && step.pairs == looks.back()) decide(step, Status::inconclusive);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

Looks looks_of(const SequentialSettings& s) {
  Looks looks = s.looks;
  const std::int64_t pairs =
      s.horizon.value_or(exact_sign_design({.alpha = s.alpha, .beta = s.beta, .gamma = s.gamma}).pairs);
  for (std::int64_t k = 1; s.looks.empty() && k <= 5; ++k) looks.push_back(std::max<std::int64_t>(2, pairs * k / 5));
  if (s.looks.empty()) looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const std::string field = "looks[" + std::to_string(k) + "]";
    require_at_least(field.c_str(), looks[k], k == 0 ? 2 : looks[k - 1] + 1);
  }
  if (s.horizon && !s.looks.empty() && looks.back() != *s.horizon)
    throw InvalidInput("looks[" + std::to_string(looks.size() - 1) + "]", std::to_string(looks.back()),
                       "the horizon, " + std::to_string(*s.horizon));
  return looks;
}

Steps obrien_fleming(Differences differences, const SequentialSettings& s) {
  return at_looks(Spending::obrien_fleming, differences, s);
}

Steps pocock(Differences differences, const SequentialSettings& s) {
  return at_looks(Spending::pocock, differences, s);
}

}  // namespace retrial::variance::inline sequential::sequential_rules
