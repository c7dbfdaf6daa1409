#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/automl/models/parameters.hpp"

namespace retrial::automl::inline core {

/// One training that a search asks for.
struct Evaluation {
  std::int64_t id = 0;      ///< counted from 0 in the order of proposal
  std::size_t learner = 0;  ///< its place among the learners of the problem
  Chosen configuration = {};
  std::int64_t fidelity = 0;  ///< rows, folds or epochs
  /// It goes on from this fidelity of the same configuration, with the losses of the folds until there; 0: from
  /// nothing. A problem that trains no more than the rest charges the difference.
  std::int64_t resumed_from = 0;
  std::vector<double> fold_losses = {};
};

/// What came of it. An error has the loss infinity.
struct Outcome {
  double loss = 0;
  std::int64_t cost = 1;  ///< charged, at least 1: never more than was declared, never measured
  std::vector<double> fold_losses = {};
  std::string error = {};   ///< "", nan_loss, learner_failed, over_memory, metric_undefined
  std::string detail = {};  ///< in words, beside the record
};

/// What is searched: a function, or learners on a data set. A data set plugs in by giving a space and a cost for each
/// of its learners and by training in evaluate(); it draws from the source seeds that it was made with, never from a
/// state of its own, so that an evaluation is a function of itself.
class Problem {
 public:
  virtual ~Problem() = default;
  /// "binary", "regression", "function".
  [[nodiscard]] virtual std::string task() const = 0;
  [[nodiscard]] virtual std::vector<std::string> learners() const = 0;
  [[nodiscard]] virtual std::vector<Hyperparameter> space(std::size_t learner) const = 0;
  /// Rows of a training on all of them; 1 of a function.
  [[nodiscard]] virtual std::int64_t full_fidelity() const { return 1; }
  /// Whether fewer rows than that may be asked for.
  [[nodiscard]] virtual bool subsamples() const { return false; }
  /// Cost units, an upper bound; with cross-validation of all folds.
  [[nodiscard]] virtual std::int64_t declared_cost(const Evaluation& evaluation) const = 0;
  /// Whether the charge is what was declared, so that a delivery need not wait for those before it.
  [[nodiscard]] virtual bool cost_is_declared(std::size_t learner) const { return learner < learners().size(); }
  /// Cost of the first success relative to that of other learners; 1: no preference.
  [[nodiscard]] virtual double starting_ratio(std::size_t /*learner*/) const { return 1; }
  /// May be called from several threads at a time.
  [[nodiscard]] virtual Outcome evaluate(const Evaluation& evaluation) const = 0;
};

}  // namespace retrial::automl::inline core
