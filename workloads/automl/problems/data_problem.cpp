#include "workloads/automl/problems/data_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/automl/core/cost.hpp"
#include "workloads/automl/datasets/refusal.hpp"
#include "workloads/automl/learners/self_test.hpp"
#include "workloads/automl/streams/streams.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline problems {
namespace {

constexpr std::int64_t most_iterations = 1000;  // of logistic regression
constexpr std::int64_t rows_of_a_class = 10;    // of the smallest subsample that is of use

const Metric& metric_of(const std::string& name, const DataSet& data) {
  if (name.empty()) return default_metric(data.task);
  const Metric* metric = metric_if_known(name);
  const auto allowed = metrics_for(data.task);
  if (metric == nullptr || !metric->valid_for(data.task)) {
    const auto near = results::nearest(name, allowed);
    refuse_key("automl.data", "metric", name,
               metric == nullptr ? "unknown metric" : "not a metric of the task " + name_of(data.task),
               results::joined(allowed), near ? "did you mean " + *near + "?" : "");
  }
  const bool below = std::any_of(data.target.begin(), data.target.end(), [](double value) { return value <= -1; });
  if (name == "msle" && below)
    refuse_key("automl.data", "metric", name, "the target has values of -1 or less", "r2, rmse, mae, mape");
  return *metric;
}

Division outer_division(const DataSet& data, const DataSettings& settings, const DataSeeds& seeds) {
  const Rows rows = all_rows(data);
  const auto classes = classes_of(data, rows);
  if (settings.outer_fold >= settings.outer_folds)
    refuse_key("automl.data", "outer_fold", std::to_string(settings.outer_fold), "no such fold",
               "0 to " + std::to_string(settings.outer_folds - 1));
  require_rows(classes, settings.outer_folds, "outer_folds", data.classes);
  return divided(rows, stratified_folds(classes, settings.outer_folds, outer_keys(seeds.split)), settings.outer_fold);
}

/// One for a number, one more where values are unknown, one for each category, of which the last stands for those
/// beyond.
std::uint64_t most_dense_columns(const DataSet& data, std::size_t most_categories) {
  std::uint64_t columns = 0;
  for (std::uint32_t c = 0; c < data.columns(); ++c) {
    const std::size_t categories = std::min(data.features[c].categories.size(), most_categories);
    bool unknown = false;
    for (std::uint32_t row = 0; row < data.rows() && categories == 0; ++row)
      unknown = unknown || std::isnan(data.row(row)[c]);
    columns += categories > 0 ? categories : unknown ? 2 : 1;
  }
  return columns;
}

Resampling resampling_of(const DataSettings& settings, std::size_t rows, std::uint32_t columns) {
  switch (settings.resampling) {
    case ResamplingChoice::cross_validation:
      return Resampling::cross_validation;
    case ResamplingChoice::holdout:
      return Resampling::holdout;
    case ResamplingChoice::automatic:
      break;
  }
  return decide_resampling(rows, columns, settings.budget_hours.value_or(std::numeric_limits<double>::infinity()));
}

std::uint64_t thousandths(double share) {
  return static_cast<std::uint64_t>(std::nearbyint(1000 * share));
}

Outcome failed_outcome(const std::string& error, std::int64_t cost, const std::string& detail = "") {
  return {.loss = std::numeric_limits<double>::infinity(), .cost = cost, .error = error, .detail = detail};
}

/// A worker runs many trials with the same learners.
SelfTest tested_once(const Learner& learner, Task task, std::size_t threads) {
  static std::mutex guard;
  static std::map<std::tuple<std::string, Task, std::size_t>, SelfTest> known;
  const std::lock_guard lock(guard);
  const auto key = std::tuple(learner.name, task, threads);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, self_test(learner, task, threads)).first->second;
}

}  // namespace

DataProblem::DataProblem(std::shared_ptr<const DataSet> data, DataSettings settings, const DataSeeds& seeds)
    : data_(std::move(data)),
      settings_(std::move(settings)),
      seeds_(seeds),
      metric_(&metric_of(settings_.metric, *data_)),
      outer_(outer_division(*data_, settings_, seeds_)),
      resampling_(resampling_of(settings_, outer_.train.size(), data_->columns())),
      dense_columns_(most_dense_columns(*data_, std::numeric_limits<std::size_t>::max())),
      network_columns_(most_dense_columns(*data_, most_levels + 1)) {
  if (settings_.learners.empty()) settings_.learners = default_learners(data_->task);
  for (const std::string& name : settings_.learners) {
    const Learner* learner = &require_learner(name, data_->task);
    if (std::find(learners_.begin(), learners_.end(), learner) != learners_.end())
      refuse_key("automl.data", "learners", name, "named twice", "each learner once");
    learners_.push_back(learner);
    const auto given = settings_.cost_scales.find(name);
    scales_.push_back(given != settings_.cost_scales.end() ? given->second : *cost_scale_from(learner->cost_scale));
  }
  const bool cross = resampling_ == Resampling::cross_validation;
  const std::uint32_t folds = cross ? settings_.folds : holdout_folds(settings_.holdout_ratio);
  require_rows(classes_of(*data_, outer_.train), folds, cross ? "folds" : "holdout_ratio", data_->classes);
  fixed_ = parts_of(0);
}

