#include "harness/check/check_protocol.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <thread>

#include "harness/check/causes.hpp"
#include "harness/run/program/program_guard.hpp"
#include "harness/run/program/program_refusals.hpp"
#include "harness/stored/trial_audits.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/failure_text.hpp"
#include "results/record/identity.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline check {
namespace {

using results::PlanEntry;
using results::TrialRecord;

/// One identity of the protocol: a source at a pair index, all others at 0. The shared base has no source.
struct Probe {
  PlanEntry entry;
  std::string source;
  std::uint64_t pair = 0;
};

std::vector<Probe> probes(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, int seeds) {
  std::vector<Probe> out{{.entry = make_trial(study, variant, inputs, {}, 0)}};
  for (const auto& source : honoured(study, variant))
    for (std::uint64_t pair = 1; pair < static_cast<std::uint64_t>(seeds); ++pair)
      out.push_back(
          {.entry = make_trial(study, variant, inputs, {{source, pair}}, pair), .source = source, .pair = pair});
  return out;
}

/// A failed trial ends the check with its message.
void demand_finished(const PlanEntry& entry, const JobResult& result) {
  if (results::has_outcome(result.status)) return;
  throw Error({.exit = Exit::measurement,
               .code = "check.failed",
               .where = entry.variant + "/" + std::to_string(entry.pair_index),
               .problem = "a trial failed: " + failure_line(result.message, 800),
               .help = "fix this first: check needs a program that runs"});
}

void demand_no_signal() {
  if (SignalWatch::count() > 0)
    throw Error({.exit = SignalWatch::first() == 2 ? Exit::interrupted : Exit::terminated,
                 .code = "interrupted",
                 .problem = "interrupted; a check stores nothing"});
}

std::vector<TrialBody> bodies_of(const std::vector<PlanEntry>& entries) {
  return {entries.begin(), entries.end()};
}

TrialRecord record_for(const PlanEntry& entry, const TrialBody& body, const JobResult& result, const Json& study) {
  return record_of(entry, body, result, {}, {.host = "check"}, study);
}

/// Repeats the trial with ever finer step checksums until the first differing step is known. A user's program takes
/// none.
std::optional<std::int64_t> locate_step(const PlanEntry& entry, const Json& study, const CheckSettings& settings) {
  std::optional<std::int64_t> first;
  if (workloads::find_workload(entry.workload, "").argv) return first;
  for (std::int64_t every = 64; every >= 1; every /= 2) {
    const auto twice = run_trials({entry, entry}, study, settings.pool, settings, "locating the first differing step",
                                  {.checksum_every = every});
    const auto steps = [](const TrialRecord& record) {
      std::map<std::int64_t, std::string> out;
      for (const auto& digest : record.digests)
        if (digest.name.starts_with("step_")) out[digest.step] += digest.hex;
      return out;
    };
    const auto a = steps(twice[0]), b = steps(twice[1]);
    if (a.empty()) continue;  // fewer steps than `every`, or a workload without step checksums
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x != a.end()) first = x->first;
  }
  return first;
}

void compare_repeats(const std::vector<Probe>& all, const std::vector<std::vector<TrialRecord>>& repeats,
                     const Json& study, const CheckSettings& settings, CheckReport& report) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& repeat : repeats[i]) {
      const auto difference = first_difference(repeats[i].front(), repeat);
      if (!difference) continue;
      report.findings.push_back({.kind = "not-reproducible",
                                 .variant = report.variant,
                                 .source = all[i].source,
                                 .pair = all[i].pair,
                                 .difference = *difference,
                                 .outcomes = different_outcomes(repeats[i]),
                                 .runs = repeats[i].size(),
                                 .step = locate_step(all[i].entry, study, settings)});
      break;
    }
}

