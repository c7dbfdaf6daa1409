#include "variance/groups/studentised_range.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "variance/groups/group_parts.hpp"
#include "variance/groups/tabulated.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline groups {
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

void require_df(double df) {
  if (!(df >= 1.0)) throw InvalidInput("df", shortest(df), "1 or more");
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
  require_df(df);
  if (q <= 0.0) return 0.0;
  return std::min(1.0, over_spread(df, farthest / q, [&](double s) { return normal_range_cdf(q * s, k); }));
}

double studentised_range_quantile(double p, std::int64_t k, double df) {
  if (!std::isinf(df)) return StudentisedRange(k).quantile(p, df);
  // Without an integral over the spread a few values cost less than the table of all, and are good to the last digits.
  require_between("p", p, 0.0, 1.0);
  return level_reached([&](double q) { return studentised_range_cdf(q, k, df); }, p);
}

StudentisedRange::StudentisedRange(std::int64_t k)
    : unstudentised_([k] {
        require_at_least("k", k, 2);
        // One law after the other is asked of the same number of means: all pairs of a study, all its audits.
        static thread_local std::pair<std::int64_t, std::shared_ptr<const Tabulated>> last;
        if (last.first != k)
          last = {k, std::make_shared<const Tabulated>([k](double q) { return normal_range_cdf(q, k); }, farthest)};
        return last.second;
      }()) {}

double StudentisedRange::cdf(double q, double df) const {
  require_df(df);
  if (q <= 0.0) return 0.0;
  return std::min(1.0, over_spread(df, farthest / q, [&](double s) { return (*unstudentised_)(q * s); }));
}

double StudentisedRange::quantile(double p, double df) const {
  require_between("p", p, 0.0, 1.0 - min_resolved_p);
  return level_reached([&](double q) { return cdf(q, df); }, p);
}

std::vector<PairOfMeans> tukey(std::span<const std::vector<double>> groups, double alpha) {
  require_resolved_alpha(alpha);
  const Pooled pooled = pooled_of(groups);
  const auto k = static_cast<std::int64_t>(groups.size());
  const StudentisedRange range(k);
  const double critical = range.quantile(1.0 - alpha, pooled.df);
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
                        .p = resolved_p(1.0 - range.cdf(std::fabs(difference) / se, pooled.df))});
    }
  return result;
}

namespace {

/// P(max |T_i| <= x), or P(max T_i <= x), of normals: the law of known spread.
double normal_dunnett_cdf(double x, std::span<const double> lambda, bool two_sided) {
  return integrate(
      [&](double y) {
        double product = normal_density(y);
        for (const double l : lambda) {
          const double root = std::sqrt(1.0 - l * l);
          product *= normal_cdf((l * y + x) / root) - (two_sided ? normal_cdf((l * y - x) / root) : 0.0);
        }
        return product;
      },
      -reach, reach, 17);
}

/// The same for many values. Farther out than `farthest` the product no longer depends on x: each factor is 0 or 1.
class DunnettLaw {
 public:
  DunnettLaw(std::span<const double> lambda, bool two_sided)
      : above_([=](double x) { return normal_dunnett_cdf(x, lambda, two_sided); }, farthest) {
    if (!two_sided) below_.emplace([=](double x) { return normal_dunnett_cdf(-x, lambda, false); }, farthest);
  }
  [[nodiscard]] double cdf(double d, double df) const {
    if (d < 0.0 && !below_) return 0.0;
    const Tabulated& law = d < 0.0 ? *below_ : above_;
    const double distance = std::fabs(d);
    return std::min(1.0, over_spread(df, farthest / distance, [&](double s) { return law(distance * s); }));
  }
  [[nodiscard]] double quantile(double p, double df) const {
    return level_reached([&](double d) { return cdf(d, df); }, p);
  }

 private:
  Tabulated above_;
  std::optional<Tabulated> below_;
};

struct DunnettLaws {
  std::vector<double> lambda;
  DunnettLaw two_sided, one_sided;
};

/// Studies have equal groups as a rule, so the last laws are kept.
const DunnettLaws& laws_of(const std::vector<double>& lambda) {
  static thread_local std::optional<DunnettLaws> last;
  if (!last || last->lambda != lambda)
    last.emplace(
        DunnettLaws{.lambda = lambda, .two_sided = DunnettLaw(lambda, true), .one_sided = DunnettLaw(lambda, false)});
  return *last;
}

}  // namespace

double dunnett_cdf(double d, std::span<const double> lambda, double df, bool two_sided) {
  return std::min(1.0, over_spread(df, farthest / std::fabs(d),
                                   [&](double s) { return normal_dunnett_cdf(d * s, lambda, two_sided); }));
}

double dunnett_quantile(double p, std::span<const double> lambda, double df, bool two_sided) {
  require_between("p", p, 0.5, 1.0 - min_resolved_p);
  return DunnettLaw(lambda, two_sided).quantile(p, df);
}

std::vector<AgainstControl> dunnett(std::span<const std::vector<double>> groups, std::span<const double> control,
                                    double alpha) {
  require_resolved_alpha(alpha);
  std::vector<std::vector<double>> all(groups.begin(), groups.end());
  all.emplace_back(control.begin(), control.end());
  const Pooled pooled = pooled_of(all);
  std::vector<double> lambda;
  for (const auto& group : groups) lambda.push_back(std::sqrt(size_of(group) / (size_of(group) + size_of(all.back()))));
  const DunnettLaws& laws = laws_of(lambda);
  const double critical = laws.two_sided.quantile(1.0 - alpha, pooled.df);
  std::vector<AgainstControl> result;
  for (const auto& group : groups) {
    const double se = std::sqrt(pooled.variance * (1.0 / size_of(group) + 1.0 / size_of(all.back())));
    const double difference = *mean(group) - *mean(control), t = difference / se;
    result.push_back({.statistic = t,
                      .p_two = resolved_p(1.0 - laws.two_sided.cdf(std::fabs(t), pooled.df)),
                      .p_greater = resolved_p(1.0 - laws.one_sided.cdf(t, pooled.df)),
                      .difference = {.point = difference,
                                     .low = difference - critical * se,
                                     .high = difference + critical * se,
                                     .level = 1.0 - alpha,
                                     .method = "Dunnett"}});
  }
  return result;
}

}  // namespace retrial::variance::inline groups
