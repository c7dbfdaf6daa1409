#include "harness/show/status_page.hpp"

#include <algorithm>

#include "harness/judge/design/comparison.hpp"
#include "harness/judge/design/design_sentences.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/commit/launch_lock.hpp"
#include "harness/system/host.hpp"
#include "harness/text/failure_text.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

constexpr std::size_t bar_cells = 30, shown_failures = 3, shown_running = 8;

std::vector<const PlannedTrial*> in_state(const StudyStatus& status, TrialState state) {
  std::vector<const PlannedTrial*> out;
  for (const auto& trial : status.trials)
    if (trial.state == state) out.push_back(&trial);
  return out;
}

std::string next_step(const StudyStatus& status) {
  const std::string db = shell_word(status.store);
  if (status.decided) return "retrial compare " + db;
  if (status.launches > 0 && status.total.open() > 0) return "retrial status " + db + " --watch";
  if (status.total.open() > 0)
    return "repeat the same retrial run command (with --db " + db + "); it runs only unfinished trials";
  if (status.total.of(TrialState::failed) > 0)
    return "retrial show " + db +
           " shows why trials failed; the same retrial run command with --retry-failed runs them again";
  return (status.study.design ? "retrial compare " : "retrial show ") + db;
}

/// "[##########--------------------]  33 %", full only when no trial is open.
std::string bar(const Progress& total) {
  const auto ended = static_cast<std::size_t>(total.of(TrialState::done) + total.of(TrialState::failed));
  const auto of = std::max<std::size_t>(static_cast<std::size_t>(total.total()), 1);
  const std::size_t cells = bar_cells * ended / of;
  return "[" + std::string(cells, '#') + std::string(bar_cells - cells, '-') + "] " + std::to_string(100 * ended / of) +
         " %";
}

double seconds_since(std::int64_t then_ns, std::int64_t now_ns) {
  return static_cast<double>(std::max<std::int64_t>(now_ns - then_ns, 0)) * 1e-9;
}

/// Trials that started and have not ended: running if a front end is, else lost with their process.
std::string running_text(const StudyStatus& status, const std::vector<const PlannedTrial*>& running) {
  if (status.launches == 0)
    return "none: no process works on this store; " + counted(std::ssize(running), "trial") +
           " ended with the process that ran " + (running.size() == 1 ? "it" : "them");
  std::string out;
  for (std::size_t i = 0; i < std::min(running.size(), shown_running); ++i)
    out += (i == 0 ? "" : ", ") + trial_name(running[i]->entry) + " (" +
           duration_text(seconds_since(*running[i]->started_ns, status.now_ns)) + ")";
  return out +
         (running.size() > shown_running ? ", and " + std::to_string(running.size() - shown_running) + " more" : "");
}

std::string failed_text(const StudyStatus& status, const PlannedTrial& failed) {
  const results::TrialRow& row = *failed.row;
  const auto& message = status.messages.at(row.id);
  return trial_name(failed.entry) +
         (row.status == results::Status::failed ? "" : " (" + std::string(results::name_of(row.status)) + ")") +
         (message ? ", " + failure_line(*message, 160) : "");
}

std::string left_text(const StudyStatus& status) {
  if (status.decided)
    return "nothing; " + counted(status.total.open(), "trial") + " of the plan " +
           (status.total.open() == 1 ? "is" : "are") + " not needed";
  if (const auto seconds = seconds_to_end(status))
    return "about " + duration_text(*seconds) + " with " + counted(status.total.of(TrialState::running), "trial") +
           " at a time";
  const auto computing = remaining_seconds(status.variants);
  return computing ? "about " + duration_text(*computing) + " of computing on one worker"
                   : "unknown until a trial of each variant is done";
}

report::Facts facts_of(const StudyStatus& status, bool watched) {
  report::Facts out;
  if (!status.certainty.empty()) out.rows.push_back({"design", status.certainty});
  if (const auto running = in_state(status, TrialState::running); !running.empty())
    out.rows.push_back({"running", running_text(status, running)});
  const auto failed = in_state(status, TrialState::failed);
  for (std::size_t i = failed.size() - std::min(failed.size(), shown_failures); i < failed.size(); ++i)
    out.rows.push_back({"failed", failed_text(status, *failed[i])});
  if (status.total.open() > 0) out.rows.push_back({"left", left_text(status)});
  if (!watched || is_idle(status)) out.rows.push_back({"next", next_step(status)});
  return out;
}

