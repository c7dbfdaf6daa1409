#include <map>
#include <mutex>

#include "workloads/automl/datasets/load.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/problems/surrogate.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::automl {

namespace {

using results::Axis, results::Direction, results::MetricDef, results::Nature, results::Scale;

constexpr Task all_tasks[] = {Task::binary, Task::multiclass, Task::regression};

MetricDef test_def(const std::string& name, Direction direction) {
  return {name, "", direction, Nature::outcome, Scale::absolute, Axis::none};
}
MetricDef def_of(const Metric& metric) {
  return test_def("test_" + metric.name, metric.higher ? Direction::higher : Direction::lower);
}

std::filesystem::path folder_of(const Values& values, const std::filesystem::path& otherwise) {
  const std::string& named = text_in(values, "data_dir");
  return named.empty() ? otherwise : std::filesystem::path(named);
}

DataSet read_data(const Values& values, const std::filesystem::path& folder) {
  if (kind_of(values) == "data") return load_known_set(name_in(values), folder);
  return load_table_file(folder / text_in(values, "table"), {.target = text_in(values, "target"),
                                                             .task = text_in(values, "task"),
                                                             .header = text_in(values, "header"),
                                                             .categorical = text_in(values, "categorical")});
}

/// What a table is read from, and how; a file that was written again is another one.
std::string reading_of(const Values& values, const std::filesystem::path& folder) {
  std::string out = folder.string();
  for (const char* key : {"problem", "table", "target", "task", "header", "categorical"})
    out += '\0' + text_in(values, key);
  std::error_code error;
  const auto file =
      folder / (kind_of(values) == "data" ? data::find_known_table(name_in(values))->file : text_in(values, "table"));
  const auto size = std::filesystem::file_size(file, error);
  const auto written = std::filesystem::last_write_time(file, error);
  return error ? out : out + '\0' + std::to_string(size) + '\0' + std::to_string(written.time_since_epoch().count());
}

}  // namespace

std::shared_ptr<const DataSet> data_of(const Values& values, const std::filesystem::path& otherwise) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::shared_ptr<const DataSet>> read;
  const auto folder = folder_of(values, otherwise);
  const auto key = reading_of(values, folder);
  const std::scoped_lock lock(one_at_a_time);
  const auto known = read.find(key);
  if (known != read.end()) return known->second;
  auto data = std::make_shared<const DataSet>(read_data(values, folder));
  read[key] = data;
  return data;
}

namespace {

/// A worker has the folder in another place, and a stored study may have outlived its file.
std::optional<Task> task_of_file(const Values& values) try {
  return data_of(values, {})->task;
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace

std::vector<results::MetricDef> test_metrics(const Values& values) {
  if (is_function(values)) return {test_def("regret", Direction::lower)};
  std::string name = text_in(values, "metric");
  const std::string task = task_in(values);
  for (const Task one : all_tasks)
    if (name.empty() && name_of(one) == task) name = default_metric(one).name;
  if (const Metric* metric = metric_if_known(name)) return {def_of(*metric)};
  std::vector<results::MetricDef> out;
  if (const auto found = task_of_file(values)) out.push_back(def_of(default_metric(*found)));
  out.push_back(test_def("test_loss", Direction::lower));
  for (const Task one : all_tasks)
    if (auto other = def_of(default_metric(one)); out.front().name != other.name) out.push_back(std::move(other));
  return out;
}

DataSettings data_settings(const Values& values) {
  const std::string& resampling = text_in(values, "resampling");
  const auto whole = [&](const char* key) { return integer_in(values, key); };
  DataSettings out{
      .learners = learners_in(values),
      .metric = text_in(values, "metric"),
      .outer_folds = static_cast<std::uint32_t>(whole("outer_folds")),
      .outer_fold = static_cast<std::uint32_t>(whole("outer_fold")),
      .resampling = resampling == "cv"        ? ResamplingChoice::cross_validation
                    : resampling == "holdout" ? ResamplingChoice::holdout
                                              : ResamplingChoice::automatic,
      .folds = static_cast<std::uint32_t>(whole("folds")),
      .holdout_ratio = number_in(values, "holdout_ratio"),
      .retrain_full = flag_in(values, "retrain_full"),
      .reshuffle = text_in(values, "inner_split") == "reshuffle",
      .partial = halves(values),
      .guard_bytes = static_cast<std::uint64_t>(whole("guard_bytes")),
      .learner_threads = static_cast<std::size_t>(whole("learner_threads")),
      .cost_scales = cost_scales_from(text_in(values, "cost_scales")).value_or(std::map<std::string, CostScale>{})};
  if (whole("budget_cost") > 0)
    out.budget_hours = static_cast<double>(whole("budget_cost")) / static_cast<double>(whole("cost_per_hour"));
  if (is_reference(values)) {
    if (is_zero_shot(values))
      out.learners = {};  // those that there are
    else
      out.learners = {reference_if_known(text_in(values, "searcher"))->learner};
    out.resampling = ResamplingChoice::holdout;
    out.retrain_full = true;
  }
  return out;
}

std::unique_ptr<BenchmarkProblem> function_problem(const Values& values, const std::filesystem::path& otherwise) {
  if (kind_of(values) == "lcbench")
    return std::make_unique<SurrogateProblem>(*lcbench_if_known(name_in(values)),
                                              LcbenchNetwork::in(folder_of(values, otherwise)));
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