void find_dead_sources(const std::vector<Probe>& all, const std::vector<std::vector<TrialRecord>>& repeats,
                       CheckReport& report) {
  for (const auto& source : report.sources) {
    bool alive = false, tried = false;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].source == source) {
        tried = true;
        alive = alive || first_difference(repeats[0].front(), repeats[i].front()).has_value();
      }
    if (tried && !alive)
      report.findings.push_back({.kind = "dead-source",
                                 .variant = report.variant,
                                 .source = source,
                                 .detail = "another seed changes nothing"});
  }
}

/// A seed of which only a part is used gives few outcomes; so does a coarse metric, so this is no finding.
void count_outcomes(const std::vector<Probe>& all, const std::vector<std::vector<TrialRecord>>& repeats,
                    CheckReport& report) {
  for (const auto& source : report.sources) {
    std::vector<TrialRecord> firsts;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i == 0 || all[i].source == source) firsts.push_back(repeats[i].front());
    const auto outcomes = different_outcomes(firsts);
    if (outcomes > 1 && outcomes < firsts.size())
      report.remarks.push_back(std::to_string(firsts.size()) + " seeds of " + source + " gave only " +
                               std::to_string(outcomes) +
                               " different outcomes: a coarse metric, or a seed of which only a part is used");
  }
}

/// The trial whose repeats differ, else the one that all sources share.
void try_surroundings(const std::vector<Probe>& all, const std::vector<std::vector<TrialRecord>>& repeats,
                      const Json& study, const CheckSettings& settings, CheckReport& report) {
  if (settings.suspects.to_try.empty()) return;
  std::size_t tried = 0;
  for (std::size_t i = all.size(); i-- > 0;)
    if (different_outcomes(repeats[i]) > 1) tried = i;
  auto causes = find_causes(all[tried].entry, repeats[tried], study, settings);
  report.changed = causes.runs;
  report.untried = std::move(causes.untried);
  std::ranges::move(causes.findings, std::back_inserter(report.findings));
  std::ranges::move(causes.remarks, std::back_inserter(report.remarks));
}

/// Repeats that differ are already findings, so only the first repeat of each trial is audited.
void audit_trials(const std::vector<Probe>& all, const std::vector<std::vector<TrialRecord>>& repeats,
                  const workloads::Declaration& declaration, const Values& values, CheckReport& report) {
  const auto contributors = workloads::contributions_of(declaration, {&values, 1});
  report.audits = audit_names(contributors);
  if (report.audits.empty()) return;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& found : audited(contributors, finished_trial(repeats[i].front(), all[i].entry.pair_index), values))
      report.findings.push_back({.kind = found.kind,
                                 .variant = report.variant,
                                 .source = all[i].source,
                                 .pair = all[i].pair,
                                 .detail = found.subject + ": " + found.compared});
}

enum class Advance { to_end, by_boundary, probe };

struct Ran {
  std::vector<JobResult> results;  ///< in the order of the entries
  std::size_t boundaries = 0;      ///< at which trials were interrupted
};

