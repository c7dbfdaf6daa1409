#pragma once

#include <memory>

#include "workloads/automl/models/model.hpp"

namespace retrial::automl::inline linear {

enum class Penalty { l1, l2 };

struct LogisticSettings {
  Penalty penalty = Penalty::l2;
  double c = 1;  ///< weight of the losses against the penalty
  std::int64_t max_iterations = 1000;
};

/// Logistic regression on standardised columns; of several classes one set of weights each. l2: |w|^2 / 2 + C sum of
/// log-losses by L-BFGS; l1: |w|_1 + C sum by FISTA with a fixed step. The intercept has no penalty. Both stop when no
/// entry of the gradient (l1: of the gradient mapping) of the mean loss exceeds 1e-6. Double precision, one thread,
/// rows in order.
[[nodiscard]] std::unique_ptr<Model> fit_logistic(const Training& training, const LogisticSettings& settings);

}  // namespace retrial::automl::inline linear
