#include "harness/gate/calibration/calibrate.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "harness/gate/calibration/calibration.hpp"
#include "harness/gate/calibration/calibration_page.hpp"
#include "harness/gate/calibration/hogs.hpp"
#include "harness/gate/measured/found_metrics.hpp"
#include "harness/gate/measured/judged_metrics.hpp"
#include "harness/gate/measured/known_calibration.hpp"
#include "harness/gate/measured/run_suite.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/gate/measured/suite_run.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline calibration {
namespace {

constexpr std::int64_t default_suites = 1000;
constexpr std::int64_t trials_per_store = 2400;  ///< a launch reads all trials of its store
constexpr const char* seed_key = "calibration/seed";

/// The folder of a calibration: stores of its processes, a part of the blocks each, and the record.
class Folder {
 public:
  Folder(const Arguments& arguments, const PlannedSuite& suite)
      : path_(arguments.value("db").value_or(suite.name + "-calibration")) {
    std::filesystem::create_directories(path_);
  }
  [[nodiscard]] std::filesystem::path part(const std::string& kind, std::int64_t number) const {
    const std::string digits = std::to_string(number);
    return path_ / (kind + "-" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + ".db");
  }
  [[nodiscard]] std::filesystem::path record() const { return path_ / calibration_file; }

 private:
  std::filesystem::path path_;
};

/// The root seed is drawn once and kept with the record.
std::uint64_t root_of(results::Store& record, const Arguments& arguments) {
  const auto kept = record.meta(seed_key);
  const auto given = arguments.u64("seed");
  const std::uint64_t root = given ? *given : kept ? results::parse_hex16(*kept).value_or(0) : draw_root_seed();
  record.put_meta(seed_key, results::hex16(root));
  return root;
}

/// What is run: `suites` of 2 x pairs processes of one program or, with a slow-down by work, of pairs of two sides.
struct Blocks {
  std::int64_t pairs = 0, suites = 0;
  double slow_down = 0;
  bool by_work = false;

