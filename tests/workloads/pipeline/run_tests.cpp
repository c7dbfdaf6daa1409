// Whole trials of the workload, as the programs run them.
#include <cmath>
#include <sstream>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::pipeline_run_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

Values keys_of(const std::string& variant, const Values& more = {}) {
  Values keys = more;
  for (const auto& [key, value] : find_variant(find_workload("pipeline", ""), variant)->preset)
    keys.insert({key, value});
  return keys;
}

Trial trial_named(const std::string& variant, const Values& more = {}, std::uint64_t pair = 0) {
  return trial_of("pipeline", keys_of(variant, more), 1, pair, variant);
}

std::string final_digest(const LogRecorder& log, const std::string& name = "weights") {
  for (const auto& digest : log.digests)
    if (digest.name == name && digest.step == -1) return digest.hex;
  return "";
}

/// Saved and loaded into a new run at every boundary; the executor changes each time.
LogRecorder run_changing(Trial trial, const Place& place) {
  LogRecorder log;
  auto run = find_start("pipeline")(trial, place);
  for (bool threads = true; run->advance(log); threads = !threads) {
    std::stringstream state;
    run->save(state);
    trial.values["executor"] = std::string(threads ? "threads_fixed" : "tick");
    run = find_start("pipeline")(trial, place);
    run->load(state);
  }
  return log;
}

Values sizes(std::int64_t samples) {
  return {{"samples", samples}, {"stages", std::int64_t{5}}, {"width", std::int64_t{8}}};
}

}  // namespace

TEST_CASE("a trial records every metric, its digests and what it did") {
  const LogRecorder log = run_to_end(trial_named("pb-lwp-sc", sizes(2500)));
  CHECK(log.final_value("accuracy") > 30);
  CHECK(log.final_value("diverged") == 0);
  CHECK(log.final_value("delay_max_first") == 8);
  CHECK_THAT(log.final_value("delay_mean_first"), WithinRel(8 - 36.0 / 2500, 1e-12));
  CHECK_THAT(log.final_value("utilisation_tick"), WithinRel(2500.0 / 2508, 1e-12));
  CHECK(log.final_value("version_floats") == 388);  // 8*16+8 + 3*(8*8+8) + 4*8+4
  std::vector<std::int64_t> steps;
  for (const auto& digest : log.digests)
    if (digest.name == "weights") steps.push_back(digest.step);
  CHECK(steps == std::vector<std::int64_t>{1024, 2048, 2500, -1});
  CHECK(final_digest(log, "weights_stage4").size() == 32);
  REQUIRE(log.artifacts.size() == 1);
  const Json document = results::parse_json(log.artifacts[0].second, "artifact");
  CHECK(document["delays"] == Json::parse("[8, 6, 4, 2, 0]"));
  CHECK(document["realised_delays"][0] == Json::parse("[0, 0, 1]"));
  CHECK(document["counters"]["predicted_reads"] == 4 * 2500);
  CHECK(document["counters"]["spiked_updates"] == 4 * 2500);
  CHECK(document["samples_dropped"] == 0);
}

TEST_CASE("samples that do not fill an update are left out and counted") {
  const LogRecorder log = run_to_end(trial_named("gpipe", sizes(100)));
  CHECK(results::parse_json(log.artifacts[0].second, "artifact")["samples_dropped"] == 4);
  CHECK(results::parse_json(log.artifacts[0].second, "artifact")["updates"] == Json::parse("[8, 8, 8, 8, 8]"));
}

TEST_CASE("a run that is saved everywhere and goes on in the other executor has the same bits") {
  for (const char* variant : {"seq", "pb-lwp-sc", "pb-stash", "pb-recompute", "gpipe", "pipemare"}) {
    INFO(variant);
    Values keys = sizes(2600);
    keys["dropout"] = .2;
    const Trial trial = trial_named(variant, keys);
    const Place place{.checksum_every = 500};
    const LogRecorder once = run_to_end(trial, place), changing = run_changing(trial, place);
    CHECK(changing.digests == once.digests);
    CHECK(changing.final_value("accuracy") == once.final_value("accuracy"));
    CHECK(changing.final_value("train_loss") == once.final_value("train_loss"));
    CHECK(changing.artifacts == once.artifacts);
  }
}

TEST_CASE("digests every so many updates do not disturb a run") {
  const Trial trial = trial_named("pb-sc", sizes(1500));
  const LogRecorder plain = run_to_end(trial), watched = run_to_end(trial, {.checksum_every = 100});
  CHECK(final_digest(watched) == final_digest(plain));
  std::vector<std::int64_t> steps;
  for (const auto& digest : watched.digests)
    if (digest.name == "step_weights") steps.push_back(digest.step);
  CHECK(steps.front() == 100);
  CHECK(steps.back() == 1400);
}

