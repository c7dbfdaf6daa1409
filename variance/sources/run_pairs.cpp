#include "variance/sources/run_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline sources {
namespace {

struct Ratio {
  double value = 0.0, weight = 0.0;
  void add(double v, double w) { value += v, weight += w; }
  [[nodiscard]] double operator()() const { return value / weight; }
};

double weight_at(const PairTable& table, std::size_t place) {
  return table.weights.empty() ? 1.0 : table.weights[place];
}

void require_pairs_of(const PairTable& table) {
  require_at_least("runs", static_cast<std::int64_t>(table.runs), 2);
  const std::size_t pairs = table.runs * (table.runs - 1) / 2;
  const auto check = [&](const char* field, std::span<const double> values) {
    if (values.size() != pairs)
      throw InvalidInput(field, std::to_string(values.size()), std::to_string(pairs) + ", one per pair");
    require_finite(field, values);
  };
  check("values", table.values);
  if (!table.weights.empty()) check("weights", table.weights);
}

/// Over pairs of different runs, weighted by how often both were drawn.
Ratio pair_ratio(const PairTable& table, std::span<const std::uint32_t> counts) {
  Ratio ratio;
  std::size_t place = 0;
  for (std::size_t j = 1; j < table.runs; ++j)
    for (std::size_t i = 0; i < j; ++i, ++place) {
      const double times = static_cast<double>(counts[i]) * counts[j];
      ratio.add(times * table.values[place], times * weight_at(table, place));
    }
  return ratio;
}

}  // namespace

Estimate pair_jackknife(const PairTable& table, const Range& range, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_pairs_of(table);
  std::vector<std::uint32_t> counts(table.runs, 1);
  Estimate result{.point = pair_ratio(table, counts)(), .level = 1.0 - alpha, .method = "jackknife over runs"};
  if (table.runs < 3) return result;
  std::vector<double> without;
  for (std::size_t r = 0; r < table.runs; ++r) {
    counts[r] = 0;
    without.push_back(pair_ratio(table, counts)());
    counts[r] = 1;
  }
  const double n = static_cast<double>(table.runs), more = n - 1.0;
  const double se = std::sqrt(more / n * more * *sample_variance(without));
  const double half = student_quantile(1.0 - alpha / 2.0, more) * se;
  result.low = result.point - half;
  result.high = result.point + half;
  if (range.low) result.low = std::max(*result.low, *range.low);
  if (range.high) result.high = std::min(*result.high, *range.high);
  return result;
}

Estimate pair_bootstrap(const PairTable& table, const PairBootstrapOptions& options) {
  require_between("alpha", options.alpha, 0.0, 0.5);
  require_within("resamples", options.resamples, 1'000, 1'000'000'000);
  require_pairs_of(table);
  std::vector<std::uint32_t> counts(table.runs);
  std::vector<double> resampled(static_cast<std::size_t>(options.resamples));
  for (std::size_t r = 0; r < resampled.size(); ++r) {
    Stream stream(options.key, r);
    do {
      std::ranges::fill(counts, 0U);
      for (std::size_t i = 0; i < table.runs; ++i) ++counts[bounded(stream.next(), table.runs)];
    } while (std::ranges::count_if(counts, [](std::uint32_t c) { return c > 0; }) < 2);
    resampled[r] = pair_ratio(table, counts)();
  }
  const std::vector<std::uint32_t> once(table.runs, 1);
  return {.point = pair_ratio(table, once)(),
          .low = reordered_quantile(resampled, options.alpha / 2.0),
          .high = reordered_quantile(resampled, 1.0 - options.alpha / 2.0),
          .level = 1.0 - options.alpha,
          .method = "percentile bootstrap over runs"};
}

}  // namespace retrial::variance::inline sources
