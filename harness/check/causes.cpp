#include "harness/check/causes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "harness/text/failure_text.hpp"
#include "harness/text/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline check {
namespace {

using results::TrialRecord;

std::vector<TrialRecord> run_under(const Suspect& suspect, const results::PlanEntry& entry, std::size_t times,
                                   const Json& study, const CheckSettings& settings) {
  auto pool = settings.pool;
  pool.surroundings = suspect.surroundings;
  return run_trials(std::vector(times, entry), study, pool, settings, suspect.name, {.keep_failures = true});
}

void append(std::vector<TrialRecord>& records, std::vector<TrialRecord> more) {
  std::ranges::move(more, std::back_inserter(records));
}

/// As `run_under`, but the last run starts a second and more after the others have ended: runs of one second would
/// agree under any setting if the program reads the clock to the second.
std::vector<TrialRecord> run_apart(const Suspect& suspect, const results::PlanEntry& entry, std::size_t times,
                                   const Json& study, const CheckSettings& settings) {
  if (times < 2) return run_under(suspect, entry, times, study, settings);
  auto records = run_under(suspect, entry, times - 1, study, settings);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  append(records, run_under(suspect, entry, 1, study, settings));
  return records;
}

std::string not_tried(const Suspect& suspect, const TrialRecord& record) {
  return "not tried: with " + suspect.name + " the program failed: " +
         failure_line(record.message.value_or(std::string(results::name_of(record.status))), 200);
}

/// A setting that a user chooses is named; anything else must not matter.
void take_suspect(const Suspect& suspect, const results::PlanEntry& entry, const TrialRecord& before,
                  const TrialRecord& after, Causes& causes) {
  if (!results::has_outcome(after.status)) return causes.remarks.push_back(not_tried(suspect, after));
  const auto difference = first_difference(before, after);
  if (!difference) return;
  const auto what = "with " + suspect.name + " " + differing_text(*difference) + ": " + suspect.reaches +
                    " reaches the result; " + suspect.advice;
  if (suspect.setting) return causes.remarks.push_back(what);
  causes.findings.push_back({.kind = "surroundings",
                             .variant = entry.variant,
                             .source = "",
                             .pair = static_cast<std::uint64_t>(entry.pair_index),
                             .difference = *difference,
                             .detail = what});
}

/// The chance that `times` runs agree although nothing is different, if outcomes come as often as they did.
double chance_to_agree(const std::vector<TrialRecord>& repeats, std::size_t times) {
  double chance = 0;
  for (const auto& one : repeats) {
    const auto same =
        std::ranges::count_if(repeats, [&](const auto& other) { return !first_difference(one, other).has_value(); });
    const double share = static_cast<double>(same) / static_cast<double>(repeats.size());
    double power = 1;
    for (std::size_t i = 1; i < times; ++i) power *= share;  // one less: each outcome is met `same` times
    chance += power / static_cast<double>(repeats.size());
  }
  return chance;
}

/// True if that many runs hardly ever agree by chance.
bool rare(const std::vector<TrialRecord>& repeats, std::size_t times) {
  return chance_to_agree(repeats, times) < .05;
}

bool agree(const std::vector<TrialRecord>& pinned) {
  return pinned.size() > 1 && std::ranges::all_of(pinned, results::has_outcome, &TrialRecord::status) &&
         different_outcomes(pinned) == 1;
}

enum class Pinned { explains, agrees, differs, unknown };

Pinned take_pin(const Suspect& pin, const std::vector<TrialRecord>& repeats, const std::vector<TrialRecord>& pinned,
                Causes& causes) {
  const auto failed = std::ranges::find_if_not(pinned, results::has_outcome, &TrialRecord::status);
  if (failed != pinned.end()) causes.remarks.push_back(not_tried(pin, *failed));
  if (failed != pinned.end() || pinned.size() < 2) return Pinned::unknown;
  if (different_outcomes(pinned) > 1) return Pinned::differs;
  const bool likely = rare(repeats, pinned.size());
  const std::string all = std::to_string(pinned.size());
  const std::string doubt =
      likely ? ""
             : ", which happens by chance in up to " + percent(chance_to_agree(repeats, pinned.size())) + " of cases";
  causes.remarks.push_back((likely ? "likely cause: " : "possible cause: ") + pin.reaches + ": with " + pin.name + " " +
                           all + " of " + all + " runs agree" + doubt + "; " + pin.advice);
  return likely ? Pinned::explains : Pinned::agrees;
}

/// Files of the current folder that were written while the trials ran. A folder of many files is not searched to its
/// end.
std::vector<std::string> files_written_since(std::int64_t ns) {
  constexpr int most = 10'000;
  std::vector<std::string> names;
  int seen = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(".", error), end; !error && entry != end && seen < most;
       entry.increment(error), ++seen) {
    struct stat facts {};
    const bool file = ::lstat(entry->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
    if (file && facts.st_mtim.tv_sec * 1'000'000'000LL + facts.st_mtim.tv_nsec >= ns)
      names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

/// Two runs under this pin, the last of them apart; two more if they agree; and all that are left where no further pin
/// needs them: chance hardly explains the agreement, or this is the last pin. Two runs of a program that draws one of
/// 256 values agree under one of 64 sets of four pins, and a wrong cause would be named.
std::vector<TrialRecord> run_pinned(const Suspect& pin, bool last, const results::PlanEntry& entry, std::size_t left,
                                    const std::vector<TrialRecord>& repeats, const Json& study,
                                    const CheckSettings& settings) {
  auto records = run_apart(pin, entry, std::min<std::size_t>(left, 2), study, settings);
  const auto run_more = [&](std::size_t most) {
    const auto more = std::min(left - records.size(), most);
    if (more > 0) append(records, run_under(pin, entry, more, study, settings));
  };
  if (agree(records)) run_more(2);
  if (last || (agree(records) && rare(repeats, records.size()))) run_more(left);
  return records;
}

/// The runs that were announced are all run.
void explain_differences(const results::PlanEntry& entry, const std::vector<TrialRecord>& repeats, const Json& study,
                         const CheckSettings& settings, Causes& causes) {
  const auto announced = settings.suspects.to_try.size();
  const auto pins = pins_to_try();
  bool explained = false, possible = false;
  std::vector<std::string> differing;
  for (std::size_t i = 0; i < pins.size() && causes.runs < announced; ++i) {
    const auto pinned =
        run_pinned(pins[i], i + 1 == pins.size(), entry, announced - causes.runs, repeats, study, settings);
    causes.runs += pinned.size();
    const auto outcome = take_pin(pins[i], repeats, pinned, causes);
    explained = explained || outcome == Pinned::explains;
    possible = possible || outcome == Pinned::agrees;
    if (outcome == Pinned::differs) differing.push_back(pins[i].name);
  }
  const auto written = files_written_since(std::ranges::min(repeats, {}, &TrialRecord::started_ns).started_ns);
  if (!explained)
    causes.remarks.push_back(
        std::string(possible ? "cause not certain" : "cause not found") +
        (differing.empty() ? "" : ": it also differs with " + results::joined(differing, " and with ")) +
        "; look for a generator without a seed, the clock, the process id, the name of {out} or of "
        "another folder made for one run, threads that race" +
        (written.empty() ? ""
                         : ", a file that an earlier run left (written into the current "
                           "folder: " +
                               results::one_line(results::joined(written), 200) + ")"));
}

}  // namespace

std::size_t different_outcomes(const std::vector<TrialRecord>& records) {
  std::vector<const TrialRecord*> kinds;
  for (const auto& record : records)
    if (std::ranges::all_of(kinds, [&](const auto* kind) { return first_difference(*kind, record).has_value(); }))
      kinds.push_back(&record);
  return kinds.size();
}

Causes find_causes(const results::PlanEntry& entry, const std::vector<TrialRecord>& repeats, const Json& study,
                   const CheckSettings& settings) {
  Causes causes;
  if (settings.suspects.to_try.empty()) return causes;
  if (different_outcomes(repeats) > 1) {
    explain_differences(entry, repeats, study, settings, causes);
    return causes;
  }
  causes.untried = settings.suspects.left_out;
  for (const auto& suspect : settings.suspects.to_try) {
    const auto after = run_under(suspect, entry, 1, study, settings);
    causes.runs += after.size();
    take_suspect(suspect, entry, repeats.front(), after.front(), causes);
  }
  return causes;
}

}  // namespace retrial::harness::inline check
