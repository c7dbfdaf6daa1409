// The history of a store against its declared design: every INVALID verdict that it can cause.
#include "harness/judge/design/design_violation.hpp"

#include <algorithm>

#include "harness/judge/design/comparison.hpp"
#include "harness/plan/plan.hpp"
#include "harness/study/file/study_file.hpp"
#include "results/record/identity.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::design_violation_tests {

using namespace retrial::harness;
using retrial::Json;
using retrial::tests::Folder;
using retrial::tests::write_file;
using retrial::variance::InvalidReason;
using retrial::variance::Status;
namespace results = retrial::results;

namespace {

Plan plan_of(const Folder& folder, const std::string& compare, const std::string& top = "") {
  write_file(folder / "s.toml", "schema = 1\nworkload = \"null\"\nseed = 1\n" + top + "[compare]\n" + compare);
  return make_plan(checked(read_study_file(folder / "s.toml")), {.build_id = "test", .program_label = {}, .data = "."});
}

void put(results::Store& store, const Plan& plan) {
  store.put_study("s", plan.study, plan.entries, std::vector<std::pair<std::string, Json>>{{"design", *plan.design}});
}

/// The candidate wins every pair.
void run(results::Store& store, const Plan& plan) {
  for (const auto& entry : plan.entries) {
    if (!store.trials(entry.identity).empty()) continue;
    results::TrialRecord record{.identity = entry.identity, .replicate = entry.replicate};
    record.attempt = results::attempt_id({}, entry.identity, 0);
    record.started_ns = entry.ordinal + 1;
    record.worker = "w0";
    record.defs = {{"score", "points", results::Direction::higher, results::Nature::outcome, results::Scale::absolute,
                    results::Axis::none}};
    const double pair = static_cast<double>(entry.pair_index % 7);
    record.metrics = {{"score", -1, 80.0 + 0.1 * pair + (entry.variant == "shifted" ? 1.0 + 0.05 * pair : 0.0)}};
    record.manifest = Json{{"schema", "retrial.manifest/1"}};
    store.append(record);
  }
}

retrial::variance::Verdict judged(const results::Store& store, const ComparisonChoice& choice = {}) {
  const auto study = read_study(store, store.studies().back());
  return verdict_of(read_comparison(store, study, plan_state(store, study.plan), choice));
}

/// Once judged, a verdict of the study is kept.
void keep_verdict(results::Store& store) {
  const auto study = store.studies().back().digest;
  store.put_verdict(study,
                    Json{{"schema", "retrial.verdict/1"},
                         {"study_digest", results::hex(study)},
                         {"candidate", "shifted"},
                         {"baseline", "base"},
                         {"metric", "score"},
                         {"direction", "higher"},
                         {"declared", true}},
                    "a|b/score", "BETTER", {});
}

const std::string dual = "family = \"dual_e\"\ngamma = 0.75\nn_max = ", curtailed = "family = \"curtailed\"\nn_max = ";

}  // namespace

TEST_CASE("copies of one pair support no verdict, and pairs that differ do") {
  for (const std::string vary : {"vary = []\n", "vary = [\"init\"]\n"}) {
    const Folder folder;
    results::Store store(folder / "s.db", results::Store::Access::write);
    const Plan plan = plan_of(folder, "", vary);
    put(store, plan);
    for (const auto& entry : plan.entries) {
      results::TrialRecord record{.identity = entry.identity, .replicate = entry.replicate};
      record.attempt = results::attempt_id({}, entry.identity, entry.replicate);
      record.started_ns = entry.ordinal + 1;
      record.worker = "w0";
      record.defs = {{"score", "points", results::Direction::higher, results::Nature::outcome, results::Scale::absolute,
                      results::Axis::none}};
      record.metrics = {{"score", -1, entry.variant == "shifted" ? 1.0 : 0.0}};
      record.manifest = Json{{"schema", "retrial.manifest/1"}};
      store.append(record);
    }
    const auto verdict = judged(store);
    CHECK((verdict.status == Status::invalid) == (vary == "vary = []\n"));
    CHECK((verdict.reason == InvalidReason::one_cluster) == (vary == "vary = []\n"));
  }
}

TEST_CASE("a plan that does not go pair by pair is INVALID, order") {
  for (const bool sorted : {false, true}) {
    const Folder folder;
    results::Store store(folder / "s.db", results::Store::Access::write);
    Plan plan = plan_of(folder, dual + "20\n");
    if (sorted) std::swap(plan.entries[4], plan.entries[20]);
    for (std::size_t i = 0; i < plan.entries.size(); ++i) plan.entries[i].ordinal = static_cast<std::int64_t>(i);
    put(store, plan);
    run(store, plan);
    const auto verdict = judged(store);
    CHECK((verdict.status == Status::invalid) == sorted);
    if (sorted) CHECK(verdict.reason == InvalidReason::order);
  }
}

TEST_CASE("another claim than the declared one is INVALID, design-mismatch, of a sequential design alone") {
  for (const std::string& design : {dual + "20\n", std::string("alpha = 0.05\n")}) {
    const Folder folder;
    results::Store store(folder / "s.db", results::Store::Access::write);
    const Plan plan = plan_of(folder, design);
    put(store, plan);
    run(store, plan);
    CHECK(judged(store).status == Status::better);
    const auto exchanged = judged(store, {.metric = {}, .baseline = "shifted", .candidate = "base"});
    if (design.find("family") != std::string::npos)
      CHECK(exchanged.reason == InvalidReason::design_mismatch);
    else
      CHECK(exchanged.status == Status::worse);
  }
}

TEST_CASE("a study tested at other pairs counts as extended or cut short, unless its family is valid at any time") {
  struct Row {
    std::string before, after;
    std::optional<InvalidReason> reason;
  };
  const std::vector<Row> rows{{curtailed + "12\n", curtailed + "20\n", InvalidReason::extended},
                              {curtailed + "20\n", curtailed + "12\n", InvalidReason::design_mismatch},
                              {dual + "12\n", dual + "20\n", std::nullopt},
                              {dual + "20\n", dual + "12\n", std::nullopt},
                              {dual + "20\n", dual + "20\nalpha = 0.1\n", InvalidReason::design_mismatch},
                              {curtailed + "20\n", dual + "20\n", InvalidReason::design_mismatch}};
  for (const auto& [before, after, reason] : rows) {
    INFO(before << " then " << after);
    const Folder folder;
    results::Store store(folder / "s.db", results::Store::Access::write);
    for (const auto& design : {before, after}) {
      const Plan plan = plan_of(folder, design);
      put(store, plan);
      run(store, plan);
    }
    CHECK(judged(store).reason == reason);
  }
}

TEST_CASE("a fixed design is extended only after a verdict of it was kept") {
  for (const bool looked : {false, true}) {
    const Folder folder;
    results::Store store(folder / "s.db", results::Store::Access::write);
    for (const std::string pairs : {"12", "20"}) {
      write_file(folder / "s.toml", "schema = 1\nworkload = \"null\"\nseed = 1\npairs = " + pairs + "\n");
      const auto plan = make_plan(checked(read_study_file(folder / "s.toml")),
                                  {.build_id = "test", .program_label = {}, .data = "."});
      put(store, plan);
      run(store, plan);
      if (looked) keep_verdict(store);
    }
    CHECK(judged(store).reason == (looked ? std::optional(InvalidReason::extended) : std::nullopt));
  }
}

}  // namespace retrial::tests::design_violation_tests
