#include "harness/catalogue/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "determinism/mode/host_cpu.hpp"
#include "determinism/mode/kernel_mode.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/contributions.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline catalogue {
namespace {

using workloads::Declaration;

Json text_values(const Values& values) {
  Json out = Json::array();
  for (const auto& [key, value] : values) out.push_back(key + " = " + results::text_of(value));
  return out;
}

Json json_value(const Value& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

std::string type_name(const Value& value) {
  static const std::vector<std::string> names{"flag", "integer", "number", "text"};
  return names.at(value.index());
}

std::string reads_text(workloads::Reads reads) {
  switch (reads) {
    case workloads::Reads::training:
      return "training";
    case workloads::Reads::schedule:
      return "schedule";
    case workloads::Reads::evaluation:
      return "evaluation";
    case workloads::Reads::place:
      return "place";
    case workloads::Reads::rare:
      return "rare cases";
  }
  return "";
}

Rows workload_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of) {
    Json variants = Json::array();
    for (const auto& variant : d->variants) variants.push_back(variant.name);
    out.push_back({{"name", d->name},
                   {"needs", d->needs_torch ? "LibTorch" : "-"},
                   {"variants", variants},
                   {"summary", d->summary}});
  }
  return out;
}

Rows variant_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of)
    for (const auto& variant : d->variants)
      out.push_back({{"workload", d->name},
                     {"name", variant.name},
                     {"preset", text_values(variant.preset)},
                     {"summary", variant.summary}});
  return out;
}

Rows probe_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of)
    for (const auto& probe : d->probes)
      out.push_back({{"workload", d->name}, {"name", probe.name}, {"asks", probe.asks}});
  return out;
}

Json honoured_by(const Declarations& of, const std::string& source) {
  Json out = Json::array();
  for (const auto* d : of)
    if (std::ranges::find(d->sources, source, &workloads::Source::name) != d->sources.end()) out.push_back(d->name);
  return out;
}

/// Each source once, with the description of the first workload that declares it.
Rows source_rows(const Declarations& of) {
  Rows out;
  std::set<std::string> seen;
  for (const auto* d : of)
    for (const auto& source : d->sources)
      if (seen.insert(source.name).second)
        out.push_back({{"workload", honoured_by(of, source.name)}, {"name", source.name}, {"covers", source.covers}});
  return out;
}

Rows parameter_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of)
    for (const auto& p : d->parameters)
      out.push_back({{"workload", d->name},
                     {"name", p.name},
                     {"type", type_name(p.fallback)},
                     {"default", json_value(p.fallback)},
                     {"allowed", workloads::allowed_text(p)},
                     {"read_by", reads_text(p.reads)},
                     {"meaning", p.meaning}});
  return out;
}

/// Metrics for the default keys, where their names depend on the keys.
Rows metric_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of)
    for (const auto& m : workloads::metrics_under(*d, workloads::resolved(*d, {})))
      out.push_back({{"workload", d->name},
                     {"name", m.name},
                     {"unit", m.unit.empty() ? "-" : m.unit},
                     {"direction", results::name_of(m.direction)},
                     {"nature", results::name_of(m.nature)},
                     {"axis", results::name_of(m.axis)}});
  return out;
}

Rows formula_rows(const Declarations&) {
  Rows out;
  for (const auto& formula : workloads::all_formulas()) {
    Json arguments = Json::array();
    for (const auto& argument : formula.arguments)
      arguments.push_back({{"name", argument.value.name},
                           {"meaning", argument.value.meaning},
                           {"allowed", workloads::allowed_text(argument.value)},
                           {"optional", argument.optional}});
    out.push_back({{"name", formula.name},
                   {"usage", workloads::usage_of(formula)},
                   {"meaning", formula.meaning},
                   {"example", "retrial show --formula " + formula.name + " " + formula.example},
                   {"arguments", std::move(arguments)}});
  }
  return out;
}

/// A mode that this machine cannot run is listed as not available.
Rows mode_rows(const Declarations&) {
  const auto host = determinism::this_host();
  const auto runs = [&](const determinism::KernelMode& mode) {
    const bool gpu = std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg");
    return mode.inherit() ||
           (std::find(host.isas.begin(), host.isas.end(), mode.isa) != host.isas.end() && (gpu || !mode.on_gpu()));
  };
  Rows out;
  const auto add = [&](const std::string& name, const determinism::KernelMode& mode, const std::string& summary) {
    Json variables = Json::array();
    for (const auto& [variable, value] : determinism::variables_of(mode)) variables.push_back(variable + "=" + value);
    out.push_back({{"name", name}, {"available", runs(mode)}, {"summary", summary}, {"sets", variables}});
  };
  for (const auto& preset : determinism::mode_presets()) add(preset.name, preset.mode, preset.summary);
  for (const auto& preset : determinism::mode_presets())
    if (!preset.mode.inherit() && !preset.mode.portable) {
      auto mode = preset.mode;
      mode.device = "cuda";
      add(preset.name + ",cuda", mode, "the same on a GPU (docs/gpu.md)");
    }
  return out;
}