std::vector<std::string> DataProblem::learners() const {
  return settings_.learners;
}

std::vector<Hyperparameter> DataProblem::space(std::size_t learner) const {
  return learners_[learner]->space(extent(outer_.train.size()));
}

std::int64_t DataProblem::full_fidelity() const {
  if (by_folds()) return static_cast<std::int64_t>(fixed_.size());
  if (resampling_ == Resampling::cross_validation) return static_cast<std::int64_t>(outer_.train.size());
  return static_cast<std::int64_t>(fixed_.front().train.size());
}

std::int64_t DataProblem::least_fidelity() const {
  if (by_folds()) return 1;
  const auto classes = static_cast<std::int64_t>(std::max<std::size_t>(2, data_->classes.size()));
  return std::min(full_fidelity(), rows_of_a_class * classes);
}

double DataProblem::complexity(const Evaluation& evaluation) const {
  return static_cast<double>(learners::complexity(
      learners_[evaluation.learner]->trees(evaluation.configuration, extent(outer_.train.size()))));
}

double DataProblem::starting_ratio(std::size_t learner) const {
  return learners_[learner]->starting_ratio;
}

bool DataProblem::cost_is_declared(std::size_t learner) const {
  return learners_[learner]->cost != CostRule::logistic;
}

std::vector<DataProblem::Part> DataProblem::parts_of(std::uint64_t number) const {
  const bool cross = resampling_ == Resampling::cross_validation;
  const std::uint32_t folds = cross ? settings_.folds : holdout_folds(settings_.holdout_ratio);
  const auto fold_of = stratified_folds(classes_of(*data_, outer_.train), folds, inner_keys(seeds_.split, number));
  std::vector<Part> parts;
  for (std::uint32_t fold = 0; fold < (cross ? folds : 1); ++fold) {
    Division division = divided(outer_.train, fold_of, fold);
    Part& part = parts.emplace_back();
    for (const std::uint32_t place : stratified_order(classes_of(*data_, division.train), order_keys(seeds_.order)))
      part.train.push_back(division.train[place]);
    part.validation = std::move(division.test);
  }
  return parts;
}

std::span<const DataProblem::Part> DataProblem::trained(const Evaluation& evaluation,
                                                        std::span<const Part> parts) const {
  if (!by_folds()) return parts;
  const auto from = static_cast<std::size_t>(evaluation.resumed_from),
             to = static_cast<std::size_t>(evaluation.fidelity);
  return parts.subspan(from, to - from);
}

std::span<const std::uint32_t> DataProblem::used(const Part& part, const Evaluation& evaluation) const {
  const std::span<const std::uint32_t> all(part.train);
  if (resampling_ == Resampling::cross_validation) return all;
  return all.first(std::min(all.size(), static_cast<std::size_t>(evaluation.fidelity)));
}

std::int64_t DataProblem::cost_of(const Evaluation& evaluation, std::size_t rows, std::int64_t iterations) const {
  const Learner& learner = *learners_[evaluation.learner];
  const Extent of_fit = extent(rows);
  if (learner.cost == CostRule::one) return 1;
  if (learner.cost == CostRule::logistic)
    return logistic_cost(static_cast<std::uint64_t>(iterations), rows, dense_columns_, of_fit.outputs(),
                         scales_[evaluation.learner]);
  if (learner.cost == CostRule::network) {
    const PerceptronSettings settings = perceptron_settings(evaluation.configuration);
    return network_cost({.epochs = static_cast<std::uint64_t>(settings.epochs),
                         .rows = rows,
                         .batch = static_cast<std::uint64_t>(settings.batch),
                         .layers = static_cast<std::uint64_t>(settings.layers),
                         .units = static_cast<std::uint64_t>(settings.units),
                         .weights = weights_of(settings, network_columns_, std::max<std::uint64_t>(1, of_fit.classes))},
                        scales_[evaluation.learner]);
  }
  const TreeCounts counts = learner.trees(evaluation.configuration, of_fit);
  const bool forest = learner.cost == CostRule::forest;
  const TreeWork work{.trees = counts.trees,
                      .outputs = forest ? std::max<std::uint64_t>(1, of_fit.classes) : of_fit.outputs(),
                      .rows = rows,
                      .rows_share = thousandths(counts.rows_share),
                      .columns = of_fit.columns,
                      .columns_share = thousandths(counts.columns_share),
                      .leaves = counts.leaves};
  const CostScale& scale = scales_[evaluation.learner];
  return forest ? forest_cost(work, scale) : tree_cost(work, scale);
}

std::uint64_t DataProblem::bytes_of_model(const Evaluation& evaluation) const {
  return model_bytes(learners_[evaluation.learner]->trees(evaluation.configuration, extent(outer_.train.size())));
}

