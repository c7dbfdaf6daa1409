#include "workloads/automl/named.hpp"

#include <algorithm>
#include <cctype>

#include "results/text/text.hpp"
#include "workloads/automl/learners/learner.hpp"
#include "workloads/data/sets/tables.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::automl {
namespace {

bool searcher_is_of(const Values& values, std::initializer_list<const char*> names) {
  return std::ranges::find(names, text_in(values, "searcher")) != names.end();
}

}  // namespace

std::vector<SuiteCell> suite_of(const Values& values) {
  std::vector<SuiteCell> out;
  for (const auto& problem : workloads::split(text_in(values, "problem"), ',', " ")) {
    SuiteCell cell{.problem = problem, .suffix = "", .values = values};
    cell.values["problem"] = problem;
    const std::string name = name_in(cell.values);
    cell.suffix = "_" + (name.empty() ? problem : name);
    for (char& c : cell.suffix)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    out.push_back(std::move(cell));
  }
  if (out.size() == 1) out.front().suffix.clear();
  return out;
}

std::string kind_of(const Values& values) {
  const std::string& problem = text_in(values, "problem");
  return problem.substr(0, problem.find(':'));
}

std::string name_in(const Values& values) {
  const std::string& problem = text_in(values, "problem");
  const auto colon = problem.find(':');
  return colon == problem.npos ? "" : problem.substr(colon + 1);
}

FunctionName function_in(const Values& values) {
  const std::string name = name_in(values);
  const auto slash = name.find('/');
  FunctionName out{.function = function_if_known(name.substr(0, slash))};
  if (slash != name.npos) out.dimensions = results::parse_int(name.substr(slash + 1)).value_or(0);
  if (out.function != nullptr && slash == name.npos) out.dimensions = out.function->dimensions;
  return out;
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

bool is_function(const Values& values) {
  return kind_of(values) == "function" || kind_of(values) == "lcbench";
}

bool is_reference(const Values& values) {
  return is_zero_shot(values) || reference_if_known(text_in(values, "searcher")) != nullptr;
}

bool is_zero_shot(const Values& values) {
  return text_in(values, "searcher") == "zero-shot";
}

bool walks(const Values& values) {
  return searcher_is_of(values, {"flaml", "flow2", "blend", "portfolio"});
}

bool estimates_densities(const Values& values) {
  return searcher_is_of(values, {"tpe", "blend", "portfolio"});
}

bool halves(const Values& values) {
  return searcher_is_of(values, {"asha", "hyperband"});
}

bool chooses_by_cost(const Values& values) {
  return searcher_is_of(values, {"flaml", "portfolio"});
}

}  // namespace retrial::automl
