#include "harness/check/cpus_page.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "harness/text/failure_text.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline check {
namespace {

/// Digests are long and say nothing to a reader; the metrics say how much it is.
std::string difference_cell(const Difference& difference) {
  if (difference.what.starts_with("metric ")) return differing_text(difference);
  return difference.what + place_text(difference);
}

std::string result_cell(const CpuRun& run) {
  const auto result = result_of(run);
  const std::string word(name_of(result));
  return result == CpuResult::different && run.same_as ? word + ", as " + *run.same_as : word;
}

std::string detail_cell(const CpuRun& run) {
  switch (result_of(run)) {
    case CpuResult::native:
      return this_cpu().name;
    case CpuResult::failed:
      return failure_line(run.record.message.value_or(std::string(results::name_of(run.record.status))), 200);
    case CpuResult::different:
      return difference_cell(*run.difference);
    case CpuResult::equal:
      return "all metrics and digests";
    case CpuResult::unknown:
      return run.difference ? "different, but two native runs do not agree" : "equal, but what it started ran natively";
  }
  return "";
}

report::Tone tone_of(CpuResult result) {
  if (result == CpuResult::equal) return report::Tone::good;
  if (result == CpuResult::native) return report::Tone::plain;
  return result == CpuResult::unknown ? report::Tone::open : report::Tone::bad;
}

report::Table cpu_table(const CpuReport& of) {
  report::Table table{.caption = "Variant " + of.variant, .columns = {"CPU", "result", "compared with native"}};
  for (const auto& run : of.runs)
    table.rows.push_back({run.cpu, report::Cell(result_cell(run), tone_of(result_of(run))), detail_cell(run)});
  return table;
}

/// Where a program starts others, only its first process was emulated: reported once for all models.
std::vector<std::string> remarks_on_starts(const CpuReport& of) {
  std::vector<std::string> names, unknown;
  for (const auto& run : of.runs) {
    if (!run.not_emulated) unknown.push_back(run.cpu);
    for (const auto& name : run.not_emulated.value_or(std::vector<std::string>{}))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::vector<std::string> out;
  if (!names.empty())
    out.push_back("not emulated: " + results::one_line(results::joined(names), 400) +
                  ", which the program starts; if the numbers come from there, give that program as the command");
  if (!unknown.empty())
    out.push_back(
        "whether the program starts others is not known (this kernel does not report it); those would "
        "not be emulated");
  return out;
}

std::string length_text(const CheckSettings& settings, bool program) {
  return program || settings.max_steps == 0 ? "whole"
                                            : "at most " + counted(settings.max_steps, "optimizer step") + " each";
}

bool is_program(const Study& study) {
  return static_cast<bool>(workloads::find_workload(study.workload, "").argv);
}

Json run_json(const CpuRun& run) {
  Json out{{"cpu", run.cpu},
           {"emulated", run.record.manifest.value("/machine/emulated"_json_pointer, Json())},
           {"result", name_of(result_of(run))},
           {"repeats_natively", run.repeats_natively},
           {"same_as", run.same_as ? Json(*run.same_as) : Json()},
           {"not_emulated", run.not_emulated ? Json(*run.not_emulated) : Json()},
           {"failure", Json()},
           {"difference", run.difference ? difference_document(*run.difference) : Json()}};
  if (result_of(run) == CpuResult::failed) out["failure"] = run.record.message.value_or("");
  return out;
}

Json model_json(const Model& model) {
  auto out = cpu_document(model.cpu);
  out["model"] = model.name;
  out["declares_avx512"] = model.has_avx512();
  out["emulator_lacks"] = model.lacks;
  return out;
}

Json models_json(const std::vector<Model>& models) {
  Json out = Json::array();
  for (const auto& model : models) out.push_back(model_json(model));
  return out;
}

/// Features that compute floating-point numbers are named, the others counted.
std::string lacks_cell(const Model& model) {
  constexpr std::array<std::string_view, 6> computing{"avx", "fma", "f16c", "sse", "xop", "amx"};
  std::vector<std::string> words;
  std::size_t others = 0;
  for (const auto& feature : model.lacks)
    if (std::ranges::any_of(computing, [&](auto begin) { return feature.starts_with(begin); }))
      words.push_back(feature);
    else
      ++others;
  if (others > 0) words.push_back((words.empty() ? "" : "and ") + counted(static_cast<std::int64_t>(others), "other"));
  return results::joined(words, " ");
}

}  // namespace

report::Part cpus_part(const Study& study, const CheckSettings& settings, const std::vector<Model>& models,
                       const std::vector<CpuReport>& reports) {
  report::Section out{
      .id = "cpus",
      .title = "CPUs of " + study.name,
      .blocks = {report::Paragraph{"One trial of each variant, " + length_text(settings, is_program(study)) +
                                   ", every source at pair 0, on this CPU and under " +
                                   counted(static_cast<std::int64_t>(models.size()), "emulated CPU") + "; root seed " +
                                   std::to_string(*study.seed)}}};
  Json variants = Json::array();
  for (const auto& one : reports) {
    out.blocks.emplace_back(cpu_table(one));
    auto remarks = one.remarks;
    std::ranges::move(remarks_on_starts(one), std::back_inserter(remarks));
    for (const auto& remark : remarks) out.blocks.emplace_back(report::Warning{remark});
    Json runs = Json::array();
    for (const auto& run : one.runs) runs.push_back(run_json(run));
    variants.push_back({{"variant", one.variant}, {"runs", std::move(runs)}, {"remarks", std::move(remarks)}});
  }
  return {.section = std::move(out),
          .data = {{"schema", "retrial.cpus/1"},
                   {"workload", study.workload},
                   {"seed", results::hex16(*study.seed)},
                   {"steps", is_program(study) ? Json() : Json(settings.max_steps)},
                   {"mode", determinism::mode_document(study.mode)},
                   {"native", cpu_document(this_cpu())},
                   {"models", models_json(models)},
                   {"variants", std::move(variants)}}};
}

report::Part cpu_models_part(const std::vector<Model>& models) {
  report::Table table{.columns = {"model", "vendor", "AVX2", "AVX-512", "the emulator lacks"}};
  const auto word = [](bool has) { return has ? "yes" : "no"; };
  const auto here = this_cpu();
  table.rows.push_back({"native", vendor_name(here), word(here.avx2), word(here.avx512), ""});
  for (const auto& model : models)
    table.rows.push_back({model.name, vendor_name(model.cpu), word(model.cpu.avx2),
                          model.has_avx512() && !model.cpu.avx512 ? "not emulated" : word(model.cpu.avx512),
                          lacks_cell(model)});
  report::Section section{
      .id = "cpu-models", .title = "CPU models of retrial check --cpu", .blocks = {std::move(table)}};
  section.blocks.emplace_back(report::Paragraph{
      "A model shows a program vendor and features of that CPU; what the emulator lacks is switched off. Revisions "
      "(Haswell-v4) are known too: qemu-x86_64 -cpu help"});
  return {
      .section = std::move(section),
      .data = {{"schema", "retrial.cpu_models/1"}, {"native", cpu_document(here)}, {"models", models_json(models)}}};
}

int cpus_exit(const std::vector<CpuReport>& reports) {
  for (const auto& [result, code] : {std::pair{CpuResult::different, Exit::different},
                                     {CpuResult::failed, Exit::measurement},
                                     {CpuResult::unknown, Exit::inconclusive}})
    for (const auto& one : reports)
      if (std::ranges::find(one.runs, result, result_of) != one.runs.end()) return static_cast<int>(code);
  return 0;
}

}  // namespace retrial::harness::inline check