TEST_CASE("other seeds give other weights, equal seeds the same") {
  const auto digest = [&](std::uint64_t pair) { return final_digest(run_to_end(trial_named("pb", sizes(300), pair))); };
  CHECK(digest(0) == digest(0));
  CHECK(digest(0) != digest(1));
  Trial trial = trial_named("pb", sizes(300));
  for (const char* source : {"init", "data-order"}) {
    Trial other = trial;
    other.seeds[source] ^= 1;
    CHECK(final_digest(run_to_end(other)) != digest(0));
  }
}

TEST_CASE("a diverged run is evaluated as it stands, with equal bits on threads") {
  Values keys = sizes(3000);
  keys["lr"] = 1e30;
  keys["scale_rates"] = false;
  const LogRecorder tick = run_to_end(trial_named("pb", keys));
  REQUIRE(tick.diverged_at);
  CHECK(*tick.diverged_at > 0);
  CHECK(tick.final_value("diverged") == 1);
  CHECK(tick.final_value("accuracy") >= 0);
  for (const std::int64_t workers : {1, 2, 5})
    for (const std::int64_t queue : {1, 8}) {
      Values threaded = keys;
      threaded["executor"] = std::string("threads_fixed");
      threaded["workers"] = workers, threaded["queue"] = queue;
      const LogRecorder log = run_to_end(trial_named("pb", threaded));
      CHECK(log.digests == tick.digests);
      CHECK(log.diverged_at == tick.diverged_at);
      CHECK(log.final_value("accuracy") == tick.final_value("accuracy"));
    }
}

TEST_CASE("a method that another key switches off fails its trial by method, variant and key") {
  const auto failure = [](const std::string& variant, const std::string& key, const Value& value) {
    Values keys = sizes(300);
    keys[key] = value;
    try {
      run_to_end(trial_named(variant, keys));
    } catch (const TrialFailure& error) {
      return error.kind + ": " + error.what();
    }
    return std::string("none");
  };
  const std::string inactive = "pipeline.method_inactive: ";
  CHECK(failure("pb-lwp", "horizon", 0.0) ==
        inactive + "weight prediction of variant pb-lwp never happened (key horizon)");
  CHECK(failure("pb-sc", "spike", 0.0) == inactive + "spike compensation of variant pb-sc never happened (key spike)");
  CHECK(failure("pb", "corrector", std::string("gsc")) ==
        inactive + "spike compensation of variant pb never happened (key gsc_b)");
  CHECK(failure("dc-asgd", "dc_lambda", 0.0) ==
        inactive + "compensation of the gradient of variant dc-asgd never happened (key dc_lambda)");
  CHECK(failure("pb-lwp", "horizon", 1e-3) == "none");
  CHECK(failure("pb-lwp-sc", "stages", std::int64_t{1}) == "none");  // nothing can differ
}

TEST_CASE("six variants of the study have their bits on every machine") {
  // Made with g++ 12.2 at -O2; clang++ 14 at -O0 and at -O3 -march=native gives the same.
  const std::pair<const char*, const char*> wanted[] = {
      {"seq", "c8156e22ad4237df96168ccabae9704e"},      {"pb", "9c88fb1422b58301c5580c225e646bbf"},
      {"pb-stash", "3d753bea656086701d84f5d933ca9329"}, {"pb-sc", "62cb0b2e2f0f6d0905fa9f87283d04c7"},
      {"pb-lwp", "b249796a9f152861225bf5772a916f47"},   {"pb-lwp-sc", "ce072b149b0bbb67523e565b2abaeeb5"}};
  for (const auto& [variant, digest] : wanted) {
    INFO(variant);
    CHECK(final_digest(run_to_end(trial_named(variant))) == digest);
  }
}

TEST_CASE("means of the studies are those of a prototype measured before", "[slow]") {
  // Section 15.4 of the specification: mean and sd of 64 pairs at the levels edge (reference_batch = 32) and normal
  // (64).
  struct Row {
    const char* variant;
    std::int64_t level;
    double mean, sd;
  };
  constexpr std::uint64_t pairs = 32;
  for (const Row& row : std::initializer_list<Row>{{"seq", 32, 66.62, 4.82},
                                                   {"pb", 32, 63.05, 5.87},
                                                   {"pb-stash", 32, 62.24, 5.68},
                                                   {"pb-sc", 32, 67.46, 5.67},
                                                   {"pb-lwp", 32, 65.69, 5.01},
                                                   {"pb-lwp-sc", 32, 68.10, 5.40},
                                                   {"seq", 64, 83.00, 1.51},
                                                   {"pb-lwp-sc", 64, 83.95, 1.39}}) {
    double sum = 0;
    for (std::uint64_t pair = 0; pair < pairs; ++pair)
      sum += run_to_end(trial_named(row.variant, {{"reference_batch", row.level}}, pair)).final_value("accuracy");
    INFO(row.variant << " at " << row.level);
    CHECK_THAT(sum / pairs, WithinAbs(row.mean, 4 * row.sd * std::sqrt(1.0 / pairs + 1.0 / 64)));
  }
}

}  // namespace retrial::tests::pipeline_run_tests
