#include <set>

#include "determinism/manifest/manifest.hpp"
#include "harness/study_report/parts/own_program.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline parts {
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

report::Facts machine_facts(const Json& environment) {
  const Json &machine = part(environment, "machine"), &libraries = part(environment, "libraries"),
             &program = part(environment, "program");
  report::Facts out;
  add(out, machine, "cpu_model", "CPU");
  add(out, machine, "cpu_cores", "cores");
  add(out, machine, "gpus", "GPUs");
  add(out, machine, "gpu_driver", "GPU driver");
  add(out, machine, "memory_kib", "memory (KiB)");
  add(out, machine, "governor", "governor");
  add(out, machine, "smt", "SMT");
  add(out, machine, "virtualisation", "virtualization");
  add(out, machine, "os", "operating system");
  add(out, machine, "kernel", "kernel");
  add(out, machine, "libc", "C library");
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

report::Table settings_table(const std::string& caption, const std::string& name, const Json& group) {
  report::Table out{.caption = caption, .columns = {{name}, {"value"}}, .rows = {}};
  std::vector<std::pair<std::string, std::string>> leaves;
  flatten(group, "", leaves);
  for (const auto& [key, value] : leaves) out.rows.push_back({key, value});
  return out;
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
  if (!part(numeric, "variables").empty())
    section.blocks.push_back(
        settings_table("Environment variables read by numeric libraries", "variable", part(numeric, "variables")));
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

}  // namespace retrial::harness::inline study_report::inline parts
