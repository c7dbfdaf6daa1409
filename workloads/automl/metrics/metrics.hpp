#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace retrial::automl::inline metrics {

enum class Task { binary, multiclass, regression };
/// "binary", "multiclass", "regression".
[[nodiscard]] const std::string& name_of(Task task);

/// What is known of some rows, and what a model answers for them. The target is a class number (from 0) or a value.
/// Answers stand row by row: the score of class 1 (binary), a probability for each class (multiclass), or a value
/// (regression).
struct Answers {
  Task task = Task::binary;
  std::size_t classes = 0;  ///< 0 for regression
  std::span<const double> target, given;

  [[nodiscard]] std::size_t rows() const { return target.size(); }
  [[nodiscard]] std::size_t label(std::size_t row) const { return static_cast<std::size_t>(target[row]); }
  /// The class of the largest answer; on a tie the lowest class. A binary score above 0.5 is class 1.
  [[nodiscard]] std::size_t guess(std::size_t row) const;
};

struct Metric {
  std::string name, meaning;
  std::vector<Task> tasks;
  bool higher = true;  ///< is better; its loss is 1 - value, else the value itself
  /// Nothing where it is undefined: one class only, NaN among the answers, no row, a value outside of its domain.
  std::optional<double> (*value)(const Answers&) = nullptr;

  [[nodiscard]] bool valid_for(Task task) const;
  [[nodiscard]] std::optional<double> loss(const Answers& answers) const;
};

/// In the order of the documentation.
[[nodiscard]] const std::vector<Metric>& all_metrics();
[[nodiscard]] std::vector<std::string> metrics_for(Task task);
/// auc, logloss or r2.
[[nodiscard]] const Metric& default_metric(Task task);
/// Null for a name that no metric has.
[[nodiscard]] const Metric* metric_if_known(const std::string& name);

/// (value - constant) / (forest - constant): 0 for the constant predictor, 1 for the tuned forest, up is better.
/// Nothing where the two are closer than 1e-12.
[[nodiscard]] std::optional<double> scaled_score(double value, double constant, double forest);

}  // namespace retrial::automl::inline metrics
