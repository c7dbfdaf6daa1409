#include "harness/show/study_page.hpp"

#include "determinism/mode/kernel_mode.hpp"
#include "harness/judge/leaderboard/grid_names.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/progress.hpp"
#include "harness/text/failure_text.hpp"
#include "harness/text/names.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

std::string comparison_text(const StudyView& study) {
  if (!study.candidate || !study.baseline) return "none declared";
  return *study.candidate + " (candidate) vs " + *study.baseline + " (baseline) by " + study.metric.value_or("?");
}

std::string progress_text(const Progress& total) {
  std::vector<std::string> parts;
  for (const TrialState state : all_trial_states)
    if (total.of(state) > 0) parts.push_back(std::to_string(total.of(state)) + " " + std::string(name_of(state)));
  return counted(total.total(), "trial") + ": " + results::joined(parts);
}

report::Facts head_facts(const StudyPage& page) {
  const StudyView& study = page.study;
  report::Facts out{{{"workload", study.workload},
                     {"plan", counted(study.pairs, study.variance ? "run" : "pair") + ", seed " + study.seed},
                     {"progress", progress_text(total_progress(page.trials))},
                     {"varied", names_or_nothing(study.vary)},
                     {"held", names_or_nothing(study.hold)},
                     {"kernel mode", determinism::mode_text(study.mode)},
                     {"compared", comparison_text(study)}}};
  const auto names = names_in(judged_variants(study));
  if (const auto grid = names.empty() ? std::nullopt : grid_of_names(names, names.front()))
    out.rows.push_back({"grid", grid_text(*grid)});
  if (!study.claims.empty())
    out.rows.push_back({"claims", std::to_string(study.claims.claims.size()) + " registered: retrial compare " +
                                      shell_word(page.store) + " --claims"});
  out.rows.push_back({"outcomes", results::hex(page.outcome_digest)});
  out.rows.push_back({"results", page.result_digest ? text_of(*page.result_digest)
                                                    : "retrial show " + shell_word(page.store) + " --info"});
  return out;
}

report::Section section_of(const StudyPage& page) {
  report::Section out{.id = "study",
                      .title = "Study " + page.study.name,
                      .aside = "(" + results::hex(page.study.digest).substr(0, 12) + ") in " + page.store,
                      .blocks = {head_facts(page)}};
  if (page.summaries.empty())
    out.blocks.emplace_back(report::Paragraph{total_progress(page.trials).of(TrialState::done) == 0
                                                  ? "No trial has finished yet."
                                                  : "No finished trial has a final value of this metric."});
  else
    out.blocks.emplace_back(metrics_table(page.summaries));
  report::Table failed{.caption = "Failed trials", .columns = {"trial", "status", "message"}};
  for (const auto& trial : page.trials)
    if (trial.state == TrialState::failed)
      failed.rows.push_back({trial_name(trial.entry), std::string(results::name_of(trial.row->status)),
                             failure_line(page.messages.at(trial.row->id).value_or(""), 300)});
  if (!failed.rows.empty()) out.blocks.emplace_back(std::move(failed));
  return out;
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

Json study_json(const StudyPage& page) {
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
          {"result_digest", page.result_digest ? json_of(*page.result_digest) : Json()},
          {"metrics", json_of(page.summaries)},
          {"failed", failures_json(page)}};
}

}  // namespace

report::Part stored_study_part(const StudyPage& page) {
  return {.section = section_of(page), .data = study_json(page)};
}

}  // namespace retrial::harness::inline show
