#include "harness/run/same_inputs.hpp"

#include <algorithm>

#include "harness/plan/trial_body.hpp"
#include "harness/run/program/program_change.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run {
namespace {

/// A store next to this one that does not exist yet: command-2.db.
std::string free_store(const std::filesystem::path& path) {
  for (int number = 2;; ++number) {
    auto next = path;
    next.replace_filename(path.stem().string() + "-" + std::to_string(number) + path.extension().string());
    if (!std::filesystem::exists(next)) return next.string();
  }
}

bool none_worked(const results::Store& store, const results::Digest& study) {
  return std::ranges::none_of(plan_state(store, store.plan(study)),
                              [](const PlannedTrial& trial) { return trial.state == TrialState::done; });
}

[[noreturn]] void refuse_other_program(const results::Store& store, const results::Digest& study,
                                       const TrialBody& before, const TrialBody& now, SeedFrom seed) {
  const std::string again = seed == SeedFrom::store ? "add --again for a new study, or choose another store with --db"
                            : none_worked(store, study) ? "none of its trials has worked: " + same_line_elsewhere(store)
                                                        : same_line_elsewhere(store) + ", which is a new study";
  throw Error({.exit = Exit::incomparable,
               .code = "run.other_program",
               .where = store.path().string(),
               .problem = "this study was started with a different program: " +
                          program_change(now, before.program(), now.program()),
               .help = again + "; to treat builds as equal, pass --program-label NAME from the first run on"});
}

[[noreturn]] void refuse_other_data(const results::Store& store, const std::string& before, const std::string& now) {
  throw Error(
      {.exit = Exit::integrity,
       .code = "run.other_data",
       .where = store.path().string(),
       .problem =
           "this study was started with different data: stored " + before.substr(0, 12) + ", now " + now.substr(0, 12),
       .help =
           "provide the original files (--data FOLDER; retrial data describe FOLDER shows a digest), or choose another "
           "store with --db"});
}

}  // namespace

std::string same_line_elsewhere(const results::Store& store) {
  return "add --db " + shell_word(free_store(store.path())) + " to the same line";
}

void demand_same_inputs(const results::Store& store, const Plan& plan, SeedFrom seed) {
  const auto stored = store.plan(plan.study_digest);
  for (std::size_t i = 0; i < stored.size() && i < plan.entries.size(); ++i) {
    if (stored[i].identity == plan.entries[i].identity) continue;
    const TrialBody before(stored[i]), now(plan.entries[i]);
    if (before.program() == now.program() && before.dataset() != now.dataset())
      refuse_other_data(store, before.dataset(), now.dataset());
    refuse_other_program(store, plan.study_digest, before, now, seed);
  }
}

}  // namespace retrial::harness::inline run