  /// Numbers in the plan of a benchmark that one suite takes, and those that are run next to each other.
  [[nodiscard]] std::int64_t per_suite() const { return by_work ? pairs : 2 * pairs; }
  [[nodiscard]] std::int64_t step() const { return by_work ? 1 : 2; }
};

/// In each pair of each suite a coin says which side is run first, as it says who is called A where both are one.
std::vector<int> first_sides(std::uint64_t root, std::int64_t from_suite, std::int64_t suites, std::int64_t pairs) {
  std::vector<int> out;
  for (std::int64_t block = from_suite; block < from_suite + suites; ++block) {
    const auto key = variance::derive(variance::derive(root, "calibrate"), static_cast<std::uint64_t>(block));
    for (const auto place : variance::permutation(key, static_cast<std::uint32_t>(pairs), 0))
      out.push_back(place < pairs / 2 ? 1 : 0);
  }
  return out;
}

/// A second side that is the first one made slower by work.
void add_slow_side(PlannedSuite& suite, double slow_down) {
  suite.candidate = suite.baseline + "-slower";
  for (Bench& bench : suite.benches) {
    StudyVariant slow = bench.study.variants.front();
    slow.name = suite.candidate;
    slow.values["slow_down"] = 100.0 * slow_down;
    bench.study.variants.push_back(std::move(slow));
  }
}

/// The suite of one part: `suites` suites of every benchmark.
PlannedSuite part_of(PlannedSuite suite, const Blocks& blocks, std::uint64_t root, std::int64_t number,
                     std::int64_t suites, const Arguments& arguments) {
  if (blocks.by_work) add_slow_side(suite, blocks.slow_down);
  const auto key = variance::derive(root, blocks.by_work ? "calibrate-slow" : "calibrate-part");
  for (Bench& bench : suite.benches) {
    bench.study.seed = variance::derive(key, static_cast<std::uint64_t>(number));
    bench.study.pairs = suites * blocks.per_suite();
    plan_bench(bench, false, plan_inputs(arguments, bench.study.mode));
    if (blocks.by_work)
      order_pairs(bench, suite.candidate, first_sides(root, (number - 1) * suites, suites, blocks.pairs));
  }
  return suite;
}

/// The trials of one part behind those of the parts before; its pairs are numbered behind theirs.
void append_pool(GateSuite& pool, GateSuite part, std::int64_t pairs_before) {
  for (GateClaim& claim : part.claims)
    for (auto& side : claim.trials)
      for (GateTrial& trial : side) {
        if (trial.pair) *trial.pair += pairs_before;
        trial.place.reset();  // a gate runs its suite in one launch
      }
  if (pool.claims.empty()) {
    pool = std::move(part);
    return;
  }
  for (std::size_t i = 0; i < pool.claims.size(); ++i)
    for (const std::size_t side : {base, head})
      std::ranges::move(part.claims[i].trials[side], std::back_inserter(pool.claims[i].trials[side]));
}

/// What a slow-down by work can reach: the time that a program of the user takes.
void demand_reachable(const PlannedSuite& suite) {
  for (const Bench& bench : suite.benches) {
    if (finds_metrics(bench.study))
      refuse_usage("--inject",
                   "makes processes slower, and " + bench.name + " is judged by times of its own benchmarks",
                   "--inject-scale PCT makes the values worse");
    if (workloads::find_parameter(workloads::find_workload(bench.study.workload, ""), "slow_down") == nullptr)
      refuse_usage("--inject",
                   "makes programs of the user slower, and " + bench.name + " is workload " + bench.study.workload,
                   "--inject-scale PCT makes the values worse");
    for (const auto& def : bench.metrics)
      if (def.name != "wall_s" && def.name != "cpu_s")
        refuse_usage("--inject",
                     "makes processes slower, and " + def.name + " of " + bench.name + " is no time of a process",
                     "judge --metric wall_s, or make the values worse: --inject-scale PCT");
  }
}

/// --inject and --inject-scale.
Blocks blocks_asked(const Arguments& arguments, const PlannedSuite& suite) {
  Blocks out{.pairs = suite.pairs(), .suites = arguments.integer("null-suites", 1, 1'000'000).value_or(default_suites)};
  const auto work = arguments.number("inject", {0, 1000, true, false});
  const auto scale = arguments.number("inject-scale", {0, 1000});
  if (work && scale)
    refuse_usage("--inject", "and --inject-scale are two ways to make one side worse", "give one of them");
  if (work && arguments.has("assignments"))
    refuse_usage("--assignments",
                 "calls the same processes A or B in several ways, and --inject makes those of B slower",
                 "leave it out");
  if (work) demand_reachable(suite);
  out.by_work = work.has_value();
  out.slow_down = work.value_or(scale.value_or(0.0)) / 100.0;
  return out;
}

/// Null suites that are missing for a bound below the limit, if none of them has an alarm.
std::int64_t more_suites(const Calibration& found, double limit) {
  const std::int64_t alarms = found.alarm_count();
  Calibration probe = found;
  probe.assignments = 1;
  for (std::int64_t blocks = found.blocks; blocks <= 1'000'000; blocks += std::max<std::int64_t>(1, blocks / 50)) {
    probe.blocks = blocks, probe.alarms.assign(1, alarms);
    if (probe.rate(0).high <= limit) return blocks - found.blocks;
  }
  return 0;
}

}  // namespace

std::vector<Option> calibrate_options() {
  return under(
      "Calibration",
      {{.name = "null-suites", .value_name = "N", .meaning = "suites without a change to run (default 1000)"},
       {.name = "assignments",
        .value_name = "R",
        .meaning = "ways to call the processes of a suite A or B (default 1; 32 is more precise)"},
       {.name = "hogs", .value_name = "N", .meaning = "busy processes beside the runs (default 0)"},
       {.name = "inject",
        .value_name = "PCT",
        .meaning = "run both sides, and make each process of one PCT % slower by work: the rate is power then"},
       {.name = "inject-scale",
        .value_name = "PCT",
        .meaning = "the same by making every value of one side PCT % worse, for metrics that are no times"},
       {.name = "limit", .value_name = "P", .meaning = "the upper bound that passes (default 0.02)"}});
}

