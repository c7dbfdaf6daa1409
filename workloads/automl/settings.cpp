#include "workloads/automl/datasets/load.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"

namespace retrial::automl {

results::MetricDef test_metric(const Values& values) {
  using results::Axis, results::Direction, results::Nature, results::Scale;
  if (is_function(values)) return {"regret", "", Direction::lower, Nature::outcome, Scale::absolute, Axis::none};
  std::string name = text_in(values, "metric");
  const std::string task = task_in(values);
  for (const Task one : {Task::binary, Task::multiclass, Task::regression})
    if (name.empty() && name_of(one) == task) name = default_metric(one).name;
  const Metric* metric = metric_if_known(name);
  if (metric == nullptr) return {"test_loss", "", Direction::lower, Nature::outcome, Scale::absolute, Axis::none};
  return {"test_" + name,  "",        metric->higher ? Direction::higher : Direction::lower, Nature::outcome,
          Scale::absolute, Axis::none};
}

std::shared_ptr<const DataSet> data_of(const Values& values, const std::filesystem::path& otherwise) {
  const std::string& named = text_in(values, "data_dir");
  const std::filesystem::path folder = named.empty() ? otherwise : std::filesystem::path(named);
  if (kind_of(values) == "data") return std::make_shared<const DataSet>(load_known_set(name_in(values), folder));
  return std::make_shared<const DataSet>(
      load_table_file(folder / text_in(values, "table"), {.target = text_in(values, "target"),
                                                          .task = text_in(values, "task"),
                                                          .header = text_in(values, "header"),
                                                          .categorical = text_in(values, "categorical")}));
}

DataSettings data_settings(const Values& values) {
  const std::string& resampling = text_in(values, "resampling");
  const auto whole = [&](const char* key) { return integer_in(values, key); };
  DataSettings out{.learners = learners_in(values),
                   .metric = text_in(values, "metric"),
                   .outer_folds = static_cast<std::uint32_t>(whole("outer_folds")),
                   .outer_fold = static_cast<std::uint32_t>(whole("outer_fold")),
                   .resampling = resampling == "cv"        ? ResamplingChoice::cross_validation
                                 : resampling == "holdout" ? ResamplingChoice::holdout
                                                           : ResamplingChoice::automatic,
                   .folds = static_cast<std::uint32_t>(whole("folds")),
                   .holdout_ratio = number_in(values, "holdout_ratio"),
                   .reshuffle = text_in(values, "inner_split") == "reshuffle",
                   .partial = halves(values),
                   .guard_bytes = static_cast<std::uint64_t>(whole("guard_bytes")),
                   .learner_threads = static_cast<std::size_t>(whole("learner_threads"))};
  if (whole("budget_cost") > 0)
    out.budget_hours = static_cast<double>(whole("budget_cost")) / static_cast<double>(whole("cost_per_hour"));
  if (is_reference(values)) {
    out.learners = {reference_if_known(text_in(values, "searcher"))->learner};
    out.resampling = ResamplingChoice::holdout;
  }
  return out;
}

std::unique_ptr<FunctionProblem> function_problem(const Values& values) {
  const FunctionName named = function_in(values);
  return std::make_unique<FunctionProblem>(*named.function, static_cast<int>(named.dimensions));
}

SearchOptions search_options(const Values& values) {
  const bool flaml = text_in(values, "searcher") == "flaml";
  const std::string& sampling = text_in(values, "sampling");
  const auto whole = [&](const char* key) { return integer_in(values, key); };
  return {.budget = {.cost = whole("budget_cost"),
                     .evaluations = whole("budget_evaluations"),
                     .strict = flag_in(values, "strict_budget")},
          .workers = whole("virtual_workers"),
          .real_threads = whole("real_threads"),
          .by_cost = chooses_by_cost(values),
          .rule = improvement_rule(text_in(values, "eci_rule")),
          .gap_factor = number_in(values, "gap_factor"),
          .sizes = {.on = flaml && sampling != "off",
                    .rule = sampling == "v01"   ? SampleRule::v01
                            : sampling == "v26" ? SampleRule::v26
                                                : SampleRule::paper,
                    .least = whole("min_sample"),
                    .factor = number_in(values, "sample_factor")},
          .cache = flag_in(values, "cache"),
          .portfolio_share = number_in(values, "portfolio_fraction"),
          .start_from_best = text_in(values, "start") == "best"};
}

}  // namespace retrial::automl