/// Runs or probes all entries. By boundary, trials take turns: between two boundaries of one, others run in the same
/// workers.
Ran run_orders(const std::vector<PlanEntry>& entries, const std::vector<TrialBody>& bodies, WorkerPool& pool,
               const CheckSettings& settings, const std::string& phase, const HowToRun& how, Advance advance) {
  const ScratchFolder scratch;
  // Interrupted trials have their own cache, so that trainings whose result is cached are interrupted too.
  const auto cache = advance == Advance::by_boundary ? scratch.path() / "cache" : settings.cache;
  Ran ran{.results = std::vector<JobResult>(entries.size())};
  ProgramGuard program(entries, ProgramGuard::Since::now);
  const auto demand_same_program = [&](std::size_t trial) {
    if (const auto change = program.change(entries[trial].variant))
      refuse_changed_program(*change, phase, "leave it as it is while its trials run, and run the same command again");
  };
  std::vector<std::string> checkpoints(entries.size());
  std::deque<std::size_t> waiting(entries.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  for (std::size_t finished = 0; finished < entries.size();) {
    demand_no_signal();
    for (; pool.has_room() && !waiting.empty(); waiting.pop_front()) {
      const std::size_t next = waiting.front();
      demand_same_program(next);
      const auto out = scratch.path() / std::to_string(next);
      std::filesystem::create_directories(out);
      pool.start(next, {.trial = bodies[next],
                        .from = checkpoints[next],
                        .stop_after = advance == Advance::by_boundary ? 1 : 0,
                        .probe = advance == Advance::probe,
                        .place = {.data = settings.data,
                                  .cache = cache,
                                  .out = out,
                                  .max_steps = how.max_steps,
                                  .checksum_every = how.checksum_every,
                                  .folders = settings.folders,
                                  .scripts = settings.scripts,
                                  .launcher = how.launcher}});
    }
    auto ended = pool.wait(std::chrono::milliseconds(250));
    if (how.advanced) {
      how.advanced(static_cast<double>(finished) + pool.fraction_running());
      if (settings.progress) settings.progress(phase, finished, entries.size());
    }
    for (auto& result : ended) {
      demand_same_program(result.job);
      if (!how.keep_failures) demand_finished(entries[result.job], result);
      if (result.event.kind == WorkerEvent::Kind::stopped) {
        ++ran.boundaries;
        checkpoints[result.job] = result.event.text;
        waiting.push_back(result.job);
        continue;
      }
      ran.results[result.job] = std::move(result);
      ++finished;
      if (settings.progress) settings.progress(phase, finished, entries.size());
    }
  }
  return ran;
}

}  // namespace

std::size_t check_size(const Study& study, const StudyVariant& variant, const CheckSettings& settings) {
  const auto identities = 1 + honoured(study, variant).size() * static_cast<std::size_t>(settings.seeds - 1);
  return identities * static_cast<std::size_t>(settings.repeats + (settings.interrupt ? 1 : 0)) +
         settings.suspects.to_try.size();
}

namespace {

std::optional<double> metric_value(const Difference& difference, const std::string& side) {
  return difference.what.starts_with("metric ") ? results::double_from_hex(side) : std::nullopt;
}

}  // namespace

std::string differing_text(const Difference& difference) {
  const auto a = metric_value(difference, difference.a), b = metric_value(difference, difference.b);
  return difference.what + " is " + side_text(difference, difference.a) + " and " +
         side_text(difference, difference.b) + (a && b ? " (difference " + report::short_text(*b - *a) + ")" : "") +
         place_text(difference);
}

std::string side_text(const Difference& difference, const std::string& side) {
  const auto number = metric_value(difference, side);
  return number ? results::text_of(*number) : side;
}

std::string place_text(const Difference& difference) {
  return difference.step >= 0 ? " at step " + std::to_string(difference.step) : " at the end";
}

Json difference_document(const Difference& difference) {
  const auto value_of = [&](const std::string& side) {
    const auto value = metric_value(difference, side);
    return value ? Json(results::text_of(*value)) : Json();
  };
  return {{"what", difference.what}, {"step", difference.step},           {"a", difference.a},
          {"b", difference.b},       {"a_value", value_of(difference.a)}, {"b_value", value_of(difference.b)}};
}

std::vector<TrialRecord> run_trials(const std::vector<PlanEntry>& entries, const Json& study, const PoolSettings& pool,
                                    const CheckSettings& settings, const std::string& phase, const HowToRun& how) {
  WorkerPool workers(pool);
  return run_trials(entries, study, workers, settings, phase, how);
}

std::vector<TrialRecord> run_trials(const std::vector<PlanEntry>& entries, const Json& study, WorkerPool& pool,
                                    const CheckSettings& settings, const std::string& phase, const HowToRun& how) {
  const auto bodies = bodies_of(entries);
  const auto results = run_orders(entries, bodies, pool, settings, phase, how, Advance::to_end).results;
  std::vector<TrialRecord> records;
  for (std::size_t i = 0; i < entries.size(); ++i)
    records.push_back(record_for(entries[i], bodies[i], results[i], study));
  return records;
}

