#include "variance/samples/sample.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline samples {
namespace {

[[noreturn]] void refuse_value(const std::string& field, std::size_t i, double value) {
  throw InvalidInput(field + "[" + std::to_string(i) + "]", shortest(value),
                     std::isfinite(value)
                         ? "sizes up to " + shortest(largest_size) + "; give the scores in another unit"
                         : "finite numbers");
}

}  // namespace

Sample::Sample(std::vector<double> values, const std::string& field) : values_(std::move(values)) {
  if (values_.empty()) throw InvalidInput(field, "no scores", "at least one score");
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (!(std::fabs(values_[i]) <= largest_size)) refuse_value(field, i, values_[i]);
}

void require_sizes(const std::string& field, std::span<const double> scores, std::span<const double> more) {
  double largest = 0.0;
  for (const auto& part : {scores, more})
    for (const double value : part) {
      if (std::fabs(value) >= min_size) return;
      largest = std::max(largest, std::fabs(value));
    }
  if (largest > 0.0)
    throw InvalidInput(field, "none larger than " + shortest(largest),
                       "one of at least " + shortest(min_size) + "; give the scores in another unit");
}

Sample Sample::sorted() const {
  Sample result = *this;
  std::sort(result.values_.begin(), result.values_.end());
  return result;
}

Sample Sample::negated() const {
  Sample result = *this;
  for (double& value : result.values_) value = -value;
  return result;
}

void require_pairs(std::span<const double> candidate, std::span<const double> baseline) {
  if (candidate.size() == baseline.size()) return;
  throw InvalidInput("baseline", std::to_string(baseline.size()) + " scores",
                     "as many as the candidate's " + std::to_string(candidate.size()));
}

std::vector<double> differences_of(std::span<const double> candidate, std::span<const double> baseline) {
  require_pairs(candidate, baseline);
  std::vector<double> result(candidate.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = candidate[i] - baseline[i];
  return result;
}

}  // namespace retrial::variance::inline samples
