#pragma once

#include <memory>
#include <optional>

#include "workloads/automl/core/cost_scale.hpp"
#include "workloads/automl/core/problem.hpp"
#include "workloads/automl/datasets/splits.hpp"
#include "workloads/automl/learners/learner.hpp"

namespace retrial::automl::inline problems {

/// The source seeds that a search on data reads.
struct DataSeeds {
  std::uint64_t split = 0, order = 0, init = 0;
};

enum class ResamplingChoice { automatic, cross_validation, holdout };

struct DataSettings {
  std::vector<std::string> learners = {};  ///< empty: those of the task
  std::string metric = "";                 ///< empty: that of the task
  std::uint32_t outer_folds = 5, outer_fold = 0;
  ResamplingChoice resampling = ResamplingChoice::automatic;
  std::uint32_t folds = 5;
  double holdout_ratio = 0.1;
  bool retrain_full = false;                ///< after a hold-out, too, the best configuration is trained on all rows
  bool reshuffle = false;                   ///< each evaluation draws its own inner splits
  bool partial = false;                     ///< evaluations may ask for some of the folds, or of the rows of a hold-out
  std::optional<double> budget_hours = {};  ///< cost units / cost_per_hour; nothing: evaluations alone are counted
  std::uint64_t guard_bytes = std::uint64_t{4} << 30;
  std::size_t learner_threads = 1;                    ///< changes no bit
  std::map<std::string, CostScale> cost_scales = {};  ///< in place of those of the learners
};

/// What a search leaves: a model and its answers on the outer test rows.
struct Refitted {
  std::unique_ptr<Model> model;
  std::vector<double> predictions;
  std::optional<double> score;  ///< the metric; nothing where it is undefined
};

/// Learners on a data set. An outer fold is kept for the test; all else happens in the rest, which trains and validates
/// by cross-validation or on a hold-out. The validation rows do not change with the fidelity.
class DataProblem final : public Problem {
 public:
  /// Throws Error naming the key where settings and data do not fit: usage, incomparable for an absent learner.
  DataProblem(std::shared_ptr<const DataSet> data, DataSettings settings, const DataSeeds& seeds);

  [[nodiscard]] std::string task() const override { return name_of(data_->task); }
  [[nodiscard]] std::vector<std::string> learners() const override;
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t learner) const override;
  [[nodiscard]] std::int64_t full_fidelity() const override;
  [[nodiscard]] std::int64_t least_fidelity() const override;
  [[nodiscard]] bool subsamples() const override { return resampling_ == Resampling::holdout; }
  [[nodiscard]] std::int64_t declared_cost(const Evaluation& evaluation) const override;
  [[nodiscard]] bool cost_is_declared(std::size_t learner) const override;
  [[nodiscard]] double starting_ratio(std::size_t learner) const override;
  [[nodiscard]] double complexity(const Evaluation& evaluation) const override;
  [[nodiscard]] Outcome evaluate(const Evaluation& evaluation) const override;

  /// Trains and answers the outer test rows: on all outer training rows; after a hold-out on its training part, unless
  /// `retrain_full` asks for all.
  [[nodiscard]] Refitted refitted(const Evaluation& evaluation) const;
  [[nodiscard]] const Metric& metric() const { return *metric_; }
  [[nodiscard]] const Division& outer() const { return outer_; }
  [[nodiscard]] Resampling resampling() const { return resampling_; }
  [[nodiscard]] const DataSet& data() const { return *data_; }
  /// What a library is seeded with in the training of this evaluation.
  [[nodiscard]] std::uint32_t learner_seed(std::int64_t evaluation) const {
    return fit_seeds({.id = evaluation}).of_library;
  }
  /// By learner, where it is not 1.
  [[nodiscard]] std::map<std::string, std::string> cost_scales() const;
  /// Those that fail the self-test for this number of threads, in words.
  [[nodiscard]] std::vector<std::string> differences_of_learners() const;
  /// The configuration of a reference under this problem; its learner must be one of `learners`.
  [[nodiscard]] Evaluation reference(const std::string& name) const;

 private:
  struct Part {
    Rows train, validation;  // train in its stratified order
  };
  [[nodiscard]] std::vector<Part> parts_of(std::uint64_t number) const;
  /// Fidelity is a number of folds.
  [[nodiscard]] bool by_folds() const { return settings_.partial && resampling_ == Resampling::cross_validation; }
  /// Those of an evaluation that are trained, of all parts.
  [[nodiscard]] std::span<const Part> trained(const Evaluation& evaluation, std::span<const Part> parts) const;
  [[nodiscard]] std::span<const std::uint32_t> used(const Part& part, const Evaluation& evaluation) const;
  [[nodiscard]] std::int64_t cost_of(const Evaluation& evaluation, std::size_t rows, std::int64_t iterations) const;
  [[nodiscard]] std::uint64_t bytes_of_model(const Evaluation& evaluation) const;
  [[nodiscard]] Extent extent(std::size_t rows) const { return extent_of(*data_, rows); }
  [[nodiscard]] FitSeeds fit_seeds(const Evaluation& evaluation) const;

  std::shared_ptr<const DataSet> data_;
  DataSettings settings_;
  DataSeeds seeds_;
  std::vector<const Learner*> learners_;
  std::vector<CostScale> scales_;  ///< of each of them
  const Metric* metric_ = nullptr;
  Division outer_;
  Resampling resampling_ = Resampling::holdout;
  std::vector<Part> fixed_;                                // split 0; the sizes of its parts are those of every split
  std::uint64_t dense_columns_ = 0, network_columns_ = 0;  // of linear models and of networks, at most
};

}  // namespace retrial::automl::inline problems