std::vector<workloads::ProbeReport> run_probes(const std::vector<PlanEntry>& entries, WorkerPool& pool,
                                               const CheckSettings& settings,
                                               const std::vector<std::string>& declared) {
  std::vector<workloads::ProbeReport> reports;
  const auto ran = run_orders(entries, bodies_of(entries), pool, settings, "probes", {.max_steps = settings.max_steps},
                              Advance::probe);
  for (const auto& result : ran.results) {
    for (const auto& finding : result.event.report.findings)
      if (std::find(declared.begin(), declared.end(), finding.kind) == declared.end())
        throw Error({.exit = Exit::integrity,
                     .code = "probe.undeclared",
                     .where = entries[result.job].workload,
                     .value = results::one_line(finding.kind, 100),
                     .problem = "a worker reported a finding that its workload does not declare",
                     .allowed = results::joined(declared)});
    reports.push_back(result.event.report);
  }
  return reports;
}

CheckReport check_variant(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                          const CheckSettings& settings) {
  const auto all = probes(study, variant, inputs, settings.seeds);
  const auto document = study_document(study);
  CheckReport report{.variant = variant.name, .sources = honoured(study, variant), .identities = all.size()};

  std::vector<std::vector<TrialRecord>> repeats(all.size());
  auto last_from = std::chrono::steady_clock::now();
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    if (repeat > 0 && repeat + 1 == settings.repeats) std::this_thread::sleep_until(last_from);
    // Each repeat starts at another trial, and the last one uses a fresh process per trial: what ran before in a
    // process must not matter.
    std::vector<PlanEntry> entries;
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      order[i] =
          (i + static_cast<std::size_t>(repeat) * all.size() / static_cast<std::size_t>(settings.repeats)) % all.size();
      entries.push_back(all[order[i]].entry);
    }
    auto pool = settings.pool;
    pool.fresh = pool.fresh || (repeat > 0 && repeat + 1 == settings.repeats);
    auto records = run_trials(entries, document, pool, settings,
                              "repeat " + std::to_string(repeat + 1) + " of " + std::to_string(settings.repeats));
    if (repeat == 0) last_from = std::chrono::steady_clock::now() + settings.apart;
    report.trials += records.size();
    for (std::size_t i = 0; i < all.size(); ++i) repeats[order[i]].push_back(std::move(records[i]));
  }
  compare_repeats(all, repeats, document, settings, report);
  find_dead_sources(all, repeats, report);
  count_outcomes(all, repeats, report);
  audit_trials(all, repeats, workloads::find_workload(study.workload, ""), variant.values, report);

  try_surroundings(all, repeats, document, settings, report);
  if (settings.interrupt) {
    std::vector<PlanEntry> entries;
    for (const auto& probe : all) entries.push_back(probe.entry);
    const auto bodies = bodies_of(entries);
    WorkerPool workers(settings.pool);
    const auto [interrupted, boundaries] =
        run_orders(entries, bodies, workers, settings, "interrupted at every boundary", {}, Advance::by_boundary);
    report.interrupted = interrupted.size();
    report.boundaries = boundaries;
    const auto known = [&](const Probe& probe) {  // a trial that does not repeat says nothing about interruptions
      return std::any_of(report.findings.begin(), report.findings.end(), [&](const CheckFinding& finding) {
        return finding.kind == "not-reproducible" && finding.source == probe.source && finding.pair == probe.pair;
      });
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const auto difference =
              known(all[i])
                  ? std::nullopt
                  : first_difference(repeats[i].front(), record_for(entries[i], bodies[i], interrupted[i], document)))
        report.findings.push_back({.kind = "interruption",
                                   .variant = variant.name,
                                   .source = all[i].source,
                                   .pair = all[i].pair,
                                   .difference = *difference,
                                   .detail = "differs when interrupted at every boundary"});
  }
  return report;
}

}  // namespace retrial::harness::inline check
