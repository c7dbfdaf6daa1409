#include "variance/history/reference_convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline history {
namespace {

/// Runs that are left out at either end: MLPerf drops the fastest and the slowest, of 40 runs four each.
std::int64_t trimmed_of(std::int64_t runs) {
  return runs == 40 ? 4 : 1;
}

double trimmed_mean(std::span<const double> values, std::int64_t trim) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto inner =
      std::span(sorted).subspan(static_cast<std::size_t>(trim), sorted.size() - 2 * static_cast<std::size_t>(trim));
  return *mean(inner);
}

void require_times(const char* field, std::span<const double> values) {
  require_finite(field, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0.0))
      throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "]", shortest(values[i]), "greater than 0");
}

}  // namespace

ReferenceCheck reference_limits(std::span<const double> reference, std::int64_t runs) {
  require_at_least("submission", runs, 3);
  require_at_least("reference", std::ssize(reference), 2 * runs);
  require_times("reference", reference);
  const std::int64_t trim = trimmed_of(runs);
  const double n = size_of(reference), n1 = n - 2.0 * static_cast<double>(trim), n2 = static_cast<double>(runs) - 2.0;
  ReferenceCheck out{.reference_mean = trimmed_mean(reference, trim)};
  out.reference_sd = std::sqrt(*sample_variance(reference) * (n - 1.0) / n);
  const double t = student_quantile(0.95, n1 + n2 - 2.0);
  const double least = out.reference_mean - t * out.reference_sd * std::sqrt(1.0 / n1 + 1.0 / n2);
  out.lowest_mean = out.reference_sd == 0.0 ? out.reference_mean : std::max(0.0, least);
  out.max_speedup =
      out.lowest_mean > 0.0 ? out.reference_mean / out.lowest_mean : std::numeric_limits<double>::infinity();
  return out;
}

ReferenceCheck reference_convergence(std::span<const double> reference, std::span<const double> submission) {
  ReferenceCheck out = reference_limits(reference, std::ssize(submission));
  require_times("submission", submission);
  out.mean = trimmed_mean(submission, trimmed_of(std::ssize(submission)));
  out.passes = out.mean >= out.lowest_mean;
  if (out.passes && out.mean < out.reference_mean) out.factor = out.reference_mean / out.mean;
  return out;
}

}  // namespace retrial::variance::inline history