int run_calibrate(const Arguments& arguments) {
  const SignalWatch signals;
  PlannedSuite suite = planned_suite(arguments, RunSides::baseline);
  if (suite.settings.until_decided)
    refuse_usage("until_decided", "a calibration has suites of one size",
                 "calibrate the suite without it; the looks share its error rate");
  if (suite.settings.launches > 1)
    refuse_usage("launches", "a calibration measures a gate of one launch", "leave it out");
  const Blocks blocks = blocks_asked(arguments, suite);
  const auto assignments = arguments.integer("assignments", 1, 10'000).value_or(1);
  const auto hogs = arguments.integer("hogs", 0, 1024).value_or(0);
  const double limit = arguments.number("limit", {0, 1, true, true}).value_or(0.02);
  const Folder folder(arguments, suite);
  results::Store record(folder.record(), results::Store::Access::write);
  const std::uint64_t root = root_of(record, arguments);
  const std::int64_t per_part =
      std::max<std::int64_t>(1, trials_per_store / (2 * blocks.pairs * std::ssize(suite.benches)));
  GateSuite pool;
  std::optional<std::string> stratum;
  const Hogs busy(static_cast<int>(hogs));
  ProgressLine line;
  for (std::int64_t done = 0, number = 1; done < blocks.suites; done += per_part, ++number) {
    // A part is whole even where fewer suites are asked for, so that asking for more continues it.
    PlannedSuite part = part_of(suite, blocks, root, number, per_part, arguments);
    results::Store store(folder.part(blocks.by_work ? "slow" : "part", number), results::Store::Access::write);
    store_plans(store, part, SeedFrom::study);
    const auto how = [&](const Bench& bench) {
      RunSettings out = run_settings(arguments, bench.study);
      out.progress = [&](const RunProgress& progress) { line.show(progress); };
      return out;
    };
    const std::int64_t wanted = std::min(per_part, blocks.suites - done) * blocks.per_suite();
    const RunSummary summary = run_rounds(store, part, how, 0, wanted, blocks.step());
    if (summary.signal != 0) {
      line.close();
      note("interrupted; run the same line again to continue");
      return 128 + summary.signal;
    }
    if (number == 1) {  // the later parts are judged by the same
      learn_metrics(part, store);
      for (std::size_t i = 0; i < suite.benches.size(); ++i) suite.benches[i].metrics = part.benches[i].metrics;
    }
    append_pool(pool, stored_suite(store, part, wanted), done * blocks.per_suite());
    stratum = stratum_of(store, part.benches.front().plan.study_digest);
    line.close();
    note(std::to_string(std::min(blocks.suites, done + per_part)) + " of " + std::to_string(blocks.suites) +
         (blocks.by_work ? " suites run" : " null suites run"));
  }
  const Calibration found = blocks.by_work
                                ? judged_blocks(pool, suite.settings, blocks.pairs)
                                : calibrated(pool, suite.settings, blocks.pairs, assignments, root, blocks.slow_down);
  const auto rate = found.rate(root);
  const bool null = blocks.slow_down == 0.0;
  const bool passes = null && rate.high <= limit, broken = null && rate.low > suite.settings.alpha;
  CalibrationFacts facts{.suite = suite.name,
                         .baseline = suite.baseline,
                         .subject = subject_of_calibration(suite, blocks.pairs),
                         .stratum = stratum,
                         .pairs = blocks.pairs,
                         .hogs = hogs,
                         .slow_down = blocks.slow_down,
                         .by_work = blocks.by_work,
                         .limit = limit,
                         .more = null && !passes && !broken ? more_suites(found, limit) : 0};
  for (const auto& claim : pool.claims)
    for (const auto& side : claim.trials)
      for (const auto& trial : side) facts.measured_ns = std::max(facts.measured_ns, trial.started.value_or(0));
  const Json document = calibration_record(found, rate, facts);
  record.put_document("calibration", document);
  const int exit = !null || passes ? 0 : broken ? 1 : 3;
  print_part(
      {.section = calibration_section(found, rate, facts), .data = shown_record(document, found, rate, facts, exit)},
      arguments.has("json"));
  return exit;
}

}  // namespace retrial::harness::inline gate::inline calibration