std::vector<Topic> own_topics() {
  return {
      {.name = "workloads",
       .title = "Workloads",
       .meaning = "all workloads that can be run",
       .columns = {{"name", "name"}, {"needs", "needs"}, {"variants", "variants"}, {"summary", "description"}},
       .rows = workload_rows},
      {.name = "variants",
       .title = "Variants (named presets of parameters)",
       .meaning = "the presets that a study compares",
       .columns = {{"workload", "workload"}, {"name", "name"}, {"preset", "sets"}, {"summary", "description"}},
       .of_workload = true,
       .rows = variant_rows},
      {.name = "sources",
       .title = "Sources of variation that a study can vary or hold",
       .meaning = "sources of randomness of a workload, each with its own seed",
       .columns = {{"name", "name"}, {"workload", "used by"}, {"covers", "covers"}},
       .of_workload = true,
       .rows = source_rows},
      {.name = "probes",
       .title = "Probes (conditions that check --liveness tests inside a run)",
       .meaning = "conditions that check --liveness tests inside a run",
       .columns = {{"workload", "workload"}, {"name", "name"}, {"asks", "condition"}},
       .of_workload = true,
       .rows = probe_rows},
      {.name = "parameters",
       .title = "Parameters (keys of [set] and [variant.NAME], or --set KEY=VALUE)",
       .meaning = "keys with their types, defaults and allowed values",
       .columns = {{"workload", "workload"},
                   {"name", "name"},
                   {"type", "type"},
                   {"default", "default"},
                   {"allowed", "allowed"},
                   {"read_by", "read by"},
                   {"meaning", "meaning"}},
       .of_workload = true,
       .rows = parameter_rows},
      {.name = "metrics",
       .title = "Metrics (outcome: must be equal when a trial is repeated; cost: may differ)",
       .meaning = "metrics with unit and direction",
       .columns = {{"workload", "workload"},
                   {"name", "name"},
                   {"unit", "unit"},
                   {"direction", "better"},
                   {"nature", "nature"},
                   {"axis", "axis"}},
       .of_workload = true,
       .rows = metric_rows},
      {.name = "modes",
       .title = "Kernel modes",
       .meaning = "kernel modes and the environment variables they set",
       .columns = {{"name", "name"}, {"available", "available"}, {"summary", "description"}, {"sets", "variables"}},
       .rows = mode_rows},
      {.name = "formulas",
       .title = "Formulas (retrial show --formula NAME KEY=VALUE ...)",
       .meaning = "functions of numbers that workloads offer, with an example each",
       .columns = {{"name", "name"}, {"usage", "arguments"}, {"meaning", "meaning"}, {"example", "example"}},
       .rows = formula_rows},
      {.name = "operators",
       .title = "Operators of LibTorch that workloads use",
       .meaning = "LibTorch operators, and whether they give the same bits on every CPU (--portable: those that do)",
       .columns = {{"name", "operator"},
                   {"calls", "calls"},
                   {"portable", "mode portable"},
                   {"deterministic", "mode deterministic"}},
       .rows = operator_rows,
       .note = operator_note,
       .facts = operator_facts},
      {.name = "tests",
       .title = "Statistical tests",
       .meaning = "tests for compare --test and compare --scores",
       .columns = {{"name", "name"},
                   {"data", "data"},
                   {"least", "min n"},
                   {"asks", "question"},
                   {"when", "when to use it"},
                   {"options", "options"}},
       .rows = test_rows},
      {.name = "rules",
       .title = "Decision rules",
       .meaning = "decision rules whose error rates audit checks",
       .columns =
           {{"name", "name"}, {"label", "kind"}, {"rule", "description"}, {"covers", "guarantee, or known error"}},
       .rows = rule_rows},
      {.name = "designs",
       .title = "Families of designs (family of [compare], or --family)",
       .meaning = "when to test: once at the end, or sequentially",
       .columns = {{"name", "name"},
                   {"stops", "stops"},
                   {"extended", "extendable"},
                   {"asks", "question"},
                   {"when", "when to use it"}},
       .rows = design_rows},
  };
}

void add_listings(const workloads::Contribution& contribution, std::vector<Topic>& to) {
  for (const auto& listing : contribution.listings)
    to.push_back({.name = listing.name,
                  .title = listing.title,
                  .meaning = listing.meaning,
                  .columns = listing.columns,
                  .former_option = listing.former_option,
                  .rows = [&listing](const Declarations&) { return listing.rows(); }});
}

/// Topics that workloads and shared folders contribute, by name.
std::vector<Topic> contributed_topics() {
  std::vector<Topic> out;
  for (const auto& workload : workloads::all_workloads()) add_listings(workload.contributes, out);
  for (const auto& shared : workloads::shared_contributions()) add_listings(shared.contributes, out);
  std::ranges::sort(out, {}, &Topic::name);
  return out;
}

std::vector<Topic> every_topic() {
  std::vector<Topic> all = own_topics();
  for (Topic& topic : contributed_topics()) all.push_back(std::move(topic));
  require_unique_names(all);
  return all;
}

}  // namespace

const std::vector<Topic>& all_topics() {
  static const std::vector<Topic> topics = every_topic();
  return topics;
}

const Topic& find_topic(const std::string& name) {
  for (const Topic& topic : all_topics())
    if (topic.name == name) return topic;
  throw std::logic_error("no topic " + name);
}

void require_unique_names(const std::vector<Topic>& topics) {
  std::set<std::string> names;
  for (const Topic& topic : topics)
    if (!names.insert(topic.name).second) throw std::logic_error("two topics of list are named " + topic.name);
}

}  // namespace retrial::harness::inline catalogue
