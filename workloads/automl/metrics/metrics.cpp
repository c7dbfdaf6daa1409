#include "workloads/automl/metrics/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/automl/metrics/kinds.hpp"

namespace retrial::automl::inline metrics {
namespace {

constexpr double smallest_span = 1e-12;  // between the constant predictor and the tuned forest

}  // namespace

const std::string& name_of(Task task) {
  static const std::string names[] = {"binary", "multiclass", "regression"};
  return names[static_cast<std::size_t>(task)];
}

std::size_t Answers::guess(std::size_t row) const {
  if (task == Task::binary) return given[row] > 0.5 ? 1 : 0;
  const auto of_row = given.subspan(row * classes, classes);
  return static_cast<std::size_t>(std::max_element(of_row.begin(), of_row.end()) - of_row.begin());
}

bool Metric::valid_for(Task task) const {
  return std::find(tasks.begin(), tasks.end(), task) != tasks.end();
}

std::optional<double> Metric::loss(const Answers& answers) const {
  const bool defined = answers.rows() > 0 && std::none_of(answers.given.begin(), answers.given.end(),
                                                          [](double answer) { return std::isnan(answer); });
  const auto found = defined ? value(answers) : std::nullopt;
  if (!found) return {};
  return higher ? 1.0 - *found : *found;
}

const std::vector<Metric>& all_metrics() {
  // Not of the file: workloads register themselves before main, possibly before the lists of this file are made.
  static const std::vector<Task> binary_only{Task::binary}, multiclass_only{Task::multiclass},
      any_classes{Task::binary, Task::multiclass}, only_values{Task::regression};
  static const std::vector<Metric> table{
      {"auc", "area under the ROC curve; ties count half", binary_only, true, auc},
      {"logloss", "mean negative logarithm of the probability of the class, clipped to [2^-52, 1 - 2^-52]", any_classes,
       false, log_loss},
      {"accuracy", "share of rows whose class is answered", any_classes, true, accuracy},
      {"balanced_accuracy", "mean recall over the classes of the rows", any_classes, true, balanced_accuracy},
      {"ap", "average precision: sum of (R_k - R_k-1) P_k over thresholds, no interpolation", binary_only, true,
       average_precision},
      {"auc_ovr", "mean AUC of each class against the rest", multiclass_only, true, auc_one_vs_rest},
      {"auc_ovr_weighted", "the same, weighted by the rows of the class", multiclass_only, true,
       auc_one_vs_rest_weighted},
      {"auc_ovo", "mean AUC over pairs of classes (Hand and Till 2001)", multiclass_only, true, auc_one_vs_one},
      {"auc_ovo_weighted", "the same, weighted by the rows of the pair", multiclass_only, true,
       auc_one_vs_one_weighted},
      {"f1_macro", "mean F1 over the classes of the rows or answers", any_classes, true, f1_macro},
      {"f1_micro", "F1 of all decisions together", any_classes, true, f1_micro},
      {"f1_weighted", "F1 weighted by the rows of the class", any_classes, true, f1_weighted},
      {"mcc", "Matthews correlation coefficient; 0 where its denominator is 0", any_classes, true,
       matthews_correlation},
      {"kappa", "Cohen's kappa", any_classes, true, cohen_kappa},
      {"r2", "1 - squared error / squared deviation from the mean", only_values, true, r2},
      {"rmse", "root of the mean squared error", only_values, false, rmse},
      {"mae", "mean absolute error", only_values, false, mae},
      {"msle", "mean squared error of ln(1 + x); undefined from -1 down", only_values, false, msle},
      {"mape", "mean of |error| / max(|y|, 2^-52)", only_values, false, mape},
  };
  return table;
}

std::vector<std::string> metrics_for(Task task) {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics())
    if (metric.valid_for(task)) names.push_back(metric.name);
  return names;
}

const Metric* metric_if_known(const std::string& name) {
  const auto& table = all_metrics();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Metric& metric) { return metric.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Metric& default_metric(Task task) {
  static const std::string names[] = {"auc", "logloss", "r2"};
  return *metric_if_known(names[static_cast<std::size_t>(task)]);
}

std::optional<double> scaled_score(double value, double constant, double forest) {
  if (!(std::fabs(forest - constant) >= smallest_span)) return {};
  return (value - constant) / (forest - constant);
}

}  // namespace retrial::automl::inline metrics
