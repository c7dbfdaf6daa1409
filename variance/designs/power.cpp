#include "variance/designs/power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::variance::inline designs {
namespace {

constexpr std::int64_t max_planned_runs = 1'000'000;

void require_t_design(const TDesign& design) {
  require_between("alpha", design.alpha, 0.0, 0.5);
  require_between("beta", design.beta, 0.0, 1.0);
}

double df_of(std::int64_t runs, Pairing pairing) {
  return static_cast<double>(pairing == Pairing::paired ? runs - 1 : 2 * runs - 2);
}

/// Mean of the t statistic per unit of effect.
double noncentrality(std::int64_t runs, Pairing pairing) {
  const double n = static_cast<double>(runs);
  return std::sqrt(pairing == Pairing::paired ? n : n / 2.0);
}

/// Smallest x in (0, high] with f(x) >= level, for a rising f with f(high) >= level.
template <typename Rising>
double smallest(Rising&& f, double level, double high) {
  double low = 0.0;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = low + (high - low) / 2.0;
    (f(middle) >= level ? high : low) = middle;
  }
  return high;
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
  return smallest([&](double gamma) { return sign_power(pairs, gamma, alpha); }, 1.0 - beta, 1.0);
}

double t_power(std::int64_t runs, double effect, const TDesign& design) {
  require_t_design(design);
  require_at_least("runs", runs, 2);
  if (!std::isfinite(effect)) throw InvalidInput("effect", shortest(effect), "finite numbers");
  const double df = df_of(runs, design.pairing);
  const double level = design.sides == Sides::two ? design.alpha / 2.0 : design.alpha;
  const double critical = student_quantile(1.0 - level, df), shift = noncentrality(runs, design.pairing) * effect;
  // Far beyond the critical value the power is 1 to the last digit, and the series of the noncentral t would need ever
  // more terms.
  if (shift > critical + 40.0) return 1.0;
  return 1.0 - noncentral_student_cdf(critical, df, shift);
}

std::int64_t t_runs(double effect, const TDesign& design) {
  require_positive("effect", effect);
  const auto enough = [&](std::int64_t runs) { return t_power(runs, effect, design) >= 1.0 - design.beta; };
  std::int64_t high = 2, low = 1;
  while (!enough(high)) {
    if (high >= max_planned_runs)
      throw InvalidInput("effect", shortest(effect), "effects that a million runs can detect");
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

double detectable_effect(std::int64_t runs, const TDesign& design) {
  double high = 1.0;
  while (t_power(runs, high, design) < 1.0 - design.beta) high *= 2.0;
  return smallest([&](double effect) { return t_power(runs, effect, design); }, 1.0 - design.beta, high);
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
