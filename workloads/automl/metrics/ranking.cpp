#include <algorithm>
#include <numeric>

#include "variance/samples/summary.hpp"
#include "workloads/automl/metrics/kinds.hpp"

namespace retrial::automl::inline metrics {
namespace {

/// A score of a row, and whether the row is positive.
struct Scored {
  double score;
  bool positive;
};

/// Twice the number of pairs (positive, negative) that the scores order right, a tie counting one. A whole number.
struct Pairs {
  std::uint64_t twice_right = 0, positives = 0, negatives = 0;
};

Pairs pairs_of(std::vector<Scored> rows) {
  std::sort(rows.begin(), rows.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
  Pairs pairs;
  for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
    std::uint64_t positives = 0;
    for (; last < rows.size() && rows[last].score == rows[first].score; ++last)
      positives += rows[last].positive ? 1 : 0;
    const std::uint64_t negatives = last - first - positives;
    pairs.twice_right += positives * (2 * pairs.negatives + negatives);
    pairs.positives += positives;
    pairs.negatives += negatives;
  }
  return pairs;
}

std::optional<double> area_of(const Pairs& pairs) {
  if (pairs.positives == 0 || pairs.negatives == 0) return {};
  return static_cast<double>(pairs.twice_right) /
         (2.0 * static_cast<double>(pairs.positives) * static_cast<double>(pairs.negatives));
}

std::vector<Scored> of_class(const Answers& answers, std::size_t positive) {
  std::vector<Scored> rows;
  for (std::size_t row = 0; row < answers.rows(); ++row)
    rows.push_back({answers.given[row * answers.classes + positive], answers.label(row) == positive});
  return rows;
}

/// AUC of the score of class i on the rows of i and j.
std::optional<double> between(const Answers& answers, std::size_t i, std::size_t j) {
  std::vector<Scored> rows;
  for (std::size_t row = 0; row < answers.rows(); ++row)
    if (answers.label(row) == i || answers.label(row) == j)
      rows.push_back({answers.given[row * answers.classes + i], answers.label(row) == i});
  return area_of(pairs_of(std::move(rows)));
}

std::vector<double> supports(const Answers& answers) {
  std::vector<double> counts(answers.classes);
  for (std::size_t row = 0; row < answers.rows(); ++row) ++counts[answers.label(row)];
  return counts;
}

/// Weighted mean of values in index order; nothing if one is missing.
class WeightedMean {
 public:
  void add(std::optional<double> value, double weight) {
    missing_ = missing_ || !value;
    if (!value) return;
    sum_.add(weight * *value);
    weights_.add(weight);
  }
  [[nodiscard]] std::optional<double> value() const {
    if (missing_ || !(weights_.value() > 0)) return {};
    return sum_.value() / weights_.value();
  }

 private:
  variance::Neumaier sum_, weights_;
  bool missing_ = false;
};

std::optional<double> against_the_rest(const Answers& answers, bool weighted) {
  const auto counts = supports(answers);
  WeightedMean mean;
  for (std::size_t k = 0; k < answers.classes; ++k)
    mean.add(area_of(pairs_of(of_class(answers, k))), weighted ? counts[k] : 1.0);
  return mean.value();
}

std::optional<double> against_each(const Answers& answers, bool weighted) {
  const auto counts = supports(answers);
  WeightedMean mean;
  for (std::size_t i = 0; i < answers.classes; ++i)
    for (std::size_t j = i + 1; j < answers.classes; ++j) {
      const auto forward = between(answers, i, j), back = between(answers, j, i);
      mean.add(forward && back ? std::optional((*forward + *back) / 2.0) : std::nullopt,
               weighted ? counts[i] + counts[j] : 1.0);
    }
  return mean.value();
}

}  // namespace

std::optional<double> auc(const Answers& answers) {
  std::vector<Scored> rows;
  for (std::size_t row = 0; row < answers.rows(); ++row) rows.push_back({answers.given[row], answers.label(row) == 1});
  return area_of(pairs_of(std::move(rows)));
}

std::optional<double> auc_one_vs_rest(const Answers& answers) {
  return against_the_rest(answers, false);
}
std::optional<double> auc_one_vs_rest_weighted(const Answers& answers) {
  return against_the_rest(answers, true);
}
std::optional<double> auc_one_vs_one(const Answers& answers) {
  return against_each(answers, false);
}
std::optional<double> auc_one_vs_one_weighted(const Answers& answers) {
  return against_each(answers, true);
}

std::optional<double> average_precision(const Answers& answers) {
  std::vector<std::size_t> order(answers.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return answers.given[a] > answers.given[b]; });
  double positives = 0;
  for (std::size_t row = 0; row < answers.rows(); ++row) positives += answers.label(row) == 1 ? 1 : 0;
  if (positives == 0) return {};
  variance::Neumaier sum;
  double found = 0, before = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    found += answers.label(order[place]) == 1 ? 1 : 0;
    const bool last = place + 1 == order.size() || answers.given[order[place + 1]] != answers.given[order[place]];
    if (!last) continue;
    sum.add((found - before) / positives * (found / static_cast<double>(place + 1)));
    before = found;
  }
  return sum.value();
}

}  // namespace retrial::automl::inline metrics
