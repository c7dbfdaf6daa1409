#include "harness/liveness.hpp"

#include <algorithm>
#include <set>

#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

using workloads::Declaration;
using workloads::Parameter;

bool legal(const Declaration& declaration, Values values, const std::string& key, const Value& value) {
  try {
    values[key] = workloads::checked(declaration, key, value, "");
    return !declaration.validate || declaration.validate(values).empty();
  } catch (const Error&) {
    return false;  // out of range, or a data set whose files are not here
  }
}

std::vector<Value> attempts(const Parameter& parameter, const Value& now) {
  if (const auto* flag = std::get_if<bool>(&now)) return {!*flag};
  if (const auto* whole = std::get_if<std::int64_t>(&now)) return {*whole + 1, *whole - 1, *whole * 2, *whole / 2};
  if (const auto* number = std::get_if<double>(&now)) return {*number * 1.5 + 0.1, *number * 0.5, *number + 0.01, 0.5};
  std::vector<Value> out;
  if (const auto* choices = std::get_if<std::vector<std::string>>(&parameter.allowed)) {
    const auto at = std::find(choices->begin(), choices->end(), std::get<std::string>(now));
    for (std::size_t i = 1; i < choices->size(); ++i)
      out.push_back((*choices)[(static_cast<std::size_t>(at - choices->begin()) + i) % choices->size()]);
  }
  return out;
}

/// One trial of the check and what it must differ from.
struct Probe {
  results::PlanEntry entry;
  std::string kind, name, detail;
};

void probe_parameters(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, LivenessReport& report,
                      std::vector<Probe>& out) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  const auto read = declaration.reads ? declaration.reads(variant.values) : std::vector<std::string>{};
  for (const auto& parameter : declaration.parameters) {
    if (declaration.reads && std::find(read.begin(), read.end(), parameter.name) == read.end()) continue;
    const auto label = variant.name + "." + parameter.name;
    if (parameter.reads == workloads::Reads::evaluation || parameter.reads == workloads::Reads::place) {
      report.exempt.push_back(label);
      continue;
    }
    const auto values = changed_values(declaration, variant.values, parameter);
    if (values.empty()) {
      report.untested.push_back(label);
      continue;
    }
    ++report.parameters;
    std::string tried;
    for (const auto& value : values) tried += (tried.empty() ? "" : ", ") + results::text_of(value);
    for (const auto& value : values) {
      auto changed = variant;
      changed.values[parameter.name] = value;
      out.push_back(
          {.entry = make_trial(study, changed, inputs, {}, 0),
           .kind = "dead-parameter",
           .name = parameter.name,
           .detail = results::text_of(variant.values.at(parameter.name)) + " and " + tried + " give the same outcome"});
    }
  }
}

void probe_sources(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, LivenessReport& report,
                   std::vector<Probe>& out) {
  for (const auto& source : honoured(study, variant)) {
    ++report.sources;
    out.push_back({.entry = make_trial(study, variant, inputs, {{source, 1}}, 1),
                   .kind = "dead-source",
                   .name = source,
                   .detail = "another seed of it changes nothing"});
  }
}

}  // namespace

std::vector<Value> changed_values(const Declaration& declaration, const Values& values, const Parameter& parameter) {
  const bool choices = std::holds_alternative<std::vector<std::string>>(parameter.allowed);
  std::vector<Value> out;
  for (const auto& attempt : attempts(parameter, values.at(parameter.name)))
    if ((choices || out.empty()) && attempt != values.at(parameter.name) &&
        legal(declaration, values, parameter.name, attempt))
      out.push_back(attempt);
  return out;
}

LivenessReport check_liveness(const Study& study, const PlanInputs& inputs, const CheckSettings& settings) {
  const auto document = study_document(study);
  LivenessReport report;
  std::vector<results::PlanEntry> bases;
  for (const auto& variant : study.variants) {
    std::vector<Probe> all{{.entry = make_trial(study, variant, inputs, {}, 0)}};
    bases.push_back(all.front().entry);
    probe_parameters(study, variant, inputs, report, all);
    probe_sources(study, variant, inputs, report, all);
    std::vector<results::PlanEntry> entries;
    for (const auto& probe : all) entries.push_back(probe.entry);
    const auto records = run_trials(entries, document, settings.pool, settings, "variant " + variant.name);
    report.trials += records.size();
    std::set<std::string> alive;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (first_difference(records.front(), records[i])) alive.insert(all[i].kind + all[i].name);
    for (std::size_t i = 1; i < all.size(); ++i)
      if (alive.insert(all[i].kind + all[i].name).second)  // once a key, however many values were tried
        report.findings.push_back(
            {.kind = all[i].kind, .variant = variant.name, .source = all[i].name, .detail = all[i].detail});
  }

  // One process, once forward and once backward: what ran before must not matter.
  auto single = settings.pool;
  single.jobs = 1;
  const auto forward = run_trials(bases, document, single, settings, "in order");
  const auto backward = run_trials({bases.rbegin(), bases.rend()}, document, single, settings, "in reverse order");
  report.trials += 2 * bases.size();
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (const auto difference = first_difference(forward[i], backward[bases.size() - 1 - i]))
      report.findings.push_back({.kind = "order-dependent",
                                 .variant = study.variants[i].name,
                                 .difference = *difference,
                                 .detail = "differs when the variants run in reverse order"});
    for (std::size_t j = 0; j < i; ++j)
      if (!first_difference(forward[j], forward[i]))
        report.findings.push_back({.kind = "duplicate-variants",
                                   .variant = study.variants[i].name,
                                   .source = study.variants[j].name,
                                   .detail = "the two variants have identical outcomes"});
  }
  return report;
}

}  // namespace retrial::harness
