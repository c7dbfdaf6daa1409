#include <cmath>

#include "variance/samples/summary.hpp"
#include "workloads/automl/metrics/kinds.hpp"

namespace retrial::automl::inline metrics {
namespace {

template <typename Term>
double mean_of(const Answers& answers, Term&& term) {
  variance::Neumaier sum;
  for (std::size_t row = 0; row < answers.rows(); ++row) sum.add(term(answers.target[row], answers.given[row]));
  return sum.value() / static_cast<double>(answers.rows());
}

double squared(double x) {
  return x * x;
}

double mean_square(const Answers& answers) {
  return mean_of(answers, [](double y, double given) { return squared(y - given); });
}

}  // namespace

std::optional<double> r2(const Answers& answers) {
  const double mean = mean_of(answers, [](double y, double) { return y; });
  const double total = mean_of(answers, [&](double y, double) { return squared(y - mean); });
  const double rest = mean_square(answers);
  if (total == 0) return rest == 0 ? 1.0 : 0.0;
  return 1.0 - rest / total;
}

std::optional<double> rmse(const Answers& answers) {
  return std::sqrt(mean_square(answers));
}

std::optional<double> mae(const Answers& answers) {
  return mean_of(answers, [](double y, double given) { return std::fabs(y - given); });
}

std::optional<double> msle(const Answers& answers) {
  for (std::size_t row = 0; row < answers.rows(); ++row)
    if (!(answers.target[row] > -1 && answers.given[row] > -1)) return {};
  return mean_of(answers, [](double y, double given) { return squared(std::log1p(y) - std::log1p(given)); });
}

std::optional<double> mape(const Answers& answers) {
  return mean_of(answers,
                 [](double y, double given) { return std::fabs(y - given) / std::max(std::fabs(y), 0x1p-52); });
}

}  // namespace retrial::automl::inline metrics
