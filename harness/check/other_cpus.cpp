#include "harness/check/other_cpus.hpp"

#include <algorithm>

#include "harness/check/emulated_time.hpp"
#include "harness/system/host.hpp"
#include "harness/text/failure_text.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline check {
namespace {

using results::PlanEntry;
using results::TrialRecord;

/// Measured: 10 for a script with NumPy, some 100 for a training on LibTorch.
constexpr int times_slower = 100;

/// Content of the artifact "started" of a user's program.
std::optional<std::vector<std::string>> started_by(const TrialRecord& record) {
  const auto found = std::ranges::find(record.artifacts, "started", &results::ArtifactValue::name);
  if (found == record.artifacts.end()) return std::vector<std::string>{};
  const auto names = results::parse_json(found->body.value_or("null"), "started");
  if (!names.is_array()) return std::nullopt;
  return names.get<std::vector<std::string>>();
}

TrialRecord failed_record(const PlanEntry& entry, const std::string& message) {
  return {.identity = entry.identity, .status = results::Status::failed, .message = message};
}

/// A CPU to run on; nothing: this one.
using On = const Model*;

class OtherCpus {
 public:
  OtherCpus(const Study& study, const PlanInputs& inputs, const CheckSettings& settings, const Emulator& emulator,
            const std::vector<Model>& models)
      : study_(study),
        settings_(settings),
        emulator_(emulator),
        models_(models),
        document_(study_document(study)),
        program_(static_cast<bool>(workloads::find_workload(study.workload, "").argv)),
        time_(models.size() * study.variants.size()) {
    for (const auto& variant : study.variants) entries_.push_back(make_trial(study, variant, inputs, {}, 0));
  }

  std::vector<CpuReport> run() {
    std::vector<CpuReport> reports;
    for (const auto& variant : study_.variants) reports.push_back({.variant = variant.name, .runs = {}, .remarks = {}});
    add(nullptr, reports);
    for (const auto& model : models_) add(&model, reports);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      compare(reports[i].runs);
      if (repeats_natively(entries_[i], reports[i])) advise(entries_[i], reports[i]);
    }
    return reports;
  }

 private:
  void add(On cpu, std::vector<CpuReport>& reports) {
    auto records = run_on(cpu, entries_, {}, "");
    for (std::size_t i = 0; i < records.size(); ++i) {
      auto started = started_by(records[i]);
      reports[i].runs.push_back({.cpu = cpu ? cpu->name : "native",
                                 .record = std::move(records[i]),
                                 .difference = {},
                                 .same_as = {},
                                 .not_emulated = std::move(started)});
    }
  }

  /// One worker for all trials of an emulated workload: to start one costs more than a few steps.
  PoolSettings pool_on(On cpu, const Surroundings& surroundings) const {
    auto pool = settings_.pool;
    pool.surroundings = surroundings;
    if (cpu == nullptr) return pool;
    pool.timeout *= times_slower;
    if (program_) return pool;
    pool.surroundings.launcher = emulator_.launcher(*cpu);
    pool.hello_patience *= times_slower;
    pool.jobs = 1;
    return pool;
  }

  std::vector<TrialRecord> run_on(On cpu, const std::vector<PlanEntry>& entries, const Surroundings& surroundings,
                                  const std::string& under) {
    const ScratchFolder cache;  // a network trained on one CPU would hide what another makes of it
    auto settings = settings_;
    settings.cache = cache.path();
    const auto name = (cpu ? cpu->name : "native") + under;
    const bool counts = cpu && under.empty();  // the trials whose number was known before the first one
    settings.progress = [&](const std::string& phase, std::size_t done, std::size_t of) {
      if (counts) time_.advanced(static_cast<double>(done));
      settings_.progress(phase + (counts ? time_.left() : ""), done, of);
    };
    HowToRun how{
        .checksum_every = 1, .max_steps = settings_.max_steps, .keep_failures = cpu != nullptr || !under.empty()};
    if (cpu && program_) how.launcher = emulator_.launcher(*cpu);
    if (counts) how.advanced = [&](double done) { time_.advanced(done); };
    auto records = run_or_fail(entries, pool_on(cpu, surroundings), settings, name, how);
    if (counts) time_.finished(entries.size());
    if (cpu)
      for (auto& record : records) mark_emulated(*cpu, record);
    return records;
  }

  /// A worker reports by itself that it was emulated. One that does not ran outside the emulator, and what
  /// it gives is no result of that CPU.
  void mark_emulated(const Model& cpu, TrialRecord& record) const {
    auto& emulated = record.manifest["machine"]["emulated"];
    if (!program_ && emulated.is_null() && results::has_outcome(record.status)) {
      record.status = results::Status::failed;
      record.message = "cpu.not_emulated: the worker ran natively, not under " + cpu.name;
    }
    emulated = cpu.name;
  }

  /// An emulator that does not start costs the trials of its model.
  std::vector<TrialRecord> run_or_fail(const std::vector<PlanEntry>& entries, const PoolSettings& pool,
                                       const CheckSettings& settings, const std::string& name,
                                       const HowToRun& how) const try {
    return run_trials(entries, document_, pool, settings, name, how);
  } catch (const Error& error) {
    if (error.text.code != "worker.no_hello" || !how.keep_failures) throw;
    std::vector<TrialRecord> records;
    for (const auto& entry : entries) records.push_back(failed_record(entry, error.what()));
    return records;
  }