Json progress_json(const Progress& progress) {
  Json out{{"name", progress.name}, {"trials", progress.total()}};
  for (const TrialState state : all_trial_states) out[std::string(name_of(state))] = progress.of(state);
  out["median_seconds"] = report::derived(progress.median_seconds());
  return out;
}

Json running_json(const StudyStatus& status) {
  Json out = Json::array();
  for (const auto* trial : in_state(status, TrialState::running))
    out.push_back({{"trial", trial_name(trial->entry)},
                   {"seconds", results::rounded10(seconds_since(*trial->started_ns, status.now_ns))}});
  return out;
}

Json status_json(const StudyStatus& status) {
  Json rows = Json::array();
  for (const auto& variant : status.variants) rows.push_back(progress_json(variant));
  Json out{{"schema", "retrial.status/1"},
           {"store", status.store},
           {"study", status.study.name},
           {"study_digest", results::hex(status.study.digest)},
           {"total", progress_json(status.total)},
           {"variants", rows},
           {"running", running_json(status)},
           {"launches", status.launches},
           {"remaining_seconds", report::derived(remaining_seconds(status.variants))},
           {"seconds_to_end", report::derived(seconds_to_end(status))},
           {"finished", status.decided || status.total.open() == 0},
           {"next", next_step(status)}};
  if (!status.study.design || !status.study.design->sequential()) return out;
  out["decided"] = status.decided;
  out["certainty"] = status.certainty.empty() ? Json() : Json(status.certainty);
  return out;
}

void follow_design(const results::Store& store, StudyStatus& status) {
  if (!status.study.design || !status.study.design->sequential()) return;
  if (status.total.of(TrialState::done) == 0) return;
  const auto verdict = verdict_of(read_comparison(store, status.study, status.trials, {}));
  status.decided = verdict.sequential->state != variance::SequentialState::go_on;
  status.certainty = look_line(*verdict.sequential, verdict.design);
  if (verdict.reason) status.certainty = variance::sentence(verdict);
}

}  // namespace

StudyStatus read_status(const results::Store& store, const StudyView& study) {
  StudyStatus out{.study = study, .store = store.path().string(), .trials = plan_state(store, study.plan)};
  out.messages = failure_messages(store, out.trials, shown_failures);
  out.variants = progress_by_variant(study, out.trials);
  out.total = total_progress(out.trials);
  out.launches = LaunchLock::live(store.path());
  out.now_ns = now_ns();
  follow_design(store, out);
  return out;
}

bool is_idle(const StudyStatus& status) {
  return status.total.open() == 0 || status.launches == 0;
}

std::optional<double> seconds_to_end(const StudyStatus& status) {
  const auto at_work = status.total.of(TrialState::running);
  const auto computing = remaining_seconds(status.variants);
  if (status.launches == 0 || at_work == 0 || !computing) return {};
  return *computing / static_cast<double>(at_work);
}

report::Part status_part(const StudyStatus& status, bool watched) {
  auto rows = status.variants;
  if (rows.size() > 1) rows.push_back(status.total);
  report::Table table = progress_table(rows);
  table.columns.push_back(report::right("median time"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The median over variants of different length would describe none of them.
    const auto median = i < status.variants.size() ? rows[i].median_seconds() : std::nullopt;
    table.rows[i].emplace_back(median ? duration_text(*median) : "-");
  }
  return {.section = {{.id = "status",
                       .title = "Study " + status.study.name,
                       .aside = "(" + results::hex(status.study.digest).substr(0, 12) + ") in " + status.store,
                       .blocks = {report::Paragraph{bar(status.total) + ", " +
                                                    std::to_string(status.total.of(TrialState::done)) + " of " +
                                                    counted(status.total.total(), "trial") + " done"},
                                  std::move(table), facts_of(status, watched)}}},
          .data = status_json(status)};
}

}  // namespace retrial::harness::inline show
