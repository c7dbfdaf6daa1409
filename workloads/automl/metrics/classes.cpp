#include <algorithm>
#include <cmath>

#include "variance/samples/summary.hpp"
#include "workloads/automl/metrics/kinds.hpp"

namespace retrial::automl::inline metrics {
namespace {

constexpr double epsilon = 0x1p-52;  // probabilities are clipped to [epsilon, 1 - epsilon]

/// Rows by class: how many have it, how many answers name it, how many do both. Whole numbers.
struct ClassCounts {
  std::vector<double> truth, answered, both;
  double rows = 0;

  explicit ClassCounts(const Answers& answers)
      : truth(answers.classes),
        answered(answers.classes),
        both(answers.classes),
        rows(static_cast<double>(answers.rows())) {
    for (std::size_t row = 0; row < answers.rows(); ++row) {
      const std::size_t label = answers.label(row), guess = answers.guess(row);
      ++truth[label];
      ++answered[guess];
      both[label] += label == guess ? 1 : 0;
    }
  }
  [[nodiscard]] double right() const {
    double sum = 0;
    for (const double count : both) sum += count;
    return sum;
  }
  [[nodiscard]] bool present(std::size_t k) const { return truth[k] + answered[k] > 0; }
  [[nodiscard]] double f1(std::size_t k) const { return 2.0 * both[k] / (truth[k] + answered[k]); }
};

/// -ln of the clipped probability of the row's class, the row's probabilities divided by their sum.
double surprise(const Answers& answers, std::size_t row) {
  const auto clipped = [](double p) { return std::clamp(p, epsilon, 1.0 - epsilon); };
  if (answers.task == Task::binary) {
    const double p = clipped(answers.given[row]);
    return -std::log(answers.label(row) == 1 ? p : 1.0 - p);
  }
  variance::Neumaier sum;
  for (std::size_t k = 0; k < answers.classes; ++k) sum.add(clipped(answers.given[row * answers.classes + k]));
  return -std::log(clipped(answers.given[row * answers.classes + answers.label(row)]) / sum.value());
}

}  // namespace

std::optional<double> log_loss(const Answers& answers) {
  variance::Neumaier sum;
  for (std::size_t row = 0; row < answers.rows(); ++row) sum.add(surprise(answers, row));
  return sum.value() / static_cast<double>(answers.rows());
}

std::optional<double> accuracy(const Answers& answers) {
  const ClassCounts counts(answers);
  return counts.right() / counts.rows;
}

std::optional<double> balanced_accuracy(const Answers& answers) {
  const ClassCounts counts(answers);
  variance::Neumaier sum;
  double present = 0;
  for (std::size_t k = 0; k < answers.classes; ++k) {
    if (counts.truth[k] == 0) continue;
    sum.add(counts.both[k] / counts.truth[k]);
    ++present;
  }
  return sum.value() / present;
}

std::optional<double> f1_macro(const Answers& answers) {
  const ClassCounts counts(answers);
  variance::Neumaier sum;
  double present = 0;
  for (std::size_t k = 0; k < answers.classes; ++k) {
    if (!counts.present(k)) continue;
    sum.add(counts.f1(k));
    ++present;
  }
  return sum.value() / present;
}

std::optional<double> f1_micro(const Answers& answers) {
  return accuracy(answers);
}

std::optional<double> f1_weighted(const Answers& answers) {
  const ClassCounts counts(answers);
  variance::Neumaier sum;
  for (std::size_t k = 0; k < answers.classes; ++k)
    if (counts.truth[k] > 0) sum.add(counts.truth[k] * counts.f1(k));
  return sum.value() / counts.rows;
}

std::optional<double> matthews_correlation(const Answers& answers) {
  const ClassCounts counts(answers);
  double cross = 0, truth = 0, answered = 0;  // exact below 2^53
  for (std::size_t k = 0; k < answers.classes; ++k) {
    cross += counts.truth[k] * counts.answered[k];
    truth += counts.truth[k] * counts.truth[k];
    answered += counts.answered[k] * counts.answered[k];
  }
  const double all = counts.rows * counts.rows, product = (all - truth) * (all - answered);
  if (product == 0) return 0.0;
  return (counts.right() * counts.rows - cross) / std::sqrt(product);
}

std::optional<double> cohen_kappa(const Answers& answers) {
  const ClassCounts counts(answers);
  double cross = 0;
  for (std::size_t k = 0; k < answers.classes; ++k) cross += counts.truth[k] * counts.answered[k];
  const double all = counts.rows * counts.rows;
  if (all == cross) return {};
  return (counts.right() * counts.rows - cross) / (all - cross);
}

}  // namespace retrial::automl::inline metrics
