#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/problems/surrogate.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::automl {
namespace {

using KeyProblems = std::vector<workloads::Problem>;

/// " (did you mean hartmann6?)", or nothing.
std::string near_text(const std::string& name, const std::vector<std::string>& names, const std::string& prefix = "") {
  const auto near = results::nearest(name, names);
  return near ? " (did you mean " + prefix + *near + "?)" : "";
}

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const Learner& learner : all_learners()) names.push_back(learner.name);
  return names;
}

void check_scales(const Values& values, KeyProblems& problems) {
  const auto scales = cost_scales_from(text_in(values, "cost_scales"));
  if (!scales) {
    problems.push_back(
        {"cost_scales", "not a list of factors", "LEARNER=P/Q, ... with whole numbers from 1 to 1000000"});
    return;
  }
  for (const auto& [name, scale] : *scales)
    if (learner_if_known(name) == nullptr)
      problems.push_back({"cost_scales", "unknown learner " + name + near_text(name, learner_names()),
                          results::joined(learner_names())});
}

void check_problem(const Values& values, KeyProblems& problems) {
  const std::string kind = kind_of(values);
  if (kind == "function") {
    const FunctionName named = function_in(values);
    std::vector<std::string> names;
    for (const auto& function : test_functions()) names.push_back(function.name);
    if (named.function == nullptr) {
      problems.push_back(
          {"problem", "unknown test function" + near_text(name_in(values).substr(0, name_in(values).find('/')), names),
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
      problems.push_back({"problem", "unknown data set" + near_text(name_in(values), names, "data:"),
                          "data: and one of " + results::joined(names) + "; or table"});
    }
  } else if (kind == "lcbench") {
    std::vector<std::string> names;
    for (const auto& instance : lcbench_instances()) names.push_back(instance.name);
    if (lcbench_if_known(name_in(values)) == nullptr)
      problems.push_back({"problem", "unknown task of LCBench" + near_text(name_in(values), names, "lcbench:"),
                          "lcbench: and one of " + results::joined(names)});
  } else if (kind == "costs") {
    if (learner_if_known(name_in(values)) == nullptr)
      problems.push_back({"problem", "unknown learner" + near_text(name_in(values), learner_names(), "costs:"),
                          "costs: and one of " + results::joined(learner_names())});
  } else if (text_in(values, "problem") == "table") {
    if (text_in(values, "table").empty())
      problems.push_back({"table", "not set", "a CSV or ARFF file, with problem = table"});
  } else {
    problems.push_back({"problem", "unknown kind of problem",
                        "function:NAME/DIMENSIONS, lcbench:TASK, data:NAME, table, costs:LEARNER"});
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
    problems.push_back({"metric", "unknown metric" + near_text(name, names), results::joined(names)});
  } else if (found != tasks.end() && !metric->valid_for(*found)) {
    problems.push_back({"metric", "not a metric of the task " + task, results::joined(metrics_for(*found))});
  }
}

void check_learners(const Values& values, KeyProblems& problems) {
  if (is_function(values)) return;
  const auto names = learner_names();
  auto given = learners_in(values);
  for (const std::string& name : given)
    if (learner_if_known(name) == nullptr) {
      problems.push_back({"learners", "unknown learner " + name + near_text(name, names), results::joined(names)});
    }
  std::ranges::sort(given);
  if (std::ranges::adjacent_find(given) != given.end())
    problems.push_back({"learners", "a learner is named twice", "each learner once"});
}

void check_budget(const Values& values, KeyProblems& problems) {
  if (is_reference(values)) {
    if (is_function(values))
      problems.push_back({"searcher", "trains a learner, and a test function has none",
                          "flaml, flow2, random, halton, sobol, tpe, cma"});
    if (is_zero_shot(values) && task_in(values) == "multiclass" && kind_of(values) == "data")
      problems.push_back({"searcher", "no other table with several classes is known", "another searcher"});
    return;
  }
  if (integer_in(values, "budget_cost") == 0 && integer_in(values, "budget_evaluations") == 0)
    problems.push_back({"budget_evaluations", "budget_cost is 0, too, so the search would never end",
                        "a number above 0 in one of the two"});
  if (integer_in(values, "outer_fold") >= integer_in(values, "outer_folds"))
    problems.push_back({"outer_fold", "no such fold", "0 to " + std::to_string(integer_in(values, "outer_folds") - 1)});
}

/// Halving needs evaluations that cost less than whole ones.
void check_fidelity(const Values& values, KeyProblems& problems) {
  if (!halves(values)) return;
  if (kind_of(values) == "function")
    problems.push_back({"searcher", "begins with a part of the rows, folds or epochs, and a test function has none",
                        "another searcher, or problem = data:NAME, table or lcbench:INSTANCE"});
  if (text_in(values, "inner_split") == "reshuffle" && !is_function(values))
    problems.push_back({"inner_split", "an evaluation that goes on needs the folds that it began with", "fixed"});
  const std::int64_t least = integer_in(values, "r_min"), most = integer_in(values, "r_max");
  if (most > 0 && least >= most)
    problems.push_back({"r_min", "not below r_max", "1 to " + std::to_string(most - 1) + ", or r_max = 0"});
}

void check_pruner(const Values& values, KeyProblems& problems) {
  if (text_in(values, "searcher") != "asha") return;
  const std::string& pruner = text_in(values, "pruner");
  if (pruner == "wilcoxon" && (is_function(values) || text_in(values, "resampling") != "cv"))
    problems.push_back({"pruner", "wilcoxon compares folds, and only a cross-validation has them",
                        "another rule, or resampling = cv on a table"});
  if (pruner == "threshold" && !(number_in(values, "prune_low") < number_in(values, "prune_high")))
    problems.push_back({"prune_low", "not below prune_high", "a number below prune_high"});
}

void check_suite(const std::vector<SuiteCell>& suite, KeyProblems& problems) {
  for (const auto& cell : suite)
    if (kind_of(cell.values) == "costs")
      problems.push_back(
          {"problem", cell.problem + " measures a learner and is no part of a suite", "a variant of its own"});
  for (std::size_t i = 0; i < suite.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (suite[i].suffix == suite[j].suffix)
        problems.push_back({"problem", suite[i].problem + " and " + suite[j].problem + " have one name in the results",
                            "each problem of a suite once"});
}

}  // namespace

KeyProblems validate(const Values& values) {
  KeyProblems problems;
  const auto suite = suite_of(values);
  if (suite.size() > 1) check_suite(suite, problems);
  check_scales(values, problems);
  for (const auto& cell : suite) {
    if (!problems.empty()) return problems;
    check_problem(cell.values, problems);
    if (!problems.empty()) return problems;
    check_metric(cell.values, problems);
    check_learners(cell.values, problems);
    if (kind_of(cell.values) != "costs") check_budget(cell.values, problems);
    check_fidelity(cell.values, problems);
    check_pruner(cell.values, problems);
  }
  return problems;
}

}  // namespace retrial::automl
