#include "variance/designs/equivalence_power.hpp"

#include <cmath>

#include "variance/designs/spread_average.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline designs {
namespace {

/// Both tests reject where the mean is at least t standard errors inside of either margin. `root`: true standard
/// deviations per true standard error of the difference; `df`: of the estimated one.
double inside_margins(double root, double margin, double difference, double t, double df) {
  const double upper = (margin - difference) * root, lower = (margin + difference) * root;
  return spread_average(df, t, margin * root / t,
                        [&](double u) { return normal_cdf(upper - t * u) - normal_cdf(t * u - lower); });
}

/// Welch's t has the degrees of freedom that the two sample variances happen to suggest. Their shares of the sum,
/// (1 - cos x) / 2 and (1 + cos x) / 2, have the density (sin x)^(n - 2), which is even about pi / 2.
double welch_inside_margins(std::int64_t runs, double margin, const EquivalencePlan& plan) {
  const double n = static_cast<double>(runs), root = std::sqrt(n / 2.0), middle = std::acos(0.0);
  const double from = n > 40.0 ? middle - 9.0 / std::sqrt(n - 2.0) : 0.0;
  constexpr int panels = 2;
  const auto density = [&](double x) { return std::pow(std::sin(x), n - 2.0); };
  const auto weighted = [&](double x) {
    const double df = 2.0 * (n - 1.0) / (1.0 + std::cos(x) * std::cos(x));
    return density(x) *
           inside_margins(root, margin, plan.difference, student_quantile(1.0 - plan.alpha, df), 2.0 * n - 2.0);
  };
  return integrate(weighted, from, middle, panels) / integrate(density, from, middle, panels);
}

}  // namespace

double equivalence_power(std::int64_t runs, double margin, const EquivalencePlan& plan) {
  require_at_least("runs", runs, 2);
  require_positive("margin", margin);
  require_between("alpha", plan.alpha, 0.0, 0.5);
  if (!std::isfinite(plan.difference)) throw InvalidInput("difference", shortest(plan.difference), "finite numbers");
  if (plan.pairing == Pairing::unpaired) return welch_inside_margins(runs, margin, plan);
  const double n = static_cast<double>(runs), t = student_quantile(1.0 - plan.alpha, n - 1.0);
  return inside_margins(std::sqrt(n), margin, plan.difference, t, n - 1.0);
}

}  // namespace retrial::variance::inline designs
