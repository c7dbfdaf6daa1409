#include "harness/gate/measured/run_suite.hpp"

#include <algorithm>

#include "harness/plan/variant_order.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/stored/plan_state.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using Entries = std::vector<results::PlanEntry>;

Entries pairs_of(const Bench& bench, std::int64_t from, std::int64_t to) {
  Entries out;
  for (const auto& entry : bench.plan.entries)
    if (entry.pair_index >= from && entry.pair_index < to) out.push_back(entry);
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
  const auto run = [&](const Bench& bench, std::int64_t first, std::int64_t last) {
    const Entries entries = pairs_of(bench, first, last);
    const RunSettings how = settings(bench);
    if (open_trials(store, entries, how.retry_failed).empty()) return true;
    const RunSummary part = run_study(store, bench.plan.study, entries, how);
    total.finished += part.finished, total.failed += part.failed, total.signal = part.signal;
    if (part.failed_alike && part.signal == 0 && first == 0) refuse_failed_alike(store, bench, entries);
    return part.signal == 0;
  };
  // One benchmark alone takes its turns by the order of its plan.
  if (suite.benches.size() == 1) {
    run(suite.benches.front(), from, to);
    return total;
  }
  const auto root = suite.benches.front().study.seed.value();
  for (std::int64_t round = from; round < to; round += step)
    for (const auto place :
         round_order(root, static_cast<std::uint32_t>(suite.benches.size()), static_cast<std::uint64_t>(round / step)))
      if (!run(suite.benches[place], round, std::min(to, round + step))) return total;
  return total;
}

}  // namespace retrial::harness::inline gate::inline measured
