#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/spreads/spread.hpp"
#include "variance/spreads/spread_outcome.hpp"

namespace retrial::variance::inline spreads {
namespace {

constexpr std::size_t min_ratio_runs = 5;
constexpr const char* too_few = "none: five runs of each are needed";

/// The mean without a share 1 / (2 sqrt(n - 4)) at either end, which is the median of five runs.
double centre_of(std::span<const double> scores) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted);
  const double n = size_of(scores);
  const auto cut = static_cast<std::size_t>(n * std::min(0.5, 0.5 / std::sqrt(n - 4.0)));
  if (2 * cut >= sorted.size()) return *median(sorted);
  return *mean(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

double sum_of_powers(std::span<const double> scores, double centre) {
  std::vector<double> powers;
  for (const double x : scores) powers.push_back((x - centre) * (x - centre) * (x - centre) * (x - centre));
  return pairwise_sum(powers);
}

/// Half the width of the interval of ln(s_A^2 / s_B^2): (kurtosis - (n - 3) / n) / (n - 1) is the variance of ln s^2.
double half_width(std::span<const double> a, std::span<const double> b, double z) {
  const double n = size_of(a), m = size_of(b);
  const double squares = (n - 1.0) * *sample_variance(a) + (m - 1.0) * *sample_variance(b);
  const double kurtosis =
      (n + m) * (sum_of_powers(a, centre_of(a)) + sum_of_powers(b, centre_of(b))) / (squares * squares);
  const double variance = (kurtosis - (n - 3.0) / n) / (n - 1.0) + (kurtosis - (m - 3.0) / m) / (m - 1.0);
  return z * std::sqrt(std::max(0.0, variance));
}

/// n ln s^2 - (n - 1) ln s^2 without the score, for each score; absent where the others do not vary.
std::optional<std::vector<double>> pseudovalues(std::span<const double> scores) {
  const double n = size_of(scores), centre = *mean(scores), squares = *sample_variance(scores) * (n - 1.0);
  std::vector<double> out;
  for (const double x : scores) {
    const double rest = squares - (x - centre) * (x - centre) * n / (n - 1.0);
    if (!(rest > 1e-12 * squares)) return std::nullopt;
    out.push_back(n * std::log(squares / (n - 1.0)) - (n - 1.0) * std::log(rest / (n - 2.0)));
  }
  return out;
}

}  // namespace

std::optional<Estimate> sd_ratio(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  require_spread_runs(candidate, baseline, 1);
  auto out = ratio_of_sds(candidate, baseline, alpha, "Bonett, any law of the scores");
  if (!out) return out;
  const double n = size_of(candidate), m = size_of(baseline), z = quantile(1.0 - alpha / 2.0);
  if (std::min(candidate.size(), baseline.size()) < min_ratio_runs || std::min(n, m) <= z) {
    out->method = too_few;
    return out;
  }
  const double centre = out->point * std::sqrt(n / (n - z) / (m / (m - z)));
  const double width = std::exp(half_width(candidate, baseline, z) / 2.0);
  out->low = centre / width;
  out->high = centre * width;
  return out;
}

std::optional<Estimate> paired_sd_ratio(std::span<const double> candidate, std::span<const double> baseline,
                                        double alpha) {
  require_spread_pairs(candidate, baseline, 1);
  auto out = ratio_of_sds(candidate, baseline, alpha, "jackknife of pairs, any law of the scores");
  if (!out) return out;
  if (candidate.size() < min_ratio_runs) {
    out->method = too_few;
    return out;
  }
  const auto a = pseudovalues(candidate), b = pseudovalues(baseline);
  if (!a || !b) {
    out->method = "none: without one run the others are all equal";
    return out;
  }
  std::vector<double> differences(a->size());
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = (*a)[i] - (*b)[i];
  const double n = size_of(differences), middle = *mean(differences);
  const double half = student_quantile(1.0 - alpha / 2.0, n - 1.0) * *sd(differences) / std::sqrt(n);
  out->low = std::exp((middle - half) / 2.0);
  out->high = std::exp((middle + half) / 2.0);
  return out;
}

}  // namespace retrial::variance::inline spreads
