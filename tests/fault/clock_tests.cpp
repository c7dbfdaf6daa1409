// Clocks that jump: durations stay what they were, a living process keeps its trials, a dead one does not.
#include <signal.h>

#include <optional>
#include <set>

#include "harness/run/commit/leases.hpp"
#include "harness/run/run_study.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/system/host.hpp"
#include "results/store/store.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/fault/shell.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::clock_tests {

using namespace retrial;
using namespace retrial::harness;
using namespace retrial::tests;
using results::Store;

namespace {

constexpr std::int64_t hour = 3'600'000'000'000;

/// The wall clock, set forward or back by the next of `jumps` on each reading.
class JumpingClock {
 public:
  explicit JumpingClock(std::vector<std::int64_t> jumps) {
    wall_clock() = [this, jumps = std::move(jumps)] { return before_() + jumps[asked_++ % jumps.size()]; };
  }
  ~JumpingClock() { wall_clock() = before_; }
  JumpingClock(const JumpingClock&) = delete;
  JumpingClock& operator=(const JumpingClock&) = delete;

 private:
  std::function<std::int64_t()> before_ = wall_clock();
  std::size_t asked_ = 0;
};

struct Prepared {
  Study study;
  Plan plan;
  RunSettings settings;
};

Prepared prepared(const Folder& folder, std::int64_t epoch_ms) {
  const std::string worker = RETRIAL_CORE_PROGRAM "-worker";
  auto study = checked({.where = "test",
                        .name = "null",
                        .workload = "null",
                        .seed = 23,
                        .pairs = 20,
                        .set = {{"epoch_ms", epoch_ms, "test"}}});
  auto plan = make_plan(study, {.build_id = "0123", .data = folder.path});
  return {.study = study,
          .plan = std::move(plan),
          .settings = {.pool = {.worker = worker, .mode = study.mode, .jobs = 2, .timeout = std::chrono::seconds(60)},
                       .data = folder.path,
                       .cache = folder.path}};
}

std::size_t repeated(const Store& store) {
  std::set<std::pair<results::Digest, std::uint32_t>> seen;
  std::size_t out = 0;
  for (const auto& trial : store.trials()) out += seen.insert({trial.identity, trial.replicate}).second ? 0 : 1;
  return out;
}

}  // namespace

TEST_CASE("a wall clock that is set forward and back again and again changes no duration and loses no trial") {
  const Folder folder;
  const auto work = prepared(folder, 5);
  Store store(folder / "null.db", Store::Access::write);
  store.put_study("null", work.plan.study, work.plan.entries, {});
  RunSummary summary;
  std::int64_t latest = 0;  // end of a lease, counted from now
  auto settings = work.settings;
  settings.stored = [&](const auto&, const auto&) {
    const auto expires = results::Raw(folder / "null.db").one("SELECT max(expires_ns) FROM lease");
    latest = std::max(latest, results::parse_int(expires).value() - monotonic_ns());
  };
  {
    const JumpingClock clock({0, -hour, 24 * hour, -24 * hour, -400 * 24 * hour});
    summary = run_study(store, work.plan.study, work.plan.entries, settings);
  }
  CHECK(latest > 0);
  CHECK(latest <= 120'000'000'000);  // by the monotonic clock, whatever the wall clock says
  CHECK(summary.finished == 40);
  CHECK(summary.unfinished == 0);
  for (const auto& trial : store.trials()) {
    CHECK(trial.wall_ns >= 5'000'000);
    CHECK(trial.wall_ns < hour / 60);
  }
  CHECK(repeated(store) == 0);
  CHECK(store.verify(true).empty());
}

TEST_CASE("a front end whose wall clock is a day ahead takes no trial from one that is alive") {
  const Folder folder;
  Store store(folder / "null.db", Store::Access::write), store_ahead(folder / "null.db", Store::Access::write);
  const auto plan = results::sample_plan(4);
  std::optional<Leases> first;
  first.emplace(store, results::id_of(1));
  REQUIRE(first->take(plan, {0, 1}).size() == 2);
  {
    const JumpingClock clock({24 * hour});
    Leases ahead(store_ahead, results::id_of(2));
    CHECK(ahead.take(plan, {0, 1, 2}) == std::vector<std::size_t>{2});
    first.reset();  // its process ends: its leases are free
    CHECK(ahead.take(plan, {0, 1, 2}).size() == 3);
  }
}

TEST_CASE("leases run out by the monotonic clock: the date decides nothing") {
  const results::TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const std::pair<results::Digest, std::uint32_t> place{results::identity_of(1), 0};
  const auto owner = results::id_of(1), other = results::id_of(2);
  const auto claim = [&](const results::Id16& who, std::int64_t now) -> bool {
    return store.claim(who, std::span(&place, 1), now, now + 120'000'000'000).front();
  };
  const auto now = monotonic_ns();
  CHECK(claim(owner, now));
  {
    const JumpingClock clock({24 * hour});
    CHECK(now_ns() > hour);
    CHECK_FALSE(claim(other, monotonic_ns()));
  }
  CHECK_FALSE(claim(other, now + 119'000'000'000));
  CHECK(claim(other, now + 121'000'000'000));  // a lease that is not renewed is lost
}

TEST_CASE("an attempt that failed last is the newest one, although the clock was set back before it") {
  const results::TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const auto plan = results::sample_plan(1);
  store.put_study("s", results::sample_study("s"), plan, {});
  auto stopped = results::sample_record(0), failed = results::sample_record(0);
  stopped.status = results::Status::killed;
  failed.status = results::Status::failed;
  failed.attempt = results::id_of(90);
  failed.started_ns = stopped.started_ns - hour;
  store.append(
      std::vector{stopped},
      std::vector<results::Event>{
          {.at_ns = 1, .kind = "stopped", .identity = stopped.identity, .attempt = stopped.attempt, .detail = ""}});
  CHECK(plan_state(store, plan).front().state == TrialState::missing);  // ended by ourselves: run again
  store.append(failed);
  CHECK(plan_state(store, plan).front().state == TrialState::failed);
}

TEST_CASE("a study killed before a reboot, or resumed with another monotonic clock, continues at once",
          "[needs-clocks]") {
  if (!allowed("unshare -rT --monotonic 1000000")) {
    WARN("left out: this machine refuses a time namespace (unshare -T)");
    return;
  }
  const std::string line = "$retrial run null --pairs 20 --seed 23 --set epoch_ms=10 --json --db null.db";
  for (const bool ahead : {true, false}) {  // the later clock is that of the killed process, or of the resuming one
    const Folder alone, folder;
    const std::string later = "unshare -rT --monotonic 1000000 --boottime 1000000";
    const auto undisturbed = field(shell(alone, line).out, "outcome_digest");
    const auto killed = shell(folder, "timeout -s KILL 0.3 " + line, ahead ? later : "");
    INFO(killed.err);
    const auto resumed = shell(folder, line, ahead ? "" : later);
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK(field(resumed.out, "outcome_digest") == undisturbed);
  }
}

}  // namespace retrial::tests::clock_tests
