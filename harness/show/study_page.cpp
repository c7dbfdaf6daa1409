#include "harness/show/study_page.hpp"

#include "determinism/mode/kernel_mode.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/progress.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

std::string names_or(const std::vector<std::string>& names, const std::string& otherwise) {
  return names.empty() ? otherwise : results::joined(names);
}

std::string comparison_text(const StudyView& study) {
  if (!study.candidate || !study.baseline) return "none declared";
  return *study.candidate + " (candidate) against " + *study.baseline + " (baseline) by " + study.metric.value_or("?");
}

std::string progress_text(const Progress& total) {
  std::vector<std::string> parts;
  for (const TrialState state : all_trial_states)
    if (total.of(state) > 0) parts.push_back(std::to_string(total.of(state)) + " " + std::string(name_of(state)));
  return counted(total.total(), "trial") + ": " + results::joined(parts);
}

std::string head_text(const StudyPage& page) {
  const StudyView& study = page.study;
  TextTable table({{""}, {""}});
  table.add({"workload", study.workload});
  table.add({"plan", counted(study.pairs, study.variance ? "run" : "pair") + ", seed " + study.seed});
  table.add({"progress", progress_text(total_progress(page.trials))});
  table.add({"varied", names_or(study.vary, "nothing")});
  table.add({"held", names_or(study.hold, "nothing")});
  table.add({"kernel mode", determinism::mode_text(study.mode)});
  table.add({"compared", comparison_text(study)});
  if (!study.claims.empty())
    table.add({"claims", std::to_string(study.claims.claims.size()) + " registered: retrial compare " +
                             shell_word(page.store) + " --claims"});
  table.add({"outcome digest", results::hex(page.outcome_digest) + " (of the whole store)"});
  return bold("Study " + study.name) + " (" + results::hex(study.digest).substr(0, 12) + ") in " + page.store + "\n" +
         table.text(2, terminal_width());
}

std::vector<std::string> summary_cells(const MetricSummary& s, bool first) {
  const std::string unit = s.def.unit.empty() ? "-" : s.def.unit;
  const std::string direction(results::name_of(s.def.direction));
  return {first ? s.def.name : "",
          first ? unit : "",
          first ? direction : "",
          s.variant,
          std::to_string(s.n),
          or_dash(s.mean),
          or_dash(s.sd),
          or_dash(s.median),
          or_dash(s.least),
          or_dash(s.greatest),
          s.non_finite == 0 ? "" : std::to_string(s.non_finite)};
}

std::string summaries_text(const std::vector<MetricSummary>& summaries) {
  if (summaries.empty()) return "\nNo trial has finished yet.\n";
  TextTable table({{"metric"},
                   {"unit"},
                   {"better"},
                   {"variant"},
                   {"n", Align::right},
                   {"mean", Align::right},
                   {"sd", Align::right},
                   {"median", Align::right},
                   {"least", Align::right},
                   {"greatest", Align::right},
                   {"not finite", Align::right}});
  std::string last;
  for (const auto& summary : summaries) {
    table.add(summary_cells(summary, summary.def.name != last));
    last = summary.def.name;
  }
  return "\n" + bold("Final values") + " (sd divides by n - 1; - where there are too few)\n" +
         table.text(2, terminal_width());
}

std::string failures_text(const StudyPage& page) {
  TextTable table({{"failed trial"}, {"status"}, {"message"}});
  for (const auto& trial : page.trials)
    if (trial.state == TrialState::failed)
      table.add({trial_name(trial.entry), std::string(results::name_of(trial.row->status)),
                 results::one_line(page.messages.at(trial.row->id).value_or(""), 200)});
  return table.empty() ? "" : "\n" + table.text(2, terminal_width());
}

Json failures_json(const StudyPage& page) {
  Json out = Json::array();
  for (const auto& trial : page.trials)
    if (trial.state == TrialState::failed)
      out.push_back({{"trial", trial_name(trial.entry)},
                     {"status", results::name_of(trial.row->status)},
                     {"message", text_or_null(page.messages.at(trial.row->id))}});
  return out;
}

}  // namespace

std::string stored_study_page(const StudyPage& page) {
  return head_text(page) + summaries_text(page.summaries) + failures_text(page);
}

Json stored_study_json(const StudyPage& page) {
  const StudyView& study = page.study;
  const Progress total = total_progress(page.trials);
  Json counts = Json::object(), variants = Json::array();
  for (const TrialState state : all_trial_states) counts[std::string(name_of(state))] = total.of(state);
  for (const auto& variant : study.variants) variants.push_back(variant.name);
  return {{"schema", "retrial.show/1"},
          {"store", page.store},
          {"study", study.name},
          {"study_digest", results::hex(study.digest)},
          {"workload", study.workload},
          {"seed", study.seed},
          {"pairs", study.pairs},
          {"vary", study.vary},
          {"hold", study.hold},
          {"mode", study.mode},
          {"variants", variants},
          {"baseline", text_or_null(study.baseline)},
          {"candidate", text_or_null(study.candidate)},
          {"metric", text_or_null(study.metric)},
          {"trials", counts},
          {"outcome_digest", results::hex(page.outcome_digest)},
          {"metrics", json_of(page.summaries)},
          {"failed", failures_json(page)}};
}

}  // namespace retrial::harness::inline show
