#pragma once

#include <optional>
#include <string>

#include "workloads/nn/shape/state.hpp"

namespace retrial::distillation::inline methods {

/// Test and validation accuracy over the epochs of one training, in percent: selects the reported epoch.
class Selection {
 public:
  void add(double test, std::optional<double> validation);

  [[nodiscard]] double last() const { return last_; }
  /// The largest test accuracy of any epoch, as reported by selection on the test set.
  [[nodiscard]] double best_test() const { return best_test_; }
  /// Nothing without validation rows. The first epoch with the largest validation accuracy counts.
  [[nodiscard]] std::optional<double> best_validation() const { return best_validation_; }
  [[nodiscard]] std::optional<double> test_at_best_validation() const { return test_at_best_validation_; }
  /// By the key `select`: last, best-val, best-test.
  [[nodiscard]] double reported(const std::string& select) const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  double last_ = 0, best_test_ = 0;
  std::optional<double> best_validation_, test_at_best_validation_;
};

}  // namespace retrial::distillation::inline methods
