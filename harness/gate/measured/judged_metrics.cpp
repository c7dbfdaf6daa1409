#include "harness/gate/measured/judged_metrics.hpp"

#include <algorithm>

#include "determinism/meter/instruction_counter.hpp"
#include "harness/run/trial_record.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using results::MetricDef;

std::vector<MetricDef> known_metrics(const Study& study, bool counts) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  std::vector<MetricDef> out;
  const auto add = [&](const MetricDef& def) {
    if (std::ranges::find(out, def.name, &MetricDef::name) == out.end()) out.push_back(def);
  };
  for (const auto& variant : study.variants)
    for (const auto& def : workloads::metrics_under(declaration, variant.values)) add(def);
  if (!counts)
    for (const auto& def : worker_costs()) add(def);
  return out;
}

bool names(const std::vector<MetricDef>& defs, const std::string& name) {
  return std::ranges::find(defs, name, &MetricDef::name) != defs.end();
}

/// The values of each variant of a draft, as far as they are keys of the workload.
std::vector<Values> values_by_variant(const StudyDraft& draft, const workloads::Declaration& declaration) {
  std::vector<Values> out;
  for (const auto& variant : draft.variants) {
    Values given;
    for (const auto* keys : {&draft.set, &variant.keys})
      for (const auto& [key, value, where] : *keys)
        if (workloads::find_parameter(declaration, key) != nullptr)
          given[key] = workloads::checked(declaration, key, value, where);
    out.push_back(workloads::resolved(declaration, given));
  }
  return out;
}

bool counts_here() {
  return determinism::InstructionCounter().total().has_value();
}

}  // namespace

bool finds_metrics(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  return std::ranges::any_of(study.variants, [&](const StudyVariant& variant) {
    return workloads::finds_metrics_under(declaration, variant.values);
  });
}

bool asks_for_found(const std::vector<std::string>& asked, const MetricDef& def) {
  return asked.empty() || std::ranges::any_of(asked, [&](const std::string& name) {
           return def.name == name || def.name.ends_with(":" + name);
         });
}

bool is_counter(const MetricDef& def) {
  return def.name == "instructions" && def.nature == results::Nature::cost;
}

std::optional<std::string> declared_metric(const StudyDraft& draft, const GateSettings& settings) {
  if (settings.count_instructions && settings.metrics.empty()) return "instructions";
  const auto& declaration = workloads::find_workload(draft.workload, draft.at("workload"));
  const auto worker = worker_costs();
  const auto known = workloads::metrics_under(declaration, workloads::resolved(declaration, {}));
  const std::string first = settings.metrics.empty() ? "wall_s" : settings.metrics.front();
  if (names(worker, first) && !names(known, first)) return draft.metric;
  for (const Values& values : values_by_variant(draft, declaration))
    if (workloads::finds_metrics_under(declaration, values) &&
        !names(workloads::metrics_under(declaration, values), first))
      return "wall_s";  // a study declares what is known before it is run
  return first;
}

std::vector<MetricDef> judged_metrics(const Study& study, const GateSettings& settings, const std::string& where) {
  const auto known = known_metrics(study, settings.count_instructions);
  std::vector<MetricDef> out;
  std::vector<std::string> names;
  for (const auto& def : known) names.push_back(def.name);
  for (const std::string& name : settings.metrics) {
    const auto found = std::ranges::find(known, name, &MetricDef::name);
    if (found == known.end() && finds_metrics(study)) continue;
    if (found == known.end()) {
      const auto near = results::nearest(name, names);
      throw Error({.code = "gate.metric",
                   .where = where,
                   .field = "metrics",
                   .value = results::one_line(name, 100),
                   .problem = "no such metric",
                   .allowed = results::joined(names),
                   .help = near ? "did you mean " + *near + "?" : ""});
    }
    out.push_back(*found);
    if (is_counter(*found) && !settings.count_instructions && !counts_here())
      throw Error({.exit = Exit::incomparable,
                   .code = "gate.no_counter",
                   .where = where,
                   .field = "metrics",
                   .value = found->name,
                   .problem = "this machine gives no hardware counter to programs, so a run has no such value",
                   .help = "--count instructions counts them under valgrind"});
  }
  const std::string first = settings.count_instructions ? "instructions" : "wall_s";
  if (settings.metrics.empty() && !finds_metrics(study))
    for (const auto& def : known)
      if (def.name == first || (def.nature == results::Nature::outcome && def.direction != results::Direction::none &&
                                def.axis == results::Axis::none))
        out.push_back(def);
  for (const auto& def : out) {
    if (def.direction == results::Direction::none)
      throw Error({.code = "metric.no_direction",
                   .where = where,
                   .field = "metrics",
                   .value = def.name,
                   .problem = "has no direction: say whether higher or lower is better",
                   .help = "--read " + def.name + ":higher or --read " + def.name + ":lower"});
    if (settings.test == GateTest::counts && !is_counter(def))
      throw Error({.code = "gate.test",
                   .where = where,
                   .field = "test",
                   .value = "counts",
                   .problem = "is about counts that repeat, and " + def.name + " is none",
                   .help = "--count instructions counts them; or leave out test"});
    if (def.scale == results::Scale::absolute && !settings.min_effect_abs)
      throw Error(
          {.code = "gate.absolute",
           .where = where,
           .field = "min_effect_abs",
           .problem = "must be given with margin_abs: " + def.name + " is judged by differences in its own unit",
           .help = "for an accuracy in percent: --min-effect-abs 0.2 --margin-abs 0.5; or judge costs alone: "
                   "--metric wall_s"});
  }
  return out;
}

}  // namespace retrial::harness::inline gate::inline measured
