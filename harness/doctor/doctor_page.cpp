#include "harness/doctor/doctor_page.hpp"

#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline doctor {
namespace {

std::string worker_text(const HostFacts& facts) {
  if (!facts.worker_found) return "not found at " + facts.worker.string();
  return facts.worker.string() + ", build id " + facts.worker_build.value_or("none");
}

std::string cuda_worker_text(const HostFacts& facts) {
  if (!facts.cuda_worker) return "not built (scripts/setup --cuda, then build again)";
  return facts.cuda_worker->string() + (facts.cuda_problem.empty() ? "" : ", which does not start");
}

/// "NVIDIA H100 80GB HBM3: 700 W, energy counter, 3 slices"; what is missing is left out.
std::string card_text(const Json& card) {
  std::vector<std::string> parts;
  if (const Json& limit = card.at("power_limit_w"); limit.is_number())
    parts.push_back(short_text(limit.get<double>()) + " W");
  if (const Json& clock = card.at("max_sm_clock_mhz"); clock.is_number())
    parts.push_back("up to " + short_text(clock.get<double>()) + " MHz");
  parts.emplace_back(card.at("energy_counter").get<bool>() ? "energy counter" : "no energy counter");
  if (const Json& slices = card.at("slices"); slices.is_number() && slices > 0)
    parts.push_back(counted(slices.get<std::int64_t>(), "slice") + " (MIG)");
  if (const Json& throttled = card.at("throttled"); throttled.is_string() && throttled != "none")
    parts.push_back("slowed down by " + throttled.get<std::string>());
  return card.at("name").get<std::string>() + ": " + results::joined(parts);
}

void add_cards(const Json& found, report::Facts& to) {
  if (!found.is_object() || !found.contains("cards")) return;  // no NVIDIA driver
  const Json& driver = found.at("driver");
  to.rows.push_back({"NVIDIA driver", driver.is_string() ? driver.get<std::string>() : std::string("unknown")});
  for (const Json& card : found.at("cards")) to.rows.push_back({"card", card_text(card)});
}

report::Facts machine_facts(const HostFacts& facts) {
  report::Facts out;
  out.rows.push_back({"worker", worker_text(facts)});
  out.rows.push_back({"LibTorch", facts.worker_has_torch ? "linked by the worker" : "not in the worker"});
  out.rows.push_back({"CUDA worker", cuda_worker_text(facts)});
  if (!facts.gpus.empty()) out.rows.push_back({"GPU", facts.gpus});
  add_cards(facts.cards, out);
  out.rows.push_back(
      {"processor", facts.cpu_model.value_or("unknown") + ", " + counted(facts.cpus, "CPU") + " usable"});
  out.rows.push_back({"instruction sets", results::joined(facts.isas)});
  out.rows.push_back({"load", facts.load ? short_text(*facts.load, 3) : "unknown"});
  out.rows.push_back({"governor", facts.governor.value_or("unknown")});
  out.rows.push_back({"memory", facts.memory_bytes ? bytes_text(*facts.memory_bytes) + " available" : "unknown"});
  out.rows.push_back(
      {"store folder", facts.folder.string() + " on " + facts.file_system + ", " +
                           (facts.free_bytes ? bytes_text(*facts.free_bytes) + " free" : "free space unknown")});
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

Json doctor_document(const HostFacts& facts, const HostFindings& findings) {
  return {{"schema", "retrial.doctor/1"},
          {"worker", facts.worker.string()},
          {"worker_found", facts.worker_found},
          {"worker_build_id", or_null(facts.worker_build)},
          {"worker_has_torch", facts.worker_has_torch},
          {"worker_problem", facts.worker_problem.empty() ? Json() : Json(facts.worker_problem)},
          {"cuda_worker", facts.cuda_worker ? Json(facts.cuda_worker->string()) : Json()},
          {"cuda_worker_problem", facts.cuda_problem.empty() ? Json() : Json(facts.cuda_problem)},
          {"gpus", facts.gpus.empty() ? Json() : Json(facts.gpus)},
          {"cards", facts.cards},
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

}  // namespace

report::Part doctor_part(const HostFacts& facts, const HostFindings& findings) {
  report::Section out{.id = "machine", .title = "This machine", .blocks = {machine_facts(facts)}};
  for (const auto& [found, label] :
       {std::pair{&findings.warnings, "warning"}, {&findings.recommendations, "recommendation"}})
    for (const auto& finding : *found)
      out.blocks.emplace_back(report::Warning{finding.text + "; help: " + finding.advice, label});
  if (findings.warnings.empty()) out.blocks.emplace_back(report::Paragraph{"ready to run and read studies"});
  return {.section = std::move(out), .data = doctor_document(facts, findings)};
}

}  // namespace retrial::harness::inline doctor
