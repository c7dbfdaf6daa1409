#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/command_line/settings.hpp"
#include "harness/doctor/findings.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

std::string worker_text(const HostFacts& facts) {
  if (!facts.worker_found) return "not found at " + facts.worker.string();
  return facts.worker.string() + ", build id " + facts.worker_build.value_or("none");
}

std::string cuda_worker_text(const HostFacts& facts) {
  if (!facts.cuda_worker) return "not built (scripts/setup --cuda, then build again)";
  return facts.cuda_worker->string() + (facts.cuda_problem.empty() ? "" : ", which does not start");
}

std::string facts_table(const HostFacts& facts) {
  TextTable table({{""}, {""}});
  table.add({"worker", worker_text(facts)});
  table.add({"LibTorch", facts.worker_has_torch ? "linked by the worker" : "not in the worker"});
  table.add({"CUDA worker", cuda_worker_text(facts)});
  if (!facts.gpus.empty()) table.add({"GPU", facts.gpus});
  table.add({"processor", facts.cpu_model.value_or("unknown") + ", " + counted(facts.cpus, "CPU") + " usable"});
  table.add({"instruction sets", results::joined(facts.isas)});
  table.add({"load", facts.load ? short_text(*facts.load, 3) : "unknown"});
  table.add({"governor", facts.governor.value_or("unknown")});
  table.add({"memory", facts.memory_bytes ? bytes_text(*facts.memory_bytes) + " available" : "unknown"});
  table.add({"store folder", facts.folder.string() + " on " + facts.file_system + ", " +
                                 (facts.free_bytes ? bytes_text(*facts.free_bytes) + " free" : "free space unknown")});
  return table.text(2, terminal_width());
}

std::string findings_list(const std::string& title, const std::vector<HostFinding>& findings) {
  if (findings.empty()) return "";
  std::string out = "\n" + title + "\n";
  for (const auto& finding : findings) {
    const auto lines = wrapped(finding.text, terminal_width() - 4);
    for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "  - " : "    ") + lines[i] + "\n";
    out += "    help: " + finding.advice + "\n";
  }
  return out;
}

std::string page(const HostFacts& facts, const HostFindings& findings) {
  std::string out = bold("This machine") + "\n" + facts_table(facts) +
                    findings_list(red("Warnings"), findings.warnings) +
                    findings_list(yellow("Recommendations"), findings.recommendations);
  if (findings.warnings.empty()) out += "\nready to run and read studies\n";
  return out;
}

Json findings_json(const std::vector<HostFinding>& findings) {
  Json out = Json::array();
  for (const auto& f : findings) out.push_back({{"code", f.code}, {"text", f.text}, {"advice", f.advice}});
  return out;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json facts_json(const HostFacts& facts, const HostFindings& findings) {
  return {{"schema", "retrial.doctor/1"},
          {"worker", facts.worker.string()},
          {"worker_found", facts.worker_found},
          {"worker_build_id", or_null(facts.worker_build)},
          {"worker_has_torch", facts.worker_has_torch},
          {"worker_problem", facts.worker_problem.empty() ? Json() : Json(facts.worker_problem)},
          {"cuda_worker", facts.cuda_worker ? Json(facts.cuda_worker->string()) : Json()},
          {"cuda_worker_problem", facts.cuda_problem.empty() ? Json() : Json(facts.cuda_problem)},
          {"gpus", facts.gpus.empty() ? Json() : Json(facts.gpus)},
          {"cpu_model", or_null(facts.cpu_model)},
          {"cpus", facts.cpus},
          {"isas", facts.isas},
          {"load", or_null(facts.load)},
          {"governor", or_null(facts.governor)},
          {"memory_bytes", or_null(facts.memory_bytes)},
          {"folder", facts.folder.string()},
          {"file_system", facts.file_system},
          {"network_file_system", facts.network_file_system},
          {"free_bytes", or_null(facts.free_bytes)},
          {"warnings", findings_json(findings.warnings)},
          {"recommendations", findings_json(findings.recommendations)}};
}

int print_settings(bool json) {
  if (json) {
    Json rows = Json::array();
    for (const auto& s : settings_in_force())
      rows.push_back({{"name", s.name}, {"value", s.value}, {"source", s.source}, {"meaning", s.meaning}});
    print_json({{"schema", "retrial.settings/1"}, {"settings", rows}});
    return 0;
  }
  TextTable table({{"setting"}, {"value"}, {"from"}, {"meaning"}});
  for (const auto& s : settings_in_force()) table.add({s.name, results::one_line(s.value, 200), s.source, s.meaning});
  std::cout << table.text(0, terminal_width())
            << "\nCommand-line options override environment variables, which override built-in defaults.\n";
  return 0;
}

int run_doctor(const Arguments& arguments) {
  refuse_extra(arguments, 0, "doctor [--settings] [--json]");
  if (arguments.has("settings")) return print_settings(arguments.has("json"));
  const HostFacts facts =
      host_facts(arguments.value("worker"), arguments.value("worker-cuda"), std::filesystem::current_path());
  const HostFindings findings = findings_of(facts);
  if (arguments.has("json"))
    print_json(facts_json(facts, findings));
  else
    std::cout << page(facts, findings);
  if (!facts.worker_found) return static_cast<int>(Exit::incomparable);
  return facts.worker_problem.empty() ? 0 : static_cast<int>(Exit::measurement);
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .group = "keep",
          .purpose = "check this machine for anything that could spoil a result: worker, processor, disk, load",
          .examples = {"retrial doctor", "retrial doctor --settings", "retrial doctor --json"},
          .arguments = "",
          .options = {{.name = "settings", .meaning = "print every setting, its value and its origin"},
                      {.name = "worker",
                       .value_name = "PATH",
                       .meaning = "worker program to check (default: the one next to retrial)"},
                      {.name = "worker-cuda",
                       .value_name = "PATH",
                       .meaning = "the same for the worker of device = \"cuda\""},
                      {.name = "json", .meaning = "one JSON document (schema retrial.doctor/1 or retrial.settings/1)"}},
          .run = run_doctor};
}

}  // namespace retrial::harness::inline commands
