// States of trials, read for all or for few of them. Expected states follow from the records that are written.
#include "harness/stored/plan_state.hpp"

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::plan_state_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

/// 50 pairs, of which trial new/1 failed and plain/2 diverged, and those of pair 4 are missing.
fixture::StudySpec fifty_pairs() {
  fixture::StudySpec spec;
  spec.baseline.assign(50, 90.0);
  spec.gains.assign(50, 0.5);
  return spec;
}

bool some_missing(const results::PlanEntry& entry, results::TrialRecord& record) {
  return entry.pair_index != 4 && fixture::one_failed_one_diverged(entry, record);
}

std::vector<TrialState> states_of(const std::vector<PlannedTrial>& trials) {
  std::vector<TrialState> out;
  for (const auto& trial : trials) out.push_back(trial.state);
  return out;
}

}  // namespace

TEST_CASE("few trials are asked for one by one, and have the same states", "[store]") {
  const fixture::Folder here;
  fixture::write_store("s.db", fifty_pairs(), some_missing);
  const results::Store store("s.db", results::Store::Access::read);
  const auto plan = store.plan_listing(store.studies().front().digest);
  const auto all = attempts_at(store, plan);
  CHECK(all->size() == 98);
  const std::vector<results::PlanEntry> few(plan.begin(), plan.begin() + 10);
  const auto asked = attempts_at(store, few);
  CHECK(asked->size() == 8);  // two of them are missing: nothing else of the store was read
  const auto whole = states_of(plan_state(store, plan, all));
  CHECK(states_of(plan_state(store, few, asked)) == std::vector(whole.begin(), whole.begin() + 10));
  CHECK(std::ranges::count(whole, TrialState::failed) == 1);
  CHECK(std::ranges::count(whole, TrialState::missing) == 2);
}

TEST_CASE("a running trial and a missing one have different states where the caller asks for it", "[store]") {
  const fixture::Folder here;
  fixture::write_store("s.db", fifty_pairs(), some_missing);
  results::Store store("s.db", results::Store::Access::write);
  const auto plan = store.plan_listing(store.studies().front().digest);
  const auto entry = *std::ranges::find(plan, 4, &results::PlanEntry::pair_index);
  const results::Event started{
      .at_ns = 1, .kind = "started", .identity = entry.identity, .attempt = results::Id16{7}, .detail = {}};
  store.append({}, std::span(&started, 1));
  const std::vector one{entry};
  CHECK(plan_state(store, one).front().state == TrialState::running);
  CHECK(plan_state(store, one, attempts_at(store, one), Running::as_missing).front().state == TrialState::missing);
}

}  // namespace retrial::tests::plan_state_tests
