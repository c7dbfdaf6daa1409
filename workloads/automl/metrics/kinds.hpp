#pragma once

#include "workloads/automl/metrics/metrics.hpp"

/// The rows of the table of metrics. A score is NaN-free and there is at least one row where these are called.
namespace retrial::automl::inline metrics {

[[nodiscard]] std::optional<double> auc(const Answers& answers);
[[nodiscard]] std::optional<double> auc_one_vs_rest(const Answers& answers);
[[nodiscard]] std::optional<double> auc_one_vs_rest_weighted(const Answers& answers);
[[nodiscard]] std::optional<double> auc_one_vs_one(const Answers& answers);
[[nodiscard]] std::optional<double> auc_one_vs_one_weighted(const Answers& answers);
[[nodiscard]] std::optional<double> average_precision(const Answers& answers);

[[nodiscard]] std::optional<double> log_loss(const Answers& answers);
[[nodiscard]] std::optional<double> accuracy(const Answers& answers);
[[nodiscard]] std::optional<double> balanced_accuracy(const Answers& answers);
[[nodiscard]] std::optional<double> f1_macro(const Answers& answers);
[[nodiscard]] std::optional<double> f1_micro(const Answers& answers);
[[nodiscard]] std::optional<double> f1_weighted(const Answers& answers);
[[nodiscard]] std::optional<double> matthews_correlation(const Answers& answers);
[[nodiscard]] std::optional<double> cohen_kappa(const Answers& answers);

[[nodiscard]] std::optional<double> r2(const Answers& answers);
[[nodiscard]] std::optional<double> rmse(const Answers& answers);
[[nodiscard]] std::optional<double> mae(const Answers& answers);
[[nodiscard]] std::optional<double> msle(const Answers& answers);
[[nodiscard]] std::optional<double> mape(const Answers& answers);

}  // namespace retrial::automl::inline metrics
