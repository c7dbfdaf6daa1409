#include "workloads/automl/keys.hpp"

#include <algorithm>
#include <limits>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/datasets/load.hpp"
#include "workloads/data/sets/tables.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::automl {
namespace {

using workloads::Parameter, workloads::Range, workloads::Reads, workloads::Variant;
using KeyProblems = std::vector<workloads::Problem>;
using Choices = std::vector<std::string>;

constexpr double infinite = std::numeric_limits<double>::infinity(), any_count = 1e15;
constexpr const char* default_problem = "function:hartmann6/6";

std::string kind_of(const Values& values) {
  const std::string& problem = text_in(values, "problem");
  return problem.substr(0, problem.find(':'));
}

std::string name_in(const Values& values) {
  const std::string& problem = text_in(values, "problem");
  const auto colon = problem.find(':');
  return colon == problem.npos ? "" : problem.substr(colon + 1);
}

struct FunctionName {
  const TestFunction* function = nullptr;
  std::int64_t dimensions = 0;
};

FunctionName function_in(const Values& values) {
  const std::string name = name_in(values);
  const auto slash = name.find('/');
  FunctionName out{.function = function_if_known(name.substr(0, slash))};
  if (slash != name.npos) out.dimensions = results::parse_int(name.substr(slash + 1)).value_or(0);
  if (out.function != nullptr && slash == name.npos) out.dimensions = out.function->dimensions;
  return out;
}

Choices searcher_names() {
  Choices names{"flaml", "flow2", "random", "halton", "sobol"};
  for (const char* reference : {"forest500", "xgb-default", "lgbm-default", "constant"}) names.emplace_back(reference);
  return names;
}

bool walks(const Values& values) {
  return text_in(values, "searcher") == "flaml" || text_in(values, "searcher") == "flow2";
}

bool draws_learners(const Values& values) {
  return text_in(values, "searcher") == "flaml";
}

std::vector<std::string> learners_in(const Values& values) {
  std::vector<std::string> out;
  for (const auto& name : workloads::split(text_in(values, "learners"), ',', " "))
    if (!name.empty()) out.push_back(name);
  return out;
}

std::string task_in(const Values& values) {
  if (kind_of(values) == "data") {
    const auto* known = data::find_known_table(name_in(values));
    return known == nullptr ? "" : known->task;
  }
  const std::string& task = text_in(values, "task");
  return task == "auto" ? "" : task;
}

bool draws_nothing(const Values& values) {
  const std::string& searcher = text_in(values, "searcher");
  return is_function(values) && (searcher == "halton" || searcher == "sobol");
}

void check_problem(const Values& values, KeyProblems& problems) {
  const std::string kind = kind_of(values);
  if (kind == "function") {
    const FunctionName named = function_in(values);
    std::vector<std::string> names;
    for (const auto& function : test_functions()) names.push_back(function.name);
    if (named.function == nullptr) {
      const auto near = results::nearest(name_in(values).substr(0, name_in(values).find('/')), names);
      problems.push_back({"problem",
                          "unknown test function" + (near ? " (did you mean " + *near + "?)" : std::string()),
                          "function:NAME/DIMENSIONS, NAME one of " + results::joined(names)});
    } else if (named.function->dimensions > 0 && named.dimensions != named.function->dimensions) {
      problems.push_back({"problem", "another number of dimensions than the function has",
                          "function:" + named.function->name + "/" + std::to_string(named.function->dimensions)});
    } else if (named.dimensions < 1 || named.dimensions > 50) {
      problems.push_back({"problem", "no number of dimensions", "function:" + named.function->name + "/1 to /50"});
    }
  } else if (kind == "data") {
    std::vector<std::string> names;
    for (const auto& table : data::known_tables()) names.push_back(table.name);
    if (data::find_known_table(name_in(values)) == nullptr) {
      const auto near = results::nearest(name_in(values), names);
      problems.push_back({"problem",
                          "unknown data set" + (near ? " (did you mean data:" + *near + "?)" : std::string()),
                          "data: and one of " + results::joined(names) + "; or table"});
    }
  } else if (text_in(values, "problem") == "table") {
    if (text_in(values, "table").empty()) problems.push_back({"table", "not set", "a CSV file, with problem = table"});
  } else {
    problems.push_back({"problem", "unknown kind of problem", "function:NAME/DIMENSIONS, data:NAME, table"});
  }
}

void check_metric(const Values& values, KeyProblems& problems) {
  const std::string& name = text_in(values, "metric");
  if (name.empty() || is_function(values)) return;
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics()) names.push_back(metric.name);
  const Metric* metric = metric_if_known(name);
  const std::string task = task_in(values);
  const auto tasks = {Task::binary, Task::multiclass, Task::regression};
  const auto* found = std::ranges::find(tasks, task, [](Task one) { return name_of(one); });
  if (metric == nullptr) {
    const auto near = results::nearest(name, names);
    problems.push_back({"metric", "unknown metric" + (near ? " (did you mean " + *near + "?)" : std::string()),
                        results::joined(names)});
  } else if (found != tasks.end() && !metric->valid_for(*found)) {
    problems.push_back({"metric", "not a metric of the task " + task, results::joined(metrics_for(*found))});
  }
}

