#include "harness/check/liveness_changes.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline check {
namespace {

using workloads::Declaration;
using workloads::Parameter;
using workloads::Reads;

bool legal(const Declaration& declaration, Values values, const std::string& key, const Value& value) {
  try {
    values[key] = workloads::checked(declaration, key, value, "");
    return !declaration.validate || declaration.validate(values).empty();
  } catch (const Error&) {
    return false;  // out of range, or a data set whose files are missing
  }
}

std::vector<Value> attempts(const Parameter& parameter, const Value& now) {
  if (const auto* flag = std::get_if<bool>(&now)) return {!*flag};
  if (const auto* whole = std::get_if<std::int64_t>(&now))
    return {*whole + 1, *whole + 2, *whole - 1, *whole * 2, *whole + 10, *whole + 100};
  if (const auto* number = std::get_if<double>(&now)) return {*number * 1.5 + 0.1, *number * 0.5, *number + 0.01, 0.5};
  if (std::holds_alternative<std::monostate>(parameter.allowed)) return {parameter.fallback, std::string()};
  std::vector<Value> out;
  if (const auto* choices = std::get_if<std::vector<std::string>>(&parameter.allowed)) {
    const auto at = std::find(choices->begin(), choices->end(), std::get<std::string>(now));
    for (std::size_t i = 1; i < choices->size(); ++i)
      out.push_back((*choices)[(static_cast<std::size_t>(at - choices->begin()) + i) % choices->size()]);
  }
  return out;
}

Change change_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, const Parameter& parameter,
                 const std::vector<Value>& values) {
  Change change{.kind = "dead-parameter",
                .subject = "key " + parameter.name,
                .trials = {},
                .tried = results::text_of(variant.values.at(parameter.name)) + " and "};
  for (const auto& value : values) {
    auto changed = variant;
    changed.values[parameter.name] = value;
    change.trials.push_back(make_trial(study, changed, inputs, {}, 0));
    change.tried += (change.trials.size() == 1 ? "" : ", ") + results::text_of(value);
  }
  return change;
}

void add_keys(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, LivenessReport& report,
              const StudyVariant* shown, std::vector<Change>& out) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  const auto read = declaration.reads(variant.values);
  for (const auto& parameter : declaration.parameters) {
    if (std::find(read.begin(), read.end(), parameter.name) == read.end()) continue;
    if (shown != nullptr && shown->values.at(parameter.name) == variant.values.at(parameter.name)) continue;
    if (parameter.reads == Reads::evaluation || parameter.reads == Reads::place) {
      report.exempt.push_back({variant.name, parameter.name});
      continue;
    }
    if (parameter.reads == Reads::rare) {
      report.of_rare.push_back({variant.name, parameter.name});
      continue;
    }
    const auto values = changed_values(declaration, variant.values, parameter);
    if (values.empty()) {
      report.untested.push_back({variant.name, parameter.name});
      continue;
    }
    ++report.parameters;
    out.push_back(change_of(study, variant, inputs, parameter, values));
  }
}

template <typename Number>
bool both_zero_or_not(const Value& a, const Value& b) {
  const auto *x = std::get_if<Number>(&a), *y = std::get_if<Number>(&b);
  return x != nullptr && y != nullptr && (*x == 0) == (*y == 0);
}

bool alike(const Value& a, const Value& b) {
  return a == b || both_zero_or_not<double>(a, b) || both_zero_or_not<std::int64_t>(a, b);
}

bool same_code(const Study& study, const StudyVariant& a, const StudyVariant& b) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  return declaration.reads(a.values) == declaration.reads(b.values) && honoured(study, a) == honoured(study, b) &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && alike(x.second, y.second); });
}

}  // namespace

const StudyVariant* shown_before(const Study& study, const StudyVariant& variant) {
  for (const auto& other : study.variants) {
    if (&other == &variant) return nullptr;
    if (same_code(study, other, variant)) return &other;
  }
  return nullptr;
}

std::vector<Value> changed_values(const Declaration& declaration, const Values& values, const Parameter& parameter) {
  // -1 may mean 0, and two choices may mean the same: all are tried before a key counts as dead.
  const bool choices = !std::holds_alternative<double>(parameter.fallback);
  std::vector<Value> out;
  for (const auto& attempt : attempts(parameter, values.at(parameter.name)))
    if ((choices || out.empty()) && attempt != values.at(parameter.name) &&
        legal(declaration, values, parameter.name, attempt))
      out.push_back(attempt);
  return out;
}

std::vector<Change> changes_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                               LivenessReport& report) {
  std::vector<Change> out;
  const StudyVariant* const shown = shown_before(study, variant);
  add_keys(study, variant, inputs, report, shown, out);
  if (shown != nullptr) {
    report.same_code.emplace_back(variant.name, shown->name);
    return out;
  }
  for (const auto& source : honoured(study, variant)) {
    ++report.sources;
    out.push_back({.kind = "dead-source",
                   .subject = "source " + source,
                   .trials = {make_trial(study, variant, inputs, {{source, 1}}, 1)},
                   .tried = "its seeds at pair 0 and pair 1"});
  }
  return out;
}

}  // namespace retrial::harness::inline check
