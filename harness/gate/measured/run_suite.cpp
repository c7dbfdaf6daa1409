#include "harness/gate/measured/run_suite.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/plan/variant_order.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/stored/plan_state.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using Entries = std::vector<results::PlanEntry>;

/// The trials of a benchmark by the launches that run them: one for each `step` pairs. Without those of launches that
/// have nothing left to run, so that a store is read once and not at every launch.
std::map<std::int64_t, Entries> open_launches(const results::Store& store, const Bench& bench, std::int64_t from,
                                              std::int64_t to, std::int64_t step, bool retry_failed) {
  std::map<std::int64_t, Entries> out;
  Entries all;
  for (const auto& entry : bench.plan.entries)
    if (entry.pair_index >= from && entry.pair_index < to) all.push_back(entry);
  std::set<std::int64_t> open;
  const auto launch_of = [&](const results::PlanEntry& entry) { return (entry.pair_index - from) / step; };
  for (const auto place : open_trials(store, all, retry_failed)) open.insert(launch_of(all[place]));
  for (auto& entry : all)
    if (const auto launch = launch_of(entry); open.contains(launch)) out[launch].push_back(std::move(entry));
  return out;
}

[[noreturn]] void refuse_failed_alike(const results::Store& store, const Bench& bench, const Entries& entries) {
  std::string message;
  for (const auto& trial : plan_state(store, entries))
    if (trial.state == TrialState::failed && message.empty())
      message = store.attempt_details(trial.row->id).message.value_or("");
  throw Error({.exit = Exit::measurement,
               .code = "gate.failed_alike",
               .where = bench.name,
               .problem = "the first trial of every variant failed in the same way, so the others were not run: " +
                          results::one_line(message, 400),
               .help = "after a repair run the same line with --retry-failed, or in another store (--db)"});
}

}  // namespace

RunSummary run_rounds(results::Store& store, const PlannedSuite& suite,
                      const std::function<RunSettings(const Bench&)>& settings, std::int64_t from, std::int64_t to,
                      std::int64_t step) {
  RunSummary total;
  if (to <= from) return total;
  // One benchmark alone takes its turns by the order of its plan.
  const std::int64_t pairs = suite.benches.size() == 1 ? to - from : step;
  std::vector<std::map<std::int64_t, Entries>> launches;
  for (const Bench& bench : suite.benches)
    launches.push_back(open_launches(store, bench, from, to, pairs, settings(bench).retry_failed));
  std::vector<bool> sealed(suite.benches.size(), false);
  const auto run = [&](std::size_t place, std::int64_t launch) {
    const auto entries = launches[place].find(launch);
    if (entries == launches[place].end()) return true;
    const Bench& bench = suite.benches[place];
    RunSettings how = settings(bench);
    how.sealed = sealed[place];
    const RunSummary part = run_study(store, bench.plan.study, entries->second, how);
    sealed[place] = true;
    total.finished += part.finished, total.failed += part.failed, total.signal = part.signal;
    if (part.failed_alike && part.signal == 0 && from + launch == 0) refuse_failed_alike(store, bench, entries->second);
    return part.signal == 0;
  };
  const auto root = suite.benches.front().study.seed.value();
  for (std::int64_t launch = 0; from + launch * pairs < to; ++launch)
    for (const auto place : round_order(root, static_cast<std::uint32_t>(suite.benches.size()),
                                        static_cast<std::uint64_t>(from / pairs + launch)))
      if (!run(place, launch)) return total;
  return total;
}

}  // namespace retrial::harness::inline gate::inline measured
