#include "variance/designs/power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/designs/spread_average.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/search.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::variance::inline designs {
namespace {

constexpr double largest_series_shift = 30.0;

void require_t_design(const TDesign& design) {
  require_between("alpha", design.alpha, 0.0, 0.5);
  require_between("beta", design.beta, 0.0, 1.0);
  require_not_negative("overlap", design.overlap);
}

double df_of(std::int64_t runs, Pairing pairing) {
  return static_cast<double>(pairing == Pairing::paired ? runs - 1 : 2 * runs - 2);
}

/// Mean of the t statistic per unit of effect.
double noncentrality(std::int64_t runs, const TDesign& design) {
  const double n = static_cast<double>(runs);
  if (design.overlap > 0.0) return 1.0 / std::sqrt(1.0 / n + design.overlap);
  return std::sqrt(design.pairing == Pairing::paired ? n : n / 2.0);
}

}  // namespace

double sign_power(std::int64_t pairs, double gamma, double alpha) {
  require_at_least("pairs", pairs, 1);
  const auto wins = critical_wins(pairs, alpha);
  return wins ? binomial_at_least(*wins, pairs, gamma) : 0.0;
}

std::optional<double> detectable_gamma(std::int64_t pairs, double alpha, double beta) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_between("beta", beta, 0.0, 1.0);
  require_at_least("pairs", pairs, 1);
  if (!critical_wins(pairs, alpha)) return std::nullopt;
  return least_argument([&](double gamma) { return sign_power(pairs, gamma, alpha); }, 1.0 - beta, 1.0);
}

double rule_power(const FixedRule& rule, double share) {
  if (!(share >= 0.0 && share <= 1.0)) throw InvalidInput("share", shortest(share), "0 to 1");
  return rule.better_from ? binomial_at_least(*rule.better_from, rule.pairs, share) : 0.0;
}

std::optional<double> detectable_share(const FixedRule& rule, double beta) {
  require_between("beta", beta, 0.0, 1.0);
  if (!rule.better_from) return std::nullopt;
  return least_argument([&](double share) { return rule_power(rule, share); }, 1.0 - beta, 1.0);
}

double t_power(std::int64_t runs, double effect, const TDesign& design) {
  require_t_design(design);
  require_at_least("runs", runs, 2);
  if (!std::isfinite(effect)) throw InvalidInput("effect", shortest(effect), "finite numbers");
  const double df = df_of(runs, design.pairing);
  const double level = design.sides == Sides::two ? design.alpha / 2.0 : design.alpha;
  const double critical = student_quantile(1.0 - level, df), shift = noncentrality(runs, design) * effect;
  // The series of the noncentral t needs ever more terms as its shift grows.
  if (shift > largest_series_shift)
    return 1.0 - spread_average(df, critical, unlimited, [&](double u) { return normal_cdf(critical * u - shift); });
  return 1.0 - noncentral_student_cdf(critical, df, shift);
}

std::int64_t t_runs(double effect, const TDesign& design) {
  require_positive("effect", effect);
  const auto runs = least_enough(2, max_planned_runs,
                                 [&](std::int64_t n) { return t_power(n, effect, design) >= 1.0 - design.beta; });
  if (!runs) throw InvalidInput("effect", shortest(effect), "effects that a million runs can detect");
  return *runs;
}

double detectable_effect(std::int64_t runs, const TDesign& design) {
  double high = 1.0;
  while (t_power(runs, high, design) < 1.0 - design.beta) high *= 2.0;
  return least_argument([&](double effect) { return t_power(runs, effect, design); }, 1.0 - design.beta, high);
}

WelchPlan welch_plan(std::int64_t runs, double sd_candidate, double sd_baseline, double difference, double alpha) {
  require_at_least("runs", runs, 2);
  require_positive("sd_candidate", sd_candidate);
  require_positive("sd_baseline", sd_baseline);
  require_positive("difference", difference);
  require_between("alpha", alpha, 0.0, 0.5);
  const double n = static_cast<double>(runs), a = sd_candidate * sd_candidate, b = sd_baseline * sd_baseline;
  WelchPlan plan{.df = (n - 1.0) * (a + b) * (a + b) / (a * a + b * b)};
  const double critical = student_quantile(1.0 - alpha, plan.df), shift = difference / std::sqrt((a + b) / n);
  plan.beta = student_cdf(critical - shift, plan.df);
  plan.beta_exact = shift > critical + 40.0 ? 0.0 : noncentral_student_cdf(critical, plan.df, shift);
  return plan;
}

Allocation allocate_runs(double search_cost, double between, double within, double target_se) {
  require_positive("search_cost", search_cost);
  require_positive("within", within);
  require_positive("target_se", target_se);
  require_not_negative("between", between);
  const double target = target_se * target_se;
  const auto with = [&](double k) {
    Allocation plan{.optimum = std::sqrt(search_cost * within / between),
                    .runs_per_search = static_cast<std::int64_t>(k)};
    plan.searches_needed = (between + within / k) / target;
    // A claim about the pipeline needs two searches whatever the variances.
    plan.searches = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(plan.searches_needed - 1e-9)));
    plan.trainings = static_cast<double>(plan.searches) * (search_cost + k);
    return plan;
  };
  if (between == 0.0) {
    Allocation plan = with(std::ceil(within / (2.0 * target) - 1e-9));
    plan.optimum = std::numeric_limits<double>::infinity();
    return plan;
  }
  const double best = std::sqrt(search_cost * within / between);
  const Allocation down = with(std::max(1.0, std::floor(best))), up = with(std::max(1.0, std::ceil(best)));
  return up.trainings < down.trainings ? up : down;
}

}  // namespace retrial::variance::inline designs
