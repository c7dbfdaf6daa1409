#include <algorithm>
#include <map>

#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/progress.hpp"
#include "harness/study_report/provenance/failure_map.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "harness/text/failure_text.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

/// An attempt that failed, diverged or was excluded.
struct Incident {
  std::string trial, status, reason, consequence;
};

using Names = std::map<std::pair<results::Digest, std::uint32_t>, const PlannedTrial*>;

std::string exclusion_reason(const std::vector<results::Event>& events, const results::TrialRow& row) {
  for (const auto& event : events)
    if (event.kind == "excluded" &&
        (event.attempt == row.attempt || (!event.attempt && event.identity == row.identity)))
      return event.detail;
  return "";
}

std::string status_text(const results::TrialRow& row, const results::AttemptDetails& details) {
  std::string out(results::name_of(row.status));
  if (details.exit_code && *details.exit_code != 0) out += ", exit code " + std::to_string(*details.exit_code);
  if (details.signal) out += ", signal " + std::to_string(*details.signal);
  return out;
}

/// Refers to the two judged variants.
bool in_pair_of_both_failed(const Material& material, const PlannedTrial& trial) {
  const auto& design = material.judgement->verdict.design;
  if (trial.entry.variant != design.candidate && trial.entry.variant != design.baseline) return false;
  return std::ranges::any_of(material.judgement->pairs, [&](const PairRow& pair) {
    return pair.index == static_cast<std::int64_t>(trial.entry.pair_index) && pair.outcome == PairOutcome::both_failed;
  });
}

std::string consequence_of(const Material& material, const PlannedTrial& trial, const results::TrialRow& row) {
  const bool diverged = row.status == results::Status::diverged && !row.excluded;
  if (diverged && !material.judgement) return "counts as a loss";
  if (trial.state == TrialState::done && trial.row && trial.row->record != row.record)
    return "another attempt counts instead";
  if (trial.state == TrialState::missing || trial.state == TrialState::running) return "will run again";
  if (material.judgement && in_pair_of_both_failed(material, trial)) return "both trials of the pair failed";
  if (diverged) return "counts as a loss";
  if (material.judgement) return failure_text(material.judgement->verdict.design.failure);
  return "has no value";
}

std::vector<Incident> incidents_of(const Material& material) {
  Names names;
  for (const auto& trial : material.trials) names[{trial.entry.identity, trial.entry.replicate}] = &trial;
  const auto events = material.store.events();
  std::vector<Incident> out;
  for (const auto& row : material.attempts) {
    if (row.status == results::Status::ok && !row.excluded) continue;
    const PlannedTrial& trial = *names.at({row.identity, row.replicate});
    const std::string excluded = row.excluded ? "excluded: " + exclusion_reason(events, row) : "";
    const auto details = material.store.attempt_details(row.id);
    const std::string message = details.message.value_or("");
    out.push_back({.trial = trial_name(trial.entry),
                   .status = status_text(row, details),
                   .reason = excluded + (excluded.empty() || message.empty() ? "" : "; ") + message,
                   .consequence = consequence_of(material, trial, row)});
  }
  return out;
}

/// Repeats of one identity must have the same bits.
std::string repeats_text(const Material& material) {
  std::map<results::Digest, std::pair<std::int64_t, bool>> groups;
  std::map<results::Digest, results::Digest> first;
  for (const auto& row : material.attempts) {
    if (row.excluded || !results::has_outcome(row.status)) continue;
    const auto [place, fresh] = first.emplace(row.identity, row.payload);
    auto& group = groups[row.identity];
    ++group.first;
    if (!fresh && place->second != row.payload) group.second = true;
  }
  std::int64_t repeated = 0, different = 0;
  for (const auto& [identity, group] : groups) {
    repeated += group.first > 1 ? 1 : 0;
    different += group.second ? 1 : 0;
  }
  if (repeated == 0) return "";
  if (different == 0) return counted(repeated, "trial") + " ran more than once, and every repeat gave the same bits.";
  return "Not reproducible: of " + counted(repeated, "trial") + " that ran more than once, " +
         std::to_string(different) + " gave different bits. retrial explain names the fields that differ.";
}

