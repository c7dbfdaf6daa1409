#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "determinism/manifest/manifest.hpp"
#include "harness/study_report/provenance/own_program.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

std::string leaf_text(const Json& value) {
  if (value.is_null()) return "not recorded";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& part(const Json& document, const char* group) {
  static const Json nothing = Json::object();
  if (!document.is_object() || !document.contains(group) || !document.at(group).is_object()) return nothing;
  return document.at(group);
}

void add(report::Facts& facts, const Json& group, const char* key, const std::string& name) {
  if (group.contains(key) && !group.at(key).is_null()) facts.rows.push_back({name, leaf_text(group.at(key))});
}

struct Hypervisor {
  std::string_view signature, name;
};
/// Answer of a virtual CPU to leaf 0x40000000 of CPUID, and the product's name.
constexpr std::array<Hypervisor, 7> hypervisors{{{"KVMKVMKVM", "KVM"},
                                                 {"Linux KVM Hv", "KVM"},
                                                 {"Microsoft Hv", "Hyper-V"},
                                                 {"VMwareVMware", "VMware"},
                                                 {"XenVMMXenVMM", "Xen"},
                                                 {"TCGTCGTCGTCG", "QEMU without KVM"},
                                                 {"bhyve bhyve ", "bhyve"}}};

std::string hypervisor_name(const std::string& recorded) {
  const auto known = std::ranges::find(hypervisors, recorded, &Hypervisor::signature);
  return known == hypervisors.end() ? recorded : std::string(known->name);
}

void add_machine(report::Facts& facts, const Json& machine) {
  add(facts, machine, "cpu_model", "CPU");
  add(facts, machine, "cpu_cores", "cores");
  add(facts, machine, "gpus", "GPUs");
  add(facts, machine, "gpu_driver", "GPU driver");
  if (const auto memory = machine.find("memory_kib"); memory != machine.end() && memory->is_number())
    facts.rows.push_back({"memory", short_text(memory->get<double>() / (1024 * 1024)) + " GiB"});
  add(facts, machine, "governor", "governor");
  add(facts, machine, "smt", "SMT");
  if (const auto name = machine.find("virtualisation"); name != machine.end() && name->is_string())
    facts.rows.push_back({"virtualization", hypervisor_name(name->get<std::string>())});
  add(facts, machine, "os", "operating system");
  add(facts, machine, "kernel", "kernel");
  add(facts, machine, "libc", "C library");
}

report::Facts machine_facts(const Json& environment) {
  const Json &machine = part(environment, "machine"), &libraries = part(environment, "libraries"),
             &program = part(environment, "program");
  report::Facts out;
  add_machine(out, machine);
  for (const auto& [name, value] : libraries.items()) out.rows.push_back({name, leaf_text(value)});
  add(out, program, "version", "worker");
  add(out, program, "git_commit", "commit of the worker");
  add(out, program, "build_id", "build id of the worker");
  add(out, program, "compiler", "compiler");
  add(out, program, "flags", "compiler flags");
  return out;
}

/// "float32_precision.cuda.all" and its value, for every leaf.
void flatten(const Json& value, const std::string& path, std::vector<std::pair<std::string, std::string>>& out) {
  if (!value.is_object()) {
    out.emplace_back(path, leaf_text(value));
    return;
  }
  for (const auto& [key, child] : value.items()) flatten(child, path.empty() ? key : path + "." + key, out);
}

/// "Kernel mode as requested: 3 settings".
std::string with_count(const std::string& caption, std::size_t count, const std::string& noun) {
  return caption + ": " + counted(static_cast<std::int64_t>(count), noun);
}

report::Table settings_table(const std::string& caption, const std::string& name, const Json& group) {
  report::Table out{.columns = {{name}, {"value"}}, .rows = {}, .folded = true};
  std::vector<std::pair<std::string, std::string>> leaves;
  flatten(group, "", leaves);
  for (const auto& [key, value] : leaves) out.rows.push_back({key, value});
  out.caption = with_count(caption, leaves.size(), "setting");
  return out;
}

/// Variables that were set, with their values; of the others the names alone, by the library that reads them.
void add_variables(const Json& variables, report::Section& section) {
  report::Table set{.columns = {{"variable"}, {"value"}}};
  std::map<std::string, std::vector<std::string>> unset;
  std::size_t count = 0;
  for (const auto& [name, value] : variables.items()) {
    if (leaf_text(value) != "unset") {
      set.rows.push_back({name, leaf_text(value)});
      continue;
    }
    unset[name.substr(0, name.find('_'))].push_back(name);
    ++count;
  }
  if (!set.rows.empty()) {
    set.caption = "Environment variables that numeric libraries read";
    section.blocks.push_back(std::move(set));
  }
  report::Table names{.caption = with_count("Environment variables that were not set", count, "variable"),
                      .columns = {{"library"}, {"variables"}},
                      .folded = true};
  for (const auto& [library, all] : unset) names.rows.push_back({library, results::joined(all)});
  if (count > 0) section.blocks.push_back(std::move(names));
}

/// The part of an environment that does not depend on the variant.
Json shared_part(Json environment) {
  if (environment.is_object()) environment.erase("inputs");
  return without_program_files(std::move(environment));
}

std::vector<Json> environments_of(const Material& material) {
  std::vector<Json> out;
  std::set<std::string> seen;
  for (const auto& document : material.store.environments(material.study.digest)) {
    Json environment = shared_part(document);
    if (seen.insert(environment.dump(-1, ' ', false, Json::error_handler_t::replace)).second)
      out.push_back(std::move(environment));
  }
  return out;
}

report::Table differences(const Json& first, const Json& other, std::size_t number) {
  report::Table out{.caption = "Environment " + std::to_string(number) + " differs from environment 1 in:",
                    .columns = {{"field"}, {"environment 1"}, {"environment " + std::to_string(number)}},
                    .rows = {}};
  const auto diff = determinism::diff_manifests(first, other, true);
  for (const auto* fields : {&diff.explanatory, &diff.others})
    for (const auto& field : *fields) out.rows.push_back({field.path, field.a, field.b});
  return out;
}

void add_environment(const Json& environment, report::Section& section) {
  for (auto& block : own_program_blocks(environment)) section.blocks.push_back(std::move(block));
  section.blocks.push_back(machine_facts(environment));
  const Json& numeric = part(environment, "numeric");
  if (!part(numeric, "requested").empty())
    section.blocks.push_back(settings_table("Kernel mode as requested", "axis", part(numeric, "requested")));
  if (!part(numeric, "effective").empty())
    section.blocks.push_back(
        settings_table("Kernel mode in effect, read back in the worker", "setting", part(numeric, "effective")));
  add_variables(part(numeric, "variables"), section);
}

}  // namespace

Part environment_part(const Material& material) {
  report::Section section{.id = "environment", .title = "Environment", .blocks = {}};
  section.blocks.push_back(report::Facts{{{"kernel mode of the study", determinism::mode_text(material.study.mode)}}});
  const auto environments = environments_of(material);
  if (environments.empty())
    section.blocks.push_back(report::Paragraph{"No trial has been recorded yet."});
  else
    add_environment(environments.front(), section);
  auto files = program_files_table(material.store.environments(material.study.digest));
  Json data = {{"environments", environments}};
  for (const auto& row : files.rows) data["program_files"].push_back(std::vector<std::string>(row.begin(), row.end()));
  if (!files.rows.empty()) section.blocks.push_back(std::move(files));
  if (environments.size() > 1)
    section.blocks.push_back(report::Warning{"The trials of this study ran in " + std::to_string(environments.size()) +
                                             " environments; the first is shown, then how the others differ from it."});
  for (std::size_t i = 1; i < environments.size(); ++i)
    section.blocks.push_back(differences(environments.front(), environments[i], i + 1));
  return {.section = std::move(section), .data = std::move(data)};
}

}  // namespace retrial::harness::inline study_report::inline provenance