  static void compare(std::vector<CpuRun>& runs) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (!results::has_outcome(runs[i].record.status)) continue;
      runs[i].difference = first_difference(runs.front().record, runs[i].record);
      for (std::size_t j = 0; j < i && !runs[i].same_as; ++j)
        if (results::has_outcome(runs[j].record.status) && !first_difference(runs[j].record, runs[i].record))
          runs[i].same_as = runs[j].cpu;
    }
  }

  /// What differs on another CPU may differ between two runs on this one: such a trial is run here again.
  bool repeats_natively(const PlanEntry& entry, CpuReport& report) {
    if (std::ranges::none_of(report.runs, [](const CpuRun& run) { return run.difference.has_value(); })) return true;
    const auto again = run_on(nullptr, {entry}, {}, " again").front();
    const bool ended = results::has_outcome(again.status);
    const auto difference = ended ? first_difference(report.runs.front().record, again) : std::nullopt;
    if (ended && !difference) return true;
    for (auto& run : report.runs) run.repeats_natively = false;
    report.remarks.push_back(ended
                                 ? "two runs on this CPU differ too: " + differing_text(*difference) +
                                       "; retrial check without --cpu looks for the cause"
                                 : "a second run on this CPU failed: " + failure_line(again.message.value_or(""), 200));
    return false;
  }

  /// CPUs with AVX2 on which the program ended, this one among them.
  std::vector<On> comparable(const CpuReport& report) const {
    std::vector<On> out;
    if (this_cpu().avx2) out.push_back(nullptr);
    for (std::size_t i = 0; i < models_.size(); ++i)
      if (models_[i].cpu.avx2 && results::has_outcome(report.runs[i + 1].record.status)) out.push_back(&models_[i]);
    return out;
  }

  void advise(const PlanEntry& entry, CpuReport& report) {
    const auto cpus = comparable(report);
    const auto run_of = [&](On cpu) -> const CpuRun& {
      return report.runs[cpu ? static_cast<std::size_t>(cpu - models_.data()) + 1 : 0];
    };
    const bool differ = std::ranges::any_of(
        cpus, [&](On cpu) { return first_difference(run_of(cpus.front()).record, run_of(cpu).record).has_value(); });
    if (!differ) return;
    if (program_) return try_suspects(entry, cpus, report);
    report.remarks.push_back(
        study_.mode.portable
            ? "kernel mode portable promises equal bits on CPUs with AVX2: this is a defect of it, please report it"
            : "--mode portable is made to give equal bits on every CPU with AVX2 (retrial list modes)");
  }

  /// The first setting under which all these CPUs agree.
  void try_suspects(const PlanEntry& entry, const std::vector<On>& cpus, CpuReport& report) {
    std::vector<std::string> names, tried;
    for (const On cpu : cpus) names.push_back(cpu ? cpu->name : "native");
    for (const auto& suspect : settings_.suspects.to_try) {
      const auto agree = agreement(entry, cpus, suspect, report);
      if (agree && *agree) {
        report.remarks.push_back("likely cause: " + suspect.reaches + ": with " + suspect.name + " they agree (" +
                                 results::joined(names) + "); " + suspect.advice);
        return;
      }
      if (agree) tried.push_back(suspect.name);
    }
    if (!tried.empty())
      report.remarks.push_back("cause not found: they also differ with " + results::joined(tried, " and with ") +
                               "; look for code that queries the CPU, or that was compiled for one");
  }

  /// Nothing where a run fails, which is remarked on.
  std::optional<bool> agreement(const PlanEntry& entry, const std::vector<On>& cpus, const Suspect& suspect,
                                CpuReport& report) {
    std::optional<TrialRecord> first;
    for (const On cpu : cpus) {
      auto record = run_on(cpu, {entry}, suspect.surroundings, " with " + suspect.name).front();
      if (!results::has_outcome(record.status)) {
        report.remarks.push_back("not tried: with " + suspect.name +
                                 " the program failed: " + failure_line(record.message.value_or(""), 200));
        return std::nullopt;
      }
      if (first && first_difference(*first, record)) return false;
      if (!first) first = std::move(record);
    }
    return true;
  }

  const Study& study_;
  const CheckSettings& settings_;
  const Emulator& emulator_;
  const std::vector<Model>& models_;
  Json document_;
  bool program_;
  EmulatedTime time_;
  std::vector<PlanEntry> entries_;
};

}  // namespace

CpuResult result_of(const CpuRun& run) {
  if (run.cpu == "native") return CpuResult::native;
  if (!results::has_outcome(run.record.status)) return CpuResult::failed;
  if (run.difference) return run.repeats_natively ? CpuResult::different : CpuResult::unknown;
  return run.not_emulated && run.not_emulated->empty() ? CpuResult::equal : CpuResult::unknown;
}

std::string_view name_of(CpuResult result) {
  switch (result) {
    case CpuResult::native:
      return "native";
    case CpuResult::equal:
      return "equal";
    case CpuResult::unknown:
      return "cannot tell";
    case CpuResult::different:
      return "different";
    case CpuResult::failed:
      return "failed";
  }
  return "";
}

std::vector<CpuReport> check_cpus(const Study& study, const PlanInputs& inputs, const CheckSettings& settings,
                                  const Emulator& emulator, const std::vector<Model>& models) {
  return OtherCpus(study, inputs, settings, emulator, models).run();
}

}  // namespace retrial::harness::inline check
