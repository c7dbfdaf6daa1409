#include "variance/sequential/sequential_sign.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline sequential {
namespace {

constexpr std::int64_t largest_horizon = 100'000;
// Evidence that equals its bound in exact arithmetic must count; the rounding of the logs is far below this slack.
constexpr double slack = 1e-12;

double log_complete_beta(double a, double b) {
  return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
}

void require_sign_counts(std::int64_t wins, std::int64_t n) {
  require_at_least("n", n, 0);
  require_within("wins", wins, 0, n);
}

using Holds = std::function<bool(std::int64_t wins, std::int64_t n)>;

/// Evidence for BETTER grows with every win and shrinks with every loss, so neither threshold ever falls.
SignPlan threshold_table(SignFamily family, std::int64_t horizon, const Holds& better, const Holds& against) {
  require_within("horizon", horizon, 1, largest_horizon);
  SignPlan plan;
  plan.family = family;
  plan.horizon = horizon;
  plan.bounded = false;
  std::int64_t high = 0, low = -1;
  for (std::int64_t n = 0; n <= horizon; ++n) {
    while (high <= n && !better(high, n)) ++high;
    while (low + 1 < high && low + 1 <= n && against(low + 1, n)) ++low;
    plan.high.push_back(high);
    plan.low.push_back(low);
  }
  return plan;
}

SignPlan sprt_plan(std::int64_t horizon, const Levels& levels) {
  const double gamma = required_gamma(levels);
  const double up = std::log((1.0 - levels.beta) / levels.alpha), down = std::log(levels.beta / (1.0 - levels.alpha));
  return threshold_table(
      SignFamily::sprt, horizon, [&](auto w, auto n) { return log_likelihood_ratio(w, n, gamma) >= up - slack; },
      [&](auto w, auto n) { return log_likelihood_ratio(w, n, gamma) <= down + slack; });
}

SignPlan e_plan(SignFamily family, std::int64_t horizon, const Levels& levels) {
  const double alpha = -std::log(levels.alpha) - slack, beta = -std::log(levels.beta) - slack;
  const Holds better = [&](auto w, auto n) { return log_win_e(w, n) >= alpha; };
  if (family == SignFamily::mixture_e) {
    SignPlan plan = threshold_table(family, horizon, better, [&](auto w, auto n) { return better(n - w, n); });
    plan.low_means = Status::worse;
    return plan;
  }
  const double gamma = required_gamma(levels);
  return threshold_table(family, horizon, better,
                         [&](auto w, auto n) { return log_below_gamma_e(w, n, gamma) >= beta; });
}

SignPlan fixed_plan(std::int64_t pairs, const Levels& levels) {
  SignPlan plan = threshold_table(
      SignFamily::curtailed, pairs, [](auto, auto) { return false; }, [](auto, auto) { return false; });
  const FixedEnds ends = fixed_ends(pairs, levels);
  plan.high.back() = ends.high;
  plan.low.back() = ends.low;
  plan.low_means = ends.low_means;
  return plan;
}

/// Backward: a state whose two successors end the same way also ends that way.
void curtail_plan(SignPlan& plan) {
  plan.bounded = true;
  const auto size = static_cast<std::size_t>(plan.horizon) + 1;
  plan.dead_from.assign(size, 0);
  plan.dead_to.assign(size, -1);
  plan.dead_from.back() = plan.low.back() + 1;
  plan.dead_to.back() = plan.high.back() - 1;
  for (std::size_t n = size - 1; n-- > 0;) {
    plan.low[n] = std::max(plan.low[n], plan.low[n + 1] - 1);
    plan.high[n] = std::min(plan.high[n], plan.high[n + 1]);
    plan.dead_from[n] = plan.dead_from[n + 1];
    plan.dead_to[n] = plan.dead_to[n + 1] - 1;
  }
}

std::optional<Status> said_at(const SignPlan& plan, std::int64_t wins, std::int64_t n) {
  const auto row = static_cast<std::size_t>(n);
  if (wins >= plan.high[row]) return Status::better;
  if (wins >= plan.equal_from[row] && wins <= plan.equal_to[row]) return Status::equivalent;
  if (wins <= plan.low[row]) return plan.low_means;
  return n == plan.horizon ? std::optional(Status::inconclusive) : std::nullopt;
}

/// The same curtailment state by state: EQUIVALENT divides the wins into more than three ranges.
void settle(SignPlan& plan) {
  plan.settled.resize(static_cast<std::size_t>(plan.horizon) + 1);
  for (std::int64_t n = plan.horizon; n >= 0; --n) {
    auto& row = plan.settled[static_cast<std::size_t>(n)];
    for (std::int64_t w = 0; w <= n; ++w) {
      row.push_back(said_at(plan, w, n));
      if (row.back() || n == plan.horizon) continue;
      const auto& next = plan.settled[static_cast<std::size_t>(n) + 1];
      const auto lost = next[static_cast<std::size_t>(w)], won = next[static_cast<std::size_t>(w) + 1];
      if (lost && lost == won) row.back() = lost;
    }
  }
}

SignPlan plan_of(SignFamily family, std::int64_t horizon, const Levels& levels) {
  require_levels(levels);
  switch (family) {
    case SignFamily::curtailed:
      return fixed_plan(horizon, levels);
    case SignFamily::sprt:
      return sprt_plan(horizon, levels);
    default:
      return e_plan(family, horizon, levels);
  }
}

}  // namespace

double log_win_e(std::int64_t wins, std::int64_t n) {
  require_sign_counts(wins, n);
  const double a = static_cast<double>(wins) + 1.0, b = static_cast<double>(n - wins) + 1.0;
  // The prior's mass above 1/2 is a binomial tail: 1 - I_1/2(a, b) = P(Bin(n + 1, 1/2) <= wins).
  return (a + b - 1.0) * std::log(2.0) + log_complete_beta(a, b) + std::log(binomial_at_most(wins, n + 1, 0.5));
}

