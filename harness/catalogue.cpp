#include "harness/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "determinism/host_cpu.hpp"
#include "determinism/kernel_mode.hpp"
#include "determinism/seeds.hpp"
#include "harness/catalogue_rows.hpp"
#include "results/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"

namespace retrial::harness {
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
    case workloads::Reads::ties:
      return "ties";
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

/// One workload: what it declares. Several: every name once, with the workloads that honour it.
Rows probe_rows(const Declarations& of) {
  Rows out;
  for (const auto* d : of)
    for (const auto& probe : d->probes)
      out.push_back({{"workload", d->name}, {"name", probe.name}, {"asks", probe.asks}});
  return out;
}

Rows source_rows(const Declarations& of) {
  std::vector<determinism::NamedSource> names;
  if (of.size() != 1) names = determinism::known_sources();
  for (const auto* d : of)
    for (const auto& source : d->sources)
      if (std::none_of(names.begin(), names.end(), [&](const auto& n) { return n.name == source.name; }))
        names.push_back({source.name, source.covers});
  Rows out;
  for (const auto& name : names) {
    Json honoured_by = Json::array();
    for (const auto* d : of)
      if (std::any_of(d->sources.begin(), d->sources.end(), [&](const auto& s) { return s.name == name.name; }))
        honoured_by.push_back(d->name);
    out.push_back({{"workload", honoured_by}, {"name", name.name}, {"covers", name.covers}});
  }
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

/// Metrics of the default keys where their names depend on the keys.
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

/// A mode that this processor cannot run is listed, and says so.
Rows mode_rows(const Declarations&) {
  const auto host = determinism::this_host();
  const auto runs = [&](const determinism::KernelMode& mode) {
    return mode.inherit() || std::find(host.isas.begin(), host.isas.end(), mode.isa) != host.isas.end();
  };
  Rows out;
  for (const auto& preset : determinism::mode_presets()) {
    Json variables = Json::array();
    for (const auto& [name, value] : determinism::variables_of(preset.mode)) variables.push_back(name + "=" + value);
    out.push_back(
        {{"name", preset.name}, {"available", runs(preset.mode)}, {"summary", preset.summary}, {"sets", variables}});
  }
  return out;
}

}  // namespace

const std::vector<Topic>& all_topics() {
  static const std::vector<Topic> topics{
      {.name = "workloads",
       .title = "Workloads",
       .meaning = "everything that can be run",
       .columns = {{"name", "name"}, {"needs", "needs"}, {"variants", "variants"}, {"summary", "what it is"}},
       .rows = workload_rows},
      {.name = "variants",
       .title = "Variants (named presets of parameters)",
       .meaning = "the presets that a study compares",
       .columns = {{"workload", "workload"}, {"name", "name"}, {"preset", "sets"}, {"summary", "what it is"}},
       .of_workload = true,
       .rows = variant_rows},
      {.name = "sources",
       .title = "Sources of variation a study may vary or hold",
       .meaning = "what randomness a workload has, each with a seed of its own",
       .columns = {{"name", "name"}, {"workload", "honoured by"}, {"covers", "what it covers"}},
       .of_workload = true,
       .rows = source_rows},
      {.name = "probes",
       .title = "Probes (what check --liveness asks about the inside of a run)",
       .meaning = "what check --liveness asks about the inside of a run",
       .columns = {{"workload", "workload"}, {"name", "name"}, {"asks", "what must hold"}},
       .of_workload = true,
       .rows = probe_rows},
      {.name = "parameters",
       .title = "Parameters (keys of [set] and [variant.NAME], or --set KEY=VALUE)",
       .meaning = "keys with type, default and allowed values",
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
       .title = "Metrics (outcome: must come out the same again; cost: need not)",
       .meaning = "what is measured, with unit and direction",
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
       .meaning = "which kernels run, and the variables a mode sets",
       .columns = {{"name", "name"}, {"available", "here"}, {"summary", "what it does"}, {"sets", "variables"}},
       .rows = mode_rows},
      {.name = "tests",
       .title = "Statistical tests",
       .meaning = "tests for compare --test and compare --scores",
       .columns = {{"name", "name"},
                   {"data", "of"},
                   {"least", "at least"},
                   {"asks", "what it asks"},
                   {"when", "when to use it"},
                   {"options", "its own options"}},
       .rows = test_rows},
      {.name = "rules",
       .title = "Decision rules",
       .meaning = "rules that audit holds against what they promise",
       .columns =
           {{"name", "name"}, {"label", "kind"}, {"rule", "what it does"}, {"covers", "promise, or known error"}},
       .rows = rule_rows},
      {.name = "designs",
       .title = "Families of designs (family of [compare], or --family)",
       .meaning = "when a study looks at its pairs, and which of them it may do without",
       .columns = {{"name", "name"},
                   {"stops", "stops"},
                   {"extended", "may be extended"},
                   {"asks", "what it asks"},
                   {"when", "when to use it"}},
       .rows = design_rows},
      {.name = "data",
       .title = "Data sets",
       .meaning = "data sets known by name (retrial data verify DIR checks files)",
       .columns = {{"name", "name"},
                   {"images", "images"},
                   {"classes", "classes"},
                   {"embedded", "built in"},
                   {"summary", "what it is"}},
       .rows = data_set_rows},
      {.name = "models",
       .title = "Models (keys student and teacher; sizes of the example with 10 classes)",
       .meaning = "networks known by name, with their numbers of parameters and multiply-accumulates",
       .columns = {{"name", "name"},
                   {"example", "example"},
                   {"input", "input"},
                   {"parameters", "parameters"},
                   {"macs", "MACs"},
                   {"summary", "what it is"}},
       .rows = model_rows},
      {.name = "layers",
       .title = "Prunable layers of the example models (group: channels that go together; shape: out, in, taps)",
       .meaning = "layers whose weights pruning may take (also: models --prunable)",
       .columns = {{"model", "model"},
                   {"order", "order"},
                   {"name", "layer"},
                   {"shape", "shape"},
                   {"weights", "weights"},
                   {"group", "group"}},
       .rows = layer_rows},
      {.name = "methods",
       .title = "Methods of distillation (key method; weights and epochs are defaults: keys w_feat, init_epochs, base)",
       .meaning = "losses by which a student learns from a teacher",
       .columns = {{"name", "name"}, {"minimises", "minimises"}, {"needs", "needs"}, {"summary", "what it is"}},
       .rows = method_rows},
      {.name = "corruptions",
       .title = "Corruptions of images (" + std::string(corrupt::table_name) + ", severities 1 to 5)",
       .meaning = "what test images can be put under (retrial data corrupt)",
       .columns = {{"name", "name"}, {"bytes", "bytes"}, {"here", "here"}, {"summary", "what it is"}},
       .rows = corruption_rows},
  };
  return topics;
}

const Topic& find_topic(const std::string& name) {
  for (const Topic& topic : all_topics())
    if (topic.name == name) return topic;
  throw std::logic_error("no topic " + name);
}

}  // namespace retrial::harness