std::int64_t DataProblem::declared_cost(const Evaluation& evaluation) const {
  if (bytes_of_model(evaluation) > settings_.guard_bytes) return 1;  // refused before it costs anything
  std::int64_t cost = 0;
  for (const Part& part : trained(evaluation, fixed_))
    cost += cost_of(evaluation, used(part, evaluation).size(), most_iterations);
  return cost;
}

FitSeeds DataProblem::fit_seeds(const Evaluation& evaluation) const {
  const std::uint64_t key =
      stream_key(seeds_.init, "learner_seed", evaluation.learner, 0, static_cast<std::uint64_t>(evaluation.id));
  return {
      .of_library = static_cast<std::uint32_t>(word(key, 0) >> 33), .init = seeds_.init, .learner = evaluation.learner};
}

Outcome DataProblem::evaluate(const Evaluation& evaluation) const {
  const Learner& learner = *learners_[evaluation.learner];
  if (const std::uint64_t bytes = bytes_of_model(evaluation); bytes > settings_.guard_bytes)
    return failed_outcome("over_memory", 1, "a model of " + std::to_string(bytes) + " bytes");
  Outcome outcome{.cost = 0};
  variance::Neumaier losses;
  const auto drawn = settings_.reshuffle ? parts_of(static_cast<std::uint64_t>(evaluation.id)) : std::vector<Part>{};
  const std::vector<Part>& parts = settings_.reshuffle ? drawn : fixed_;
  if (by_folds())
    for (const double known : evaluation.fold_losses) {
      outcome.fold_losses.push_back(known);
      losses.add(known);
    }
  try {
    for (const Part& part : trained(evaluation, parts)) {
      const auto rows = used(part, evaluation);
      const auto model =
          learner.fit({*data_, rows}, evaluation.configuration, fit_seeds(evaluation), settings_.learner_threads);
      outcome.cost += cost_of(evaluation, rows.size(), model->iterations());
      const auto answers = model->predict(*data_, part.validation, settings_.learner_threads);
      const auto truth = targets_of(*data_, part.validation);
      const auto loss = metric_->loss({data_->task, data_->classes.size(), truth, answers});
      if (!loss) {
        const bool nan = std::any_of(answers.begin(), answers.end(), [](double answer) { return std::isnan(answer); });
        return failed_outcome(nan ? "nan_loss" : "metric_undefined", declared_cost(evaluation));
      }
      outcome.fold_losses.push_back(*loss);
      losses.add(*loss);
    }
  } catch (const workloads::TrialFailure& failure) {
    return failed_outcome("learner_failed", declared_cost(evaluation), failure.what());
  } catch (const std::bad_alloc&) {
    return failed_outcome("learner_failed", declared_cost(evaluation), "out of memory");
  }
  outcome.loss = losses.value() / static_cast<double>(outcome.fold_losses.size());
  if (resampling_ == Resampling::holdout) outcome.fold_losses.clear();
  return outcome;
}

Refitted DataProblem::refitted(const Evaluation& evaluation) const {
  Rows rows;
  if (resampling_ == Resampling::holdout && !settings_.retrain_full)
    rows = fixed_.front().train;
  else
    for (const std::uint32_t place : stratified_order(classes_of(*data_, outer_.train), order_keys(seeds_.order)))
      rows.push_back(outer_.train[place]);
  Refitted found;
  found.model = learners_[evaluation.learner]->fit({*data_, rows}, evaluation.configuration, fit_seeds(evaluation),
                                                   settings_.learner_threads);
  found.predictions = found.model->predict(*data_, outer_.test, settings_.learner_threads);
  const auto truth = targets_of(*data_, outer_.test);
  const Answers answers{data_->task, data_->classes.size(), truth, found.predictions};
  if (metric_->loss(answers)) found.score = metric_->value(answers);
  return found;
}

std::map<std::string, std::string> DataProblem::cost_scales() const {
  std::map<std::string, std::string> out;
  for (std::size_t l = 0; l < learners_.size(); ++l)
    if (scales_[l] != CostScale{}) out[learners_[l]->name] = scales_[l].text();
  return out;
}

std::vector<std::string> DataProblem::differences_of_learners() const {
  std::vector<std::string> found;
  for (const Learner* learner : learners_)
    if (const SelfTest test = tested_once(*learner, data_->task, settings_.learner_threads); !test.bitwise)
      found.push_back(test.difference);
  return found;
}

Evaluation DataProblem::reference(const std::string& name) const {
  const Reference& known = *reference_if_known(name);
  const auto place = std::find_if(learners_.begin(), learners_.end(),
                                  [&](const Learner* learner) { return learner->name == known.learner; });
  return {.learner = static_cast<std::size_t>(place - learners_.begin()),
          .configuration = known.configuration(extent(outer_.train.size())),
          .fidelity = full_fidelity()};
}

}  // namespace retrial::automl::inline problems
