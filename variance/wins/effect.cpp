#include "variance/wins/effect.hpp"

#include <cmath>
#include <vector>

#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/wins/theta.hpp"

namespace retrial::variance::inline wins {
namespace {

/// Root of the mean of two squared spreads, weighted by degrees of freedom.
double pooled_spread(double first, double second, std::span<const double> a, std::span<const double> b) {
  const double da = size_of(a) - 1.0, db = size_of(b) - 1.0;
  return std::sqrt((da * first * first + db * second * second) / (da + db));
}

std::optional<double> ratio(double difference, double spread) {
  return spread > 0.0 ? std::optional(difference / spread) : std::nullopt;
}

double scaled_mad(std::span<const double> values) {
  const double middle = *median(values);
  std::vector<double> distances;
  for (const double x : values) distances.push_back(std::fabs(x - middle));
  return 1.4826 * *median(distances);
}

}  // namespace

std::optional<double> cohen_d(std::span<const double> candidate, std::span<const double> baseline) {
  const auto first = sd(candidate), second = sd(baseline);
  if (!first || !second) return std::nullopt;
  return ratio(*mean(candidate) - *mean(baseline), pooled_spread(*first, *second, candidate, baseline));
}

std::optional<double> hedges_g(std::span<const double> candidate, std::span<const double> baseline) {
  const auto d = cohen_d(candidate, baseline);
  if (!d) return std::nullopt;
  return *d * hedges_factor(size_of(candidate) + size_of(baseline) - 2.0);
}

double hedges_factor(double v) {
  return std::exp(log_gamma(v / 2.0) - log_gamma((v - 1.0) / 2.0)) / std::sqrt(v / 2.0);
}

std::optional<double> glass_delta(std::span<const double> candidate, std::span<const double> baseline) {
  const auto spread = sd(baseline), centre = mean(candidate);
  if (!spread || !centre) return std::nullopt;
  return ratio(*centre - *mean(baseline), *spread);
}

double cliff_delta(std::span<const double> candidate, std::span<const double> baseline) {
  return 2.0 * placements(candidate, baseline).theta - 1.0;
}

std::string_view a12_label(double theta) {
  const double size = std::max(theta, 1.0 - theta);
  if (size >= 0.71) return "large";
  if (size >= 0.64) return "medium";
  return size >= 0.56 ? "small" : "negligible";
}

std::optional<double> median_effect(std::span<const double> candidate, std::span<const double> baseline) {
  if (candidate.size() < 2 || baseline.size() < 2) return std::nullopt;
  const double spread = pooled_spread(scaled_mad(candidate), scaled_mad(baseline), candidate, baseline);
  return ratio(*median(candidate) - *median(baseline), spread);
}

}  // namespace retrial::variance::inline wins
