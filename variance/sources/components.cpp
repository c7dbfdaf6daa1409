#include "variance/sources/components.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/sum.hpp"
#include "variance/numbers/summary.hpp"
#include "variance/sources/component_parts.hpp"

namespace retrial::variance::inline sources {

namespace component_parts {

void set_interval(Component& component, double variance_of_estimate, double alpha) {
  component.variance.point = std::max(0.0, component.raw);
  component.variance.level = 1.0 - alpha;
  component.variance.method = "satterthwaite";
  if (!(component.raw > 0.0) || !(variance_of_estimate > 0.0)) return;
  const double df = 2.0 * component.raw * component.raw / variance_of_estimate;
  component.df = df;
  // For very few degrees of freedom the lower chi-squared quantile is 0 in double precision: then there is no upper
  // bound.
  const double low = chi_squared_quantile(alpha / 2.0, df);
  component.variance.low = df * component.raw / chi_squared_quantile(1.0 - alpha / 2.0, df);
  if (low > 0.0 && std::isfinite(df * component.raw / low)) component.variance.high = df * component.raw / low;
}

void set_shares(std::span<Component* const> components) {
  double total = 0.0;
  for (const Component* c : components) total += c->variance.point;
  for (Component* c : components) c->share = total > 0.0 ? c->variance.point / total : 0.0;
}

Component difference_of(std::string source, MeanSquare of, std::optional<MeanSquare> minus, double divisor,
                        double alpha) {
  Component component{.source = std::move(source)};
  const double other = minus ? minus->value : 0.0;
  component.raw = (of.value - other) / divisor;
  double spread = of.value * of.value / of.df;
  if (minus) spread += other * other / minus->df;
  set_interval(component, 2.0 * spread / (divisor * divisor), alpha);
  return component;
}

}  // namespace component_parts

namespace {

using component_parts::difference_of;
using component_parts::MeanSquare;

struct Sums {
  double runs = 0.0, squared_sizes = 0.0, between = 0.0, within = 0.0;
};

Sums sums_of(const Clusters& clusters) {
  Sums sums;
  std::vector<double> all;
  for (const auto& cluster : clusters) all.insert(all.end(), cluster.begin(), cluster.end());
  const double grand = *mean(all);
  Neumaier between, within;
  for (const auto& cluster : clusters) {
    const double size = static_cast<double>(cluster.size()), center = *mean(cluster);
    sums.runs += size;
    sums.squared_sizes += size * size;
    between.add(size * (center - grand) * (center - grand));
    if (const auto v = sample_variance(cluster)) within.add(*v * (size - 1.0));
  }
  sums.between = between.value();
  sums.within = within.value();
  return sums;
}

void set_icc(OneWay& result, bool balanced, double alpha) {
  const double total = result.between->variance.point + result.within->variance.point;
  if (!(total > 0.0)) return;
  result.icc = result.between->variance.point / total;
  result.icc_interval = {.point = *result.icc, .level = 1.0 - alpha, .method = balanced ? "F" : "none: unbalanced"};
  if (!balanced || *result.msw == 0.0) return;
  const double r = static_cast<double>(result.clusters), k = result.k0, between = r - 1.0, within = r * (k - 1.0);
  const double f = *result.msb / *result.msw;
  const auto icc_of = [&](double ratio) { return std::max(0.0, (ratio - 1.0) / (ratio + k - 1.0)); };
  result.icc_interval.low = icc_of(f / f_quantile(1.0 - alpha / 2.0, between, within));
  result.icc_interval.high = icc_of(f * f_quantile(1.0 - alpha / 2.0, within, between));
}

}  // namespace

OneWay oneway(const Clusters& clusters, double alpha) {
  require_clusters(clusters);
  require_between("alpha", alpha, 0.0, 1.0);
  const Sums sums = sums_of(clusters);
  OneWay result{.clusters = static_cast<std::int64_t>(clusters.size()), .runs = static_cast<std::int64_t>(sums.runs)};
  const double r = static_cast<double>(clusters.size()), inside = sums.runs - r;
  if (inside > 0.0) {
    result.msw = sums.within / inside;
    result.within = difference_of("within", {*result.msw, inside}, {}, 1.0, alpha);
  }
  if (result.clusters < 2) return result;
  result.msb = sums.between / (r - 1.0);
  result.k0 = (sums.runs - sums.squared_sizes / sums.runs) / (r - 1.0);
  if (!result.msw) return result;
  result.between = difference_of("between", {*result.msb, r - 1.0}, MeanSquare{*result.msw, inside}, result.k0, alpha);
  component_parts::set_shares(std::array{&*result.between, &*result.within});
  const bool balanced =
      std::ranges::all_of(clusters, [&](const auto& c) { return c.size() == clusters.front().size(); });
  set_icc(result, balanced, alpha);
  return result;
}

NoiseStratum noise_stratum(std::span<const double> replicates, double alpha) {
  require_at_least("runs", static_cast<std::int64_t>(replicates.size()), 5);
  require_finite("scores", replicates);
  require_between("alpha", alpha, 0.0, 1.0);
  const double variance = *sample_variance(replicates), df = static_cast<double>(replicates.size()) - 1.0;
  NoiseStratum result{.runs = static_cast<std::int64_t>(replicates.size()), .bit_identical = variance == 0.0};
  result.variance = {.point = variance, .level = 1.0 - alpha, .method = "chi-squared"};
  if (result.bit_identical) return result;
  result.variance.low = df * variance / chi_squared_quantile(1.0 - alpha / 2.0, df);
  result.variance.high = df * variance / chi_squared_quantile(alpha / 2.0, df);
  return result;
}

}  // namespace retrial::variance::inline sources