double log_below_gamma_e(std::int64_t wins, std::int64_t n, double gamma) {
  require_sign_counts(wins, n);
  require_between("gamma", gamma, 0.0, 1.0);
  const double a = static_cast<double>(wins) + 1.0, b = static_cast<double>(n - wins) + 1.0;
  return log_complete_beta(a, b) + std::log(binomial_at_least(wins + 1, n + 1, gamma)) - a * std::log(gamma) -
         (b - 1.0) * std::log1p(-gamma);
}

double log_likelihood_ratio(std::int64_t wins, std::int64_t n, double gamma) {
  require_sign_counts(wins, n);
  require_between("gamma", gamma, 0.0, 1.0);
  return static_cast<double>(wins) * std::log(2.0 * gamma) +
         static_cast<double>(n - wins) * std::log(2.0 * (1.0 - gamma));
}

double conditional_rejection(std::int64_t wins, std::int64_t n, std::int64_t critical, std::int64_t pairs) {
  require_sign_counts(wins, n);
  require_at_least("pairs", pairs, n);
  return binomial_at_least(critical - wins, pairs - n, 0.5);
}

std::optional<Status> SignPlan::verdict(std::int64_t wins, std::int64_t n) const {
  require_within("n", n, 0, horizon);
  require_within("wins", wins, 0, n);
  const auto row = static_cast<std::size_t>(n);
  if (!settled.empty()) return settled[row][static_cast<std::size_t>(wins)];
  if (wins >= high[row]) return Status::better;
  if (wins <= low[row]) return low_means;
  if (bounded && wins >= dead_from[row] && wins <= dead_to[row]) return Status::inconclusive;
  return std::nullopt;
}

SignPlan bounded_plan(SignFamily family, std::int64_t horizon, const Levels& levels) {
  SignPlan plan = plan_of(family, horizon, levels);
  curtail_plan(plan);
  return plan;
}

SignPlan dual_plan_with_band(std::int64_t horizon, const Band& band, const Levels& levels) {
  require_within("horizon", horizon, 1, 1'000);
  require_between("band[0]", band.first, 0.0, 0.5);
  require_between("band[1]", band.second, 0.5, 1.0);
  SignPlan plan = plan_of(SignFamily::dual_e, horizon, levels);
  plan.bounded = true;
  const double alpha = -std::log(levels.alpha) - slack, beta = -std::log(levels.beta) - slack;
  std::int64_t max_wins = -1, max_losses = -1;  // neither ever falls
  for (std::int64_t n = 0; n <= horizon; ++n) {
    const auto row = static_cast<std::size_t>(n);
    while (max_wins < n && log_below_gamma_e(max_wins + 1, n, band.second) >= alpha) ++max_wins;
    while (max_losses < n && log_below_gamma_e(max_losses + 1, n, 1.0 - band.first) >= alpha) ++max_losses;
    plan.equal_from.push_back(n - max_losses);
    plan.equal_to.push_back(std::min(max_wins, plan.high[row] - 1));
    while (n < horizon && plan.low[row] >= 0 && log_below_gamma_e(plan.low[row], n, band.first) < beta) --plan.low[row];
  }
  settle(plan);
  return plan;
}

SignPlan open_plan(SignFamily family, std::int64_t horizon, const Levels& levels) {
  if (family == SignFamily::curtailed) throw InvalidInput("family", "curtailed", "sprt, mixture_e, dual_e");
  return plan_of(family, horizon, levels);
}

FixedEnds fixed_ends(std::int64_t untied, const Levels& levels) {
  const FixedRule rule = fixed_rule(untied, levels);
  FixedEnds ends{.untied = untied, .high = rule.better_from.value_or(untied + 1)};
  if (levels.gamma) {
    ends.low = rule.not_meaningful_to.value_or(-1);
  } else {
    ends.low = untied - ends.high;
    ends.low_means = Status::worse;
  }
  return ends;
}

std::optional<Status> FixedEnds::settled(std::int64_t wins, std::int64_t n) const {
  require_within("n", n, 0, untied);
  require_within("wins", wins, 0, n);
  const std::int64_t most = wins + untied - n;
  if (wins >= high) return Status::better;
  if (most <= low) return low_means;
  return wins > low && most < high ? std::optional(Status::inconclusive) : std::nullopt;
}

Operating operating(const SignPlan& plan, double p) {
  if (!(p >= 0.0 && p <= 1.0)) throw InvalidInput("p", shortest(p), "0 to 1");
  Operating result;
  std::vector<double> mass{1.0};  // mass of the undecided paths with w wins
  for (std::int64_t n = 0; n <= plan.horizon; ++n) {
    double alive = 0.0;
    for (std::int64_t w = 0; w <= n; ++w) {
      double& m = mass[static_cast<std::size_t>(w)];
      if (m == 0.0) continue;
      const auto verdict = plan.verdict(w, n);
      if (!verdict && n < plan.horizon) {
        alive += m;
        continue;
      }
      const Status ends = verdict.value_or(Status::inconclusive);
      (ends == Status::better       ? result.better
       : ends == Status::equivalent ? result.equivalent
       : ends == plan.low_means     ? result.against
                                    : result.undecided) += m;
      m = 0.0;
    }
    result.pairs += alive;
    mass.push_back(0.0);
    for (std::size_t w = mass.size(); w-- > 0;) mass[w] = mass[w] * (1.0 - p) + (w > 0 ? mass[w - 1] * p : 0.0);
  }
  return result;
}

}  // namespace retrial::variance::inline sequential