void check_learners(const Values& values, KeyProblems& problems) {
  if (is_function(values)) return;
  std::vector<std::string> names;
  for (const Learner& learner : all_learners()) names.push_back(learner.name);
  auto given = learners_in(values);
  for (const std::string& name : given)
    if (learner_if_known(name) == nullptr) {
      const auto near = results::nearest(name, names);
      problems.push_back({"learners",
                          "unknown learner " + name + (near ? " (did you mean " + *near + "?)" : std::string()),
                          results::joined(names)});
    }
  std::ranges::sort(given);
  if (std::ranges::adjacent_find(given) != given.end())
    problems.push_back({"learners", "a learner is named twice", "each learner once"});
}

void check_budget(const Values& values, KeyProblems& problems) {
  if (is_reference(values)) {
    if (is_function(values))
      problems.push_back(
          {"searcher", "trains a learner, and a test function has none", "flaml, flow2, random, halton, sobol"});
    return;
  }
  if (integer_in(values, "budget_cost") == 0 && integer_in(values, "budget_evaluations") == 0)
    problems.push_back({"budget_evaluations", "budget_cost is 0, too, so the search would never end",
                        "a number above 0 in one of the two"});
  if (integer_in(values, "outer_fold") >= integer_in(values, "outer_folds"))
    problems.push_back({"outer_fold", "no such fold", "0 to " + std::to_string(integer_in(values, "outer_folds") - 1)});
}

Values preset(std::initializer_list<std::pair<const std::string, Value>> pairs) {
  return Values(pairs);
}

std::string word(const char* text) {
  return text;
}

}  // namespace

bool is_function(const Values& values) {
  return kind_of(values) == "function";
}

bool is_reference(const Values& values) {
  return reference_if_known(text_in(values, "searcher")) != nullptr;
}