/// The exception of a program and the kind of its end, "ValueError: lr < 0 (command.exit)": what many trials share.
std::string short_reason(const std::string& message) {
  const auto failure = failure_text(message);
  if (failure.cause.empty()) return failure.how;
  const auto kind = failure.how.substr(0, failure.how.find(": "));
  return failure.cause + (kind.find(' ') == std::string::npos ? " (" + kind + ")" : "");
}

/// "a/4, a/5, b/4 and 12 more".
std::string names_text(const std::vector<std::string>& names) {
  constexpr int most = 8;
  if (std::ssize(names) <= most) return results::joined(names);
  return results::joined({names.begin(), names.begin() + most}) + " and " + std::to_string(std::ssize(names) - most) +
         " more";
}

/// A row for trials that ended alike, the most frequent end first.
report::Table incidents_table(const std::vector<Incident>& incidents) {
  struct Alike {
    std::vector<std::string> ending, trials;
  };
  std::vector<Alike> rows;
  std::map<std::vector<std::string>, std::size_t> places;
  for (const auto& i : incidents) {
    const std::vector<std::string> ending{i.status, short_reason(i.reason), i.consequence};
    const auto [place, fresh] = places.emplace(ending, rows.size());
    if (fresh) rows.push_back({.ending = ending, .trials = {}});
    rows[place->second].trials.push_back(i.trial);
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const Alike& row) { return row.trials.size(); });
  report::Table out{.caption = "Attempts that failed, diverged or were excluded",
                    .columns = {report::right("attempts"), "end", "reason", "consequence", "trials"}};
  for (const auto& row : rows)
    out.rows.push_back(
        {std::to_string(row.trials.size()), row.ending[0], row.ending[1], row.ending[2], names_text(row.trials)});
  return out;
}

void add_incidents(const Material& material, const std::vector<Incident>& incidents, report::Section& section) {
  section.blocks.push_back(incidents_table(incidents));
  section.blocks.push_back(report::Paragraph{"The whole message of a trial: retrial show " + shell_word(material.file) +
                                             " " + shell_word(incidents.front().trial) + "."});
}

Json incidents_json(const std::vector<Incident>& incidents) {
  Json out = Json::array();
  for (const auto& i : incidents)
    out.push_back({{"trial", i.trial}, {"end", i.status}, {"reason", i.reason}, {"consequence", i.consequence}});
  return out;
}

}  // namespace

Part failures_part(const Material& material) {
  report::Section section{.id = "failures", .title = "Failures and exclusions"};
  report::Table progress = progress_table(progress_by_variant(material.study, material.trials));
  progress.caption = "Trials of the plan by variant";
  section.blocks.push_back(std::move(progress));
  if (auto map = failure_map(material)) section.blocks.push_back(std::move(*map));
  const auto incidents = incidents_of(material);
  if (incidents.empty())
    section.blocks.push_back(report::Paragraph{"No attempt failed, diverged or was excluded."});
  else
    add_incidents(material, incidents, section);
  const auto lost = material.store.attempts_without_record(material.study.digest);
  if (lost > 0) section.blocks.push_back(report::Warning{lost_attempts_text(lost) + "."});
  const std::string repeats = repeats_text(material);
  if (repeats.starts_with("Not"))
    section.blocks.push_back(report::Warning{repeats});
  else if (!repeats.empty())
    section.blocks.push_back(report::Paragraph{repeats});
  Json counts = Json::object();
  const Progress total = total_progress(material.trials);
  for (const TrialState state : all_trial_states) counts[std::string(name_of(state))] = total.of(state);
  return {.section = std::move(section),
          .data = {{"trials", counts}, {"attempts_without_record", lost}, {"incidents", incidents_json(incidents)}}};
}

}  // namespace retrial::harness::inline study_report::inline provenance
