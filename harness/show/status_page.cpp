#include "harness/show/status_page.hpp"

#include <algorithm>

#include "harness/judge/comparison.hpp"
#include "harness/judge/design_sentences.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/commit/launch_lock.hpp"
#include "harness/system/host.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
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
    return "give the same retrial run line again (with --db " + db + "); it runs only what is not finished";
  if (status.total.of(TrialState::failed) > 0)
    return "retrial show " + db +
           " says why trials failed; the same retrial run line with --retry-failed tries them again";
  return (status.study.design ? "retrial compare " : "retrial show ") + db;
}

/// "[##########--------------------]  33 %", full only when nothing is open.
std::string bar(const Progress& total) {
  const auto ended = static_cast<std::size_t>(total.of(TrialState::done) + total.of(TrialState::failed));
  const auto of = std::max<std::size_t>(static_cast<std::size_t>(total.total()), 1);
  const std::size_t cells = bar_cells * ended / of;
  return "[" + std::string(cells, '#') + std::string(bar_cells - cells, '-') + "] " + std::to_string(100 * ended / of) +
         " %";
}

std::vector<std::string> cells_of(const Progress& progress) {
  std::vector<std::string> cells{progress.name};
  for (const TrialState state : all_trial_states) cells.push_back(std::to_string(progress.of(state)));
  cells.push_back(std::to_string(progress.total()));
  const auto median = progress.median_seconds();
  cells.push_back(median ? duration_text(*median) : "-");
  return cells;
}

std::string variant_table(const StudyStatus& status) {
  TextTable table({{"variant"},
                   {"done", Align::right},
                   {"failed", Align::right},
                   {"running", Align::right},
                   {"missing", Align::right},
                   {"of", Align::right},
                   {"median time", Align::right}});
  for (const auto& variant : status.variants) table.add(cells_of(variant));
  if (status.variants.size() > 1) table.add(cells_of(status.total));
  return table.text(2, terminal_width());
}

double seconds_since(std::int64_t then_ns, std::int64_t now_ns) {
  return static_cast<double>(std::max<std::int64_t>(now_ns - then_ns, 0)) * 1e-9;
}

/// Trials that started and have not ended: under way when somebody is at work, else lost with a process.
std::string running_lines(const StudyStatus& status) {
  const auto running = in_state(status, TrialState::running);
  if (running.empty()) return "";
  if (status.launches == 0)
    return "running: nobody is at work on this store, so " + counted(std::ssize(running), "trial") +
           " ended with the process that ran " + (running.size() == 1 ? "it" : "them") + "\n";
  std::string out = "under way:";
  for (std::size_t i = 0; i < std::min(running.size(), shown_running); ++i)
    out += (i == 0 ? " " : ", ") + trial_name(running[i]->entry) + " (" +
           duration_text(seconds_since(*running[i]->started_ns, status.now_ns)) + ")";
  if (running.size() > shown_running) out += ", and " + std::to_string(running.size() - shown_running) + " more";
  return out + "\n";
}

std::string failure_lines(const StudyStatus& status) {
  const auto failed = in_state(status, TrialState::failed);
  std::string out;
  for (std::size_t i = failed.size() - std::min(failed.size(), shown_failures); i < failed.size(); ++i) {
    const results::TrialRow& row = *failed[i]->row;
    out += "failed: " + trial_name(failed[i]->entry);
    if (row.status != results::Status::failed) out += " (" + std::string(results::name_of(row.status)) + ")";
    const auto& message = status.messages.at(row.id);
    out += message ? ", " + results::one_line(*message, 100) + "\n" : "\n";
  }
  return out;
}

std::string left_line(const StudyStatus& status) {
  if (status.decided && status.total.open() > 0)
    return "left: nothing; " + counted(status.total.open(), "trial") + " of the plan " +
           (status.total.open() == 1 ? "is" : "are") + " not needed\n";
  if (status.total.open() == 0) return "";
  if (const auto seconds = seconds_to_end(status))
    return "left: about " + duration_text(*seconds) + " with " +
           counted(status.total.of(TrialState::running), "trial") + " at a time\n";
  const auto computing = remaining_seconds(status.variants);
  return "left: " +
         (computing ? "about " + duration_text(*computing) + " of computing on one worker"
                    : "unknown until a trial of each variant is done") +
         "\n";
}

Json progress_json(const Progress& progress) {
  Json out{{"name", progress.name}, {"trials", progress.total()}};
  for (const TrialState state : all_trial_states) out[std::string(name_of(state))] = progress.of(state);
  const auto median = progress.median_seconds();
  out["median_seconds"] = median ? Json(results::rounded10(*median)) : Json();
  return out;
}

Json running_json(const StudyStatus& status) {
  Json out = Json::array();
  for (const auto* trial : in_state(status, TrialState::running))
    out.push_back({{"trial", trial_name(trial->entry)},
                   {"seconds", results::rounded10(seconds_since(*trial->started_ns, status.now_ns))}});
  return out;
}

Json rounded(const std::optional<double>& seconds) {
  return seconds ? Json(results::rounded10(*seconds)) : Json();
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

StudyStatus look_at(const results::Store& store, const StudyView& study) {
  StudyStatus out{.study = study, .store = store.path().string(), .trials = plan_state(store, study.plan)};
  out.messages = failure_messages(store, out.trials, shown_failures);
  out.variants = progress_by_variant(study, out.trials);
  out.total = total_progress(out.trials);
  out.launches = LaunchLock::live(store.path());
  out.now_ns = now_ns();
  follow_design(store, out);
  return out;
}

bool at_rest(const StudyStatus& status) {
  return status.total.open() == 0 || status.launches == 0;
}

std::optional<double> seconds_to_end(const StudyStatus& status) {
  const auto at_work = status.total.of(TrialState::running);
  const auto computing = remaining_seconds(status.variants);
  if (status.launches == 0 || at_work == 0 || !computing) return {};
  return *computing / static_cast<double>(at_work);
}

std::string status_page(const StudyStatus& status) {
  return bold("Study " + status.study.name) + " (" + results::hex(status.study.digest).substr(0, 12) + ") in " +
         status.store + ": " + std::to_string(status.total.of(TrialState::done)) + " of " +
         counted(status.total.total(), "trial") + " done\n" + bar(status.total) + "\n\n" + variant_table(status) +
         "\n" + (status.certainty.empty() ? "" : "design: " + status.certainty + "\n") + running_lines(status) +
         failure_lines(status) + left_line(status) + "next: " + next_step(status) + "\n";
}

Json status_document(const StudyStatus& status) {
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
           {"remaining_seconds", rounded(remaining_seconds(status.variants))},
           {"seconds_to_end", rounded(seconds_to_end(status))},
           {"finished", status.decided || status.total.open() == 0},
           {"next", next_step(status)}};
  if (!status.study.design || !status.study.design->sequential()) return out;
  out["decided"] = status.decided;
  out["certainty"] = status.certainty.empty() ? Json() : Json(status.certainty);
  return out;
}

}  // namespace retrial::harness::inline show
