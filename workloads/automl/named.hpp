#pragma once

#include <string>
#include <vector>

#include "results/text/value.hpp"
#include "workloads/automl/problems/functions.hpp"

/// What the keys of a search name.
namespace retrial::automl {

/// One of the problems of a suite. The other functions of this file take the values of one.
struct SuiteCell {
  std::string problem;  ///< "data:phoneme"
  std::string suffix;   ///< of the names that it records: "_phoneme"; empty where there is one problem
  Values values;        ///< the same keys, with this problem alone
};
[[nodiscard]] std::vector<SuiteCell> suite_of(const Values& values);

/// "function", "lcbench", "data" or "table" of problem = function:hartmann6/6, lcbench:189873, data:phoneme, table.
[[nodiscard]] std::string kind_of(const Values& values);
/// "hartmann6/6", "189873", "phoneme", "".
[[nodiscard]] std::string name_in(const Values& values);
/// Null for a name that no function has; dimensions 0 where they are no number.
struct FunctionName {
  const TestFunction* function = nullptr;
  std::int64_t dimensions = 0;
};
[[nodiscard]] FunctionName function_in(const Values& values);
[[nodiscard]] std::vector<std::string> learners_in(const Values& values);
/// Empty where only the data tells.
[[nodiscard]] std::string task_in(const Values& values);

/// Whether the problem is a function of a configuration, with a known best value: a test function, or LCBench. The
/// others train on a table.
[[nodiscard]] bool is_function(const Values& values);
/// The searcher trains known configurations and searches nothing: one, or those of the most similar table.
[[nodiscard]] bool is_reference(const Values& values);
[[nodiscard]] bool is_zero_shot(const Values& values);
[[nodiscard]] bool walks(const Values& values);
[[nodiscard]] bool estimates_densities(const Values& values);
/// Configurations begin with little of the fidelity.
[[nodiscard]] bool halves(const Values& values);
/// Learners, or pairs of learner and sampler, by their estimated cost for improvement.
[[nodiscard]] bool chooses_by_cost(const Values& values);

}  // namespace retrial::automl