std::vector<Parameter> parameters() {
  const auto whole = [](std::int64_t value) { return value; };
  return {
      {"problem", word(default_problem), "function:NAME/DIMENSIONS, data:NAME (retrial data), or table", {}},
      {"data_dir", word(""), "folder of the data sets, and of the table", {}, Reads::place},
      {"table", word(""), "problem = table: a CSV file in that folder", {}},
      {"target", word(""), "problem = table: name or number of the column to predict; empty: the last one", {}},
      {"task", word("auto"), "problem = table: what kind of target it is",
       Choices{"auto", "binary", "multiclass", "regression"}},
      {"header", word("auto"), "problem = table: whether the first line has the names",
       Choices{"auto", "none", "names"}},
      {"categorical", word(""), "problem = table: columns of categories that are written as numbers", {}},
      {"searcher", word("flaml"), "how the next evaluation is chosen; the last four train one configuration",
       searcher_names()},
      {"learners", word(""), "learners to search over; empty: those of the task (retrial list automl)", {}},
      {"metric", word(""), "metric to optimize; empty: that of the task (auc, logloss, r2)", {}},
      {"budget_cost", whole(0), "cost units of a search, about a microsecond each; 0: no limit", Range{0, any_count}},
      {"budget_evaluations", whole(100), "evaluations of a search; 0: no limit", Range{0, 1e7}},
      {"cost_per_hour", whole(3'600'000'000), "cost units of an hour, for rules that are stated in hours",
       Range{1, any_count}},
      {"strict_budget", false, "the last evaluation may not exceed budget_cost either", {}},
      {"eci_rule", word("paper"), "estimated cost for improvement of a learner",
       Choices{"paper", "v01", "v26", "mlnet"}},
      {"gap_factor", 2.0, "eci_rule = paper: factor of the cost of catching up", Range{0, infinite, true, true}},
      {"flow2_rule", word("adaptive"), "step sizes of the walk", Choices{"paper", "adaptive"}},
      {"growth", 1.3, "flow2_rule = adaptive: factor of the step after a better point", Range{1, 4, true, false}},
      {"shrink", 0.6, "flow2_rule = adaptive: factor of the step after misses", Range{0, 1, true, true}},
      {"shrink_after", whole(2), "flow2_rule = adaptive: misses", Range{1, 512}},
      {"wait_cap", whole(0), "flow2_rule = paper: misses before the step shrinks, at most; 0: 2^(d-1), at most 512",
       Range{0, 512}},
      {"start", word("best"), "where walks start", Choices{"best", "low_cost"}},
      {"dead_region", whole(4),
       "evaluations per dimension without a better point, after which a walk starts elsewhere; 0: no limit",
       Range{0, 1000}},
      {"sampling", word("paper"), "start with some of the rows", Choices{"paper", "off"}},
      {"sample_factor", 2.0, "sampling = paper: growth of the number of rows", Range{2, 16}},
      {"min_sample", whole(10'000), "sampling = paper: rows to start with", Range{1, any_count}},
      {"resampling", word("auto"), "how a configuration is validated", Choices{"auto", "cv", "holdout"}},
      {"folds", whole(5), "folds of the cross-validation", Range{2, 1000}},
      {"holdout_ratio", 0.1, "share of the rows that are held out", Range{0, 0.5, true, false}},
      {"inner_split", word("fixed"), "whether every evaluation has the same folds", Choices{"fixed", "reshuffle"}},
      {"portfolio", true, "searcher = flaml: train known configurations first", {}},
      {"portfolio_fraction", 0.25, "share of the budget for them", Range{0, 1}},
      {"virtual_workers", whole(1), "evaluations under way at a time, in virtual time", Range{1, 1024}},
      {"learner_threads", whole(1), "threads of a training", Range{1, 1024}, Reads::evaluation},
      {"real_threads", whole(1), "threads that train", Range{1, 1024}, Reads::evaluation},
      {"guard_bytes", whole(std::int64_t{4} << 30), "size of a model beyond which it is not trained",
       Range{1, any_count}},
      {"cache", true, "a configuration that comes again is not trained again", {}},
      {"outer_folds", whole(5), "folds of the table, one of which tests the result", Range{2, 1000}},
      {"outer_fold", whole(0), "the fold that tests", Range{0, 999}},
  };
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys{"problem", "searcher"};
  const auto add = [&](std::initializer_list<const char*> more) { keys.insert(keys.end(), more.begin(), more.end()); };
  const bool searches = !is_reference(values), costs = integer_in(values, "budget_cost") > 0;
  if (!is_function(values)) {
    add({"data_dir", "metric", "learner_threads", "guard_bytes", "outer_folds", "outer_fold"});
    if (text_in(values, "problem") == "table") add({"table", "target", "task", "header", "categorical"});
    if (searches) {
      add({"learners", "resampling", "inner_split"});
      if (text_in(values, "resampling") != "holdout") add({"folds"});
      if (text_in(values, "resampling") != "cv") add({"holdout_ratio"});
      if (text_in(values, "resampling") == "auto" && costs) add({"cost_per_hour"});
    }
  }
  if (!searches) return keys;
  add({"budget_cost", "budget_evaluations", "virtual_workers", "real_threads", "cache"});
  if (costs) add({"strict_budget"});
  if (draws_learners(values)) {
    add({"eci_rule"});
    if (text_in(values, "eci_rule") == "paper") add({"gap_factor"});
    if (!is_function(values)) {
      add({"portfolio", "start", "sampling"});
      if (flag_in(values, "portfolio")) add({"portfolio_fraction"});
      if (text_in(values, "sampling") == "paper") add({"sample_factor", "min_sample"});
    }
  }
  if (walks(values)) {
    add({"flow2_rule", "dead_region"});
    if (text_in(values, "flow2_rule") == "adaptive")
      add({"growth", "shrink", "shrink_after"});
    else
      add({"wait_cap"});
  }
  return keys;
}

std::vector<std::string> honours(const Values& values) {
  std::vector<std::string> names;
  if (!is_function(values)) {
    names = {"data-split", "data-order"};
    const auto given = learners_in(values);
    const bool linear = !is_reference(values) && !given.empty() &&
                        std::ranges::all_of(given, [](const auto& name) { return name.starts_with("lrl"); });
    if (!linear && text_in(values, "searcher") != "constant") names.emplace_back("init");
  }
  if (!is_reference(values) && !draws_nothing(values)) names.emplace_back("hopt");
  return names;
}

KeyProblems validate(const Values& values) {
  KeyProblems problems;
  check_problem(values, problems);
  if (!problems.empty()) return problems;
  check_metric(values, problems);
  check_learners(values, problems);
  check_budget(values, problems);
  return problems;
}

std::vector<Variant> variants() {
  return {{"random", "independent uniform points, learners with equal chances", preset({{"searcher", word("random")}})},
          {"flaml", "learners by their estimated cost for improvement, configurations by a walk",
           preset({{"searcher", word("flaml")}})},
          {"flaml-paper", "the same as in the paper",
           preset({{"searcher", word("flaml")},
                   {"gap_factor", 1.0},
                   {"flow2_rule", word("paper")},
                   {"dead_region", std::int64_t{0}},
                   {"portfolio", false},
                   {"start", word("low_cost")}})},
          {"flow2", "a walk for each learner, learners with equal chances", preset({{"searcher", word("flow2")}})},
          {"halton", "points that fill the space evenly, without a draw", preset({{"searcher", word("halton")}})},
          {"sobol", "the same by another sequence", preset({{"searcher", word("sobol")}})},
          {"forest500", "no search: a forest of 500 trees", preset({{"searcher", word("forest500")}})},
          {"xgb-default", "no search: XGBoost under its own defaults", preset({{"searcher", word("xgb-default")}})},
          {"lgbm-default", "no search: LightGBM under its own defaults", preset({{"searcher", word("lgbm-default")}})},
          {"constant", "no search, no learner: the shares of the classes, or the mean",
           preset({{"searcher", word("constant")}})}};
}

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
  const bool flaml = draws_learners(values);
  const auto whole = [&](const char* key) { return integer_in(values, key); };
  return {.budget = {.cost = whole("budget_cost"),
                     .evaluations = whole("budget_evaluations"),
                     .strict = flag_in(values, "strict_budget")},
          .workers = whole("virtual_workers"),
          .real_threads = whole("real_threads"),
          .by_cost = flaml,
          .rule = improvement_rule(text_in(values, "eci_rule")),
          .gap_factor = number_in(values, "gap_factor"),
          .sizes = {.on = flaml && text_in(values, "sampling") == "paper",
                    .least = whole("min_sample"),
                    .factor = number_in(values, "sample_factor")},
          .cache = flag_in(values, "cache"),
          .portfolio_share = number_in(values, "portfolio_fraction"),
          .start_from_best = text_in(values, "start") == "best"};
}

MakeSampler sampler_maker(const Values& values, std::uint64_t seed) {
  const std::string& searcher = text_in(values, "searcher");
  const Flow2Options options{.rule = text_in(values, "flow2_rule") == "paper" ? Flow2Rule::paper : Flow2Rule::adaptive,
                             .growth = number_in(values, "growth"),
                             .shrink = number_in(values, "shrink"),
                             .shrink_after = integer_in(values, "shrink_after"),
                             .wait_cap = integer_in(values, "wait_cap"),
                             .dead_region = integer_in(values, "dead_region")};
  return [searcher, options, seed](std::size_t learner, const Space& space) {
    const Draws draws{.seed = seed, .learner = learner};
    if (searcher == "random") return random_sampler(space, draws);
    if (searcher == "halton") return halton_sampler(space);
    if (searcher == "sobol") return sobol_sampler(space);
    return flow2_sampler(space, draws, options, space.cheapest());
  };
}

}  // namespace retrial::automl
