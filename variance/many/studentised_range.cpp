#include "variance/many/studentised_range.hpp"

#include <algorithm>
#include <cmath>

#include "variance/many/group_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline many {
namespace {

constexpr double reach = 8.5;             // for the normal density: 1e-17 is beyond
constexpr double farthest = 2.0 * reach;  // the range of normals of which none is beyond

/// Mean of f(s) over s = sqrt(chi^2_df / df). From `settled` on f has its last value. At few degrees of freedom s
/// reaches far beyond the place where f changes: the panels cover no more than f needs, and the rest is a tail of s.
template <typename Function>
double over_spread(double df, double settled, Function&& f) {
  if (std::isinf(df)) return f(1.0);
  const double log_scale = std::log(2.0) + df / 2.0 * std::log(df / 2.0) - log_gamma(df / 2.0);
  const double low = std::max(0.0, 1.0 - 9.0 / std::sqrt(2.0 * df));
  const double high = std::max(low, std::min(1.0 + 9.0 / std::sqrt(df), settled));
  const auto density = [&](double s) { return std::exp(log_scale + (df - 1.0) * std::log(s) - df * s * s / 2.0); };
  // In v with s = low + (high - low) v^2: a power of s that is no whole number would cost digits at s = 0.
  const double range = high - low;
  const double inside = integrate(
      [&](double v) {
        const double s = low + range * v * v;
        return density(s) * f(s) * 2.0 * range * v;
      },
      0.0, 1.0, 8);
  return inside + f(high) * chi_squared_above(df * high * high, df);
}

double normal_range_cdf(double q, std::int64_t k) {
  const double others = static_cast<double>(k - 1);
  return static_cast<double>(k) *
         integrate([&](double z) { return normal_density(z) * std::pow(normal_cdf(z) - normal_cdf(z - q), others); },
                   -reach, reach, 7);
}

struct Pooled {
  double variance, df;
};

Pooled pooled_of(std::span<const std::vector<double>> groups) {
  require_at_least("groups", static_cast<std::int64_t>(groups.size()), 2);
  double squares = 0.0, df = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string field = "groups[" + std::to_string(g) + "]";
    require_at_least(field.c_str(), static_cast<std::int64_t>(groups[g].size()), 2);
    require_finite(field, groups[g]);
    const double more = static_cast<double>(groups[g].size()) - 1.0;
    squares += more * *sample_variance(groups[g]);
    df += more;
  }
  if (squares == 0.0) throw InvalidInput("groups", "no spread", "at least one group that varies");
  return {squares / df, df};
}

/// x > 0 with cdf(x) = p.
template <typename Cdf>
double level_reached(const Cdf& cdf, double p) {
  double low = 0.0, high = 4.0;
  while (cdf(high) < p) low = high, high *= 2.0;
  // Secant steps kept inside the bracket (Illinois), to the precision of the quadrature.
  double at_low = cdf(low) - p, at_high = cdf(high) - p;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double next = low - at_low * (high - low) / (at_high - at_low);
    const double at_next = cdf(next) - p;
    if (std::fabs(at_next) < 1e-15) return next;
    if (at_next < 0.0) {
      low = next, at_low = at_next, at_high /= 2.0;
    } else {
      high = next, at_high = at_next, at_low /= 2.0;
    }
  }
  return low + (high - low) / 2.0;
}

}  // namespace

double studentised_range_cdf(double q, std::int64_t k, double df) {
  require_at_least("k", k, 2);
  if (!(df >= 1.0)) throw InvalidInput("df", shortest(df), "1 or more");
  if (q <= 0.0) return 0.0;
  return std::min(1.0, over_spread(df, farthest / q, [&](double s) { return normal_range_cdf(q * s, k); }));
}

double studentised_range_quantile(double p, std::int64_t k, double df) {
  // Of infinitely many degrees of freedom the quadrature is good to the last digits.
  require_between("p", p, 0.0, std::isinf(df) ? 1.0 : 1.0 - least_resolved_p);
  return level_reached([&](double q) { return studentised_range_cdf(q, k, df); }, p);
}

std::vector<PairOfMeans> tukey(std::span<const std::vector<double>> groups, double alpha) {
  require_resolved_alpha(alpha);
  const Pooled pooled = pooled_of(groups);
  const auto k = static_cast<std::int64_t>(groups.size());
  const double critical = studentised_range_quantile(1.0 - alpha, k, pooled.df);
  std::vector<PairOfMeans> result;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      const double se = std::sqrt(pooled.variance / 2.0 * (1.0 / size_of(groups[i]) + 1.0 / size_of(groups[j])));
      const double difference = *mean(groups[i]) - *mean(groups[j]);
      result.push_back({.first = i,
                        .second = j,
                        .difference = {.point = difference,
                                       .low = difference - critical * se,
                                       .high = difference + critical * se,
                                       .level = 1.0 - alpha,
                                       .method = "Tukey"},
                        .p = resolved_p(1.0 - studentised_range_cdf(std::fabs(difference) / se, k, pooled.df))});
    }
  return result;
}

double dunnett_cdf(double d, std::span<const double> lambda, double df, bool two_sided) {
  const auto inner = [&](double s) {
    return integrate(
        [&](double y) {
          double product = normal_density(y);
          for (const double l : lambda) {
            const double root = std::sqrt(1.0 - l * l);
            product *= normal_cdf((l * y + d * s) / root) - (two_sided ? normal_cdf((l * y - d * s) / root) : 0.0);
          }
          return product;
        },
        -reach, reach, 17);
  };
  // Farther out than this the product no longer depends on s: each factor is 0 or 1.
  return std::min(1.0, over_spread(df, farthest / std::fabs(d), inner));
}

double dunnett_quantile(double p, std::span<const double> lambda, double df, bool two_sided) {
  require_between("p", p, 0.5, 1.0 - least_resolved_p);
  return level_reached([&](double d) { return dunnett_cdf(d, lambda, df, two_sided); }, p);
}

std::vector<AgainstControl> dunnett(std::span<const std::vector<double>> groups, std::span<const double> control,
                                    double alpha) {
  require_resolved_alpha(alpha);
  std::vector<std::vector<double>> all(groups.begin(), groups.end());
  all.emplace_back(control.begin(), control.end());
  const Pooled pooled = pooled_of(all);
  std::vector<double> lambda;
  for (const auto& group : groups) lambda.push_back(std::sqrt(size_of(group) / (size_of(group) + size_of(all.back()))));
  const double critical = dunnett_quantile(1.0 - alpha, lambda, pooled.df, true);
  std::vector<AgainstControl> result;
  for (const auto& group : groups) {
    const double se = std::sqrt(pooled.variance * (1.0 / size_of(group) + 1.0 / size_of(all.back())));
    const double difference = *mean(group) - *mean(control), t = difference / se;
    result.push_back({.statistic = t,
                      .p_two = resolved_p(1.0 - dunnett_cdf(std::fabs(t), lambda, pooled.df, true)),
                      .p_greater = resolved_p(1.0 - dunnett_cdf(t, lambda, pooled.df, false)),
                      .difference = {.point = difference,
                                     .low = difference - critical * se,
                                     .high = difference + critical * se,
                                     .level = 1.0 - alpha,
                                     .method = "Dunnett"}});
  }
  return result;
}

}  // namespace retrial::variance::inline many
