#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/progress.hpp"
#include "harness/store_argument.hpp"
#include "harness/study_view.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

std::string next_step(const StudyView& study, const Progress& total, const std::string& store) {
  const std::string db = shell_word(store);
  if (total.open() > 0)
    return "give the same retrial run line again (with --db " + db + "); it runs only what is not finished";
  if (total.of(TrialState::failed) > 0)
    return "retrial show " + db +
           " says why trials failed; the same retrial run line with --retry-failed tries them again";
  return (study.design ? "retrial compare " : "retrial show ") + db;
}

Json progress_json(const Progress& progress) {
  Json out{{"name", progress.name}, {"trials", progress.total()}};
  for (const TrialState state : all_trial_states) out[std::string(name_of(state))] = progress.of(state);
  const auto median = progress.median_seconds();
  out["median_seconds"] = median ? Json(results::rounded10(*median)) : Json();
  return out;
}

Json status_document(const StudyView& study, const std::vector<Progress>& variants, const Progress& total,
                     const std::string& store) {
  Json rows = Json::array();
  for (const auto& variant : variants) rows.push_back(progress_json(variant));
  const auto left = remaining_seconds(variants);
  return {{"schema", "retrial.status/1"},
          {"store", store},
          {"study", study.name},
          {"study_digest", results::hex(study.digest)},
          {"total", progress_json(total)},
          {"variants", rows},
          {"remaining_seconds", left ? Json(results::rounded10(*left)) : Json()},
          {"finished", total.open() == 0},
          {"next", next_step(study, total, store)}};
}

std::vector<std::string> cells_of(const Progress& progress) {
  std::vector<std::string> cells{progress.name};
  for (const TrialState state : all_trial_states) cells.push_back(std::to_string(progress.of(state)));
  cells.push_back(std::to_string(progress.total()));
  const auto median = progress.median_seconds();
  cells.push_back(median ? duration_text(*median) : "-");
  return cells;
}

void print_status(const StudyView& study, const std::vector<Progress>& variants, const Progress& total,
                  const std::string& store) {
  std::cout << bold("Study " + study.name) << " (" << results::hex(study.digest).substr(0, 12) << ") in " << store
            << ": " << total.of(TrialState::done) << " of " << counted(total.total(), "trial") << " done\n\n";
  TextTable table({{"variant"},
                   {"done", Align::right},
                   {"failed", Align::right},
                   {"running", Align::right},
                   {"missing", Align::right},
                   {"of", Align::right},
                   {"median time", Align::right}});
  for (const auto& variant : variants) table.add(cells_of(variant));
  if (variants.size() > 1) table.add(cells_of(total));
  std::cout << table.text(2) << "\n";
  if (total.of(TrialState::running) > 0)
    std::cout << "running: started without an end; either under way now, or lost with a process that was killed\n";
  const auto left = remaining_seconds(variants);
  if (total.open() > 0)
    std::cout << "left: "
              << (left ? "about " + duration_text(*left) + " of computing on one worker"
                       : "unknown until a trial of each variant is done")
              << "\n";
  std::cout << "next: " << next_step(study, total, store) << "\n";
}

int run_status(const Arguments& arguments) {
  const StoreChoice choice = store_choice(arguments, {.usage = "status [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  const auto trials = plan_state(store, study.plan);
  const auto variants = progress_by_variant(study, trials);
  const std::string path = choice.path.string();
  if (arguments.has("json")) {
    print_json(status_document(study, variants, total_progress(trials), path));
  } else {
    print_status(study, variants, total_progress(trials), path);
  }
  return 0;
}

}  // namespace

Command status_command() {
  return {.name = "status",
          .group = "run",
          .purpose = "how far a study has come, what is left, and what to type next",
          .examples = {"retrial status quickstart.db", "retrial status --json"},
          .arguments = "[STORE]",
          .options = {{.name = "study",
                       .value_name = "NAME",
                       .meaning = "the study of this name or digest, where the store holds several"},
                      {.name = "json", .meaning = "one JSON document (schema retrial.status/1)"}},
          .run = run_status};
}

}  // namespace retrial::harness
