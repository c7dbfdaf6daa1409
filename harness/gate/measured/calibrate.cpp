#include "harness/gate/measured/calibrate.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "harness/gate/calibration.hpp"
#include "harness/gate/gate_page.hpp"
#include "harness/gate/measured/hogs.hpp"
#include "harness/gate/measured/measure.hpp"
#include "harness/gate/measured/run_suite.hpp"
#include "harness/gate/measured/stored_suite.hpp"
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

namespace retrial::harness::inline gate::inline measured {
namespace {

constexpr std::int64_t default_suites = 1000;
constexpr std::int64_t trials_per_store = 2400;  ///< a launch reads all trials of its store
constexpr const char* record_file = "calibration.db";
constexpr const char* seed_key = "calibration/seed";

/// What is calibrated: the benchmarks and the settings of the gate.
Json subject_of(const PlannedSuite& suite, std::int64_t pairs) {
  Json benches = Json::object();
  for (const Bench& bench : suite.benches) benches[bench.name] = results::hex(results::digest_of(bench.design));
  return {{"benches", benches}, {"pairs", pairs}};
}

/// The folder of a calibration: stores of its processes, a part of the blocks each, and the record.
class Folder {
 public:
  Folder(const Arguments& arguments, const PlannedSuite& suite)
      : path_(arguments.value("db").value_or(suite.name + "-calibration")) {
    std::filesystem::create_directories(path_);
  }
  [[nodiscard]] std::filesystem::path part(std::int64_t number) const {
    const std::string digits = std::to_string(number);
    return path_ / ("part-" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + ".db");
  }
  [[nodiscard]] std::filesystem::path record() const { return path_ / record_file; }

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

/// The suite of one part: `blocks` null suites, each of 2 `pairs` processes a benchmark.
PlannedSuite part_of(PlannedSuite suite, std::uint64_t root, std::int64_t number, std::int64_t processes,
                     const Arguments& arguments) {
  for (Bench& bench : suite.benches) {
    bench.study.seed = variance::derive(variance::derive(root, "calibrate-part"), static_cast<std::uint64_t>(number));
    bench.study.pairs = processes;
    plan_bench(bench, false, plan_inputs(arguments, bench.study.mode));
  }
  return suite;
}

void append_pool(GateSuite& pool, const GateSuite& part) {
  if (pool.claims.empty()) {
    pool = part;
    return;
  }
  for (std::size_t i = 0; i < pool.claims.size(); ++i)
    std::ranges::copy(part.claims[i].trials[base], std::back_inserter(pool.claims[i].trials[base]));
}

Json calibration_record(const Calibration& found, const Calibration::Rate& rate, const PlannedSuite& suite,
                        std::int64_t pairs, std::int64_t hogs, double injected,
                        const std::optional<std::string>& stratum, std::int64_t at_ns) {
  return {{"schema", "retrial.calibration/1"},
          {"suite", suite.name},
          {"subject", subject_of(suite, pairs)},
          {"stratum", stratum ? Json(*stratum) : Json()},
          {"blocks", found.blocks},
          {"assignments", found.assignments},
          {"alarms", found.alarm_count()},
          {"rate", results::hex_of_bits(rate.rate)},
          {"low95", results::hex_of_bits(rate.low)},
          {"upper95", results::hex_of_bits(rate.high)},
          {"hogs", hogs},
          {"injected", results::hex_of_bits(injected)},
          {"measured_ns", at_ns}};
}

/// The record as programs read it: numbers in place of their bits, and the benchmarks.
Json shown_record(Json record, const Calibration& found, const Calibration::Rate& rate, double injected, int exit) {
  record["rate"] = json_number(rate.rate);
  record["low95"] = json_number(rate.low);
  record["upper95"] = json_number(rate.high);
  record["injected"] = json_number(injected);
  record["improved"] = found.improved;
  record["inconclusive"] = found.inconclusive;
  record["exit"] = exit;
  record["claims"] = Json::array();
  for (const auto& claim : found.claims)
    record["claims"].push_back({{"workload", claim.workload},
                                {"metric", claim.metric},
                                {"alarms", claim.alarms},
                                {"inconclusive", claim.inconclusive},
                                {"spread", json_number(claim.sigma)},
                                {"lag1", json_number(claim.autocorrelation)}});
  return record;
}

report::Section page_of(const Calibration& found, const Calibration::Rate& rate, const PlannedSuite& suite,
                        std::int64_t pairs, double injected, std::int64_t hogs, double limit, std::int64_t more) {
  report::Section out{.id = "calibration",
                      .title = injected > 0 ? "Power of the gate" : "False alarms of the gate",
                      .aside = "(" + suite.name + ", " + suite.baseline + " against itself)"};
  report::Table table{.columns = {"benchmark", "metric", report::right(injected > 0 ? "found" : "alarms"),
                                  report::right("inconclusive"), report::right("spread"), report::right("lag 1")}};
  for (const auto& claim : found.claims)
    table.rows.push_back({claim.workload, claim.metric, std::to_string(claim.alarms),
                          std::to_string(claim.inconclusive),
                          claim.sigma ? fixed_text(100.0 * *claim.sigma, 2) + " %" : "-",
                          claim.autocorrelation ? fixed_text(*claim.autocorrelation, 2) : "-"});
  out.blocks.emplace_back(std::move(table));
  const std::string suites = std::to_string(found.alarm_count()) + " of " + counted(found.suites(), "suite");
  const std::string bounds = "95 % bounds " + percent(rate.low) + " and " + percent(rate.high);
  report::Facts facts{
      {{injected > 0 ? "found" : "alarms", suites, bounds},
       {"improved", std::to_string(found.improved) + " of " + counted(found.suites(), "suite"), ""},
       {"inconclusive", std::to_string(found.inconclusive) + " of " + counted(found.suites(), "suite"), ""},
       {"each suite", counted(pairs, "pair"), "of every benchmark"},
       {"beside it", hogs == 0 ? "nothing of ours" : counted(hogs, "busy process"), ""}}};
  if (injected > 0) facts.rows.push_back({"slow-down", percent(injected), "every value of one side made worse by it"});
  if (injected == 0) facts.rows.push_back({"limit", percent(limit), "of the upper bound"});
  out.blocks.emplace_back(std::move(facts));
  if (more > 0)
    out.blocks.emplace_back(report::Warning{counted(more, "more null suite") +
                                            " without an alarm would bring the bound below the limit: --null-suites " +
                                            std::to_string(found.blocks + more)});
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
  return under("Calibration",
               {{.name = "null-suites", .value_name = "N", .meaning = "suites without a change to run (default 1000)"},
                {.name = "assignments",
                 .value_name = "R",
                 .meaning = "ways to call the processes of a suite A or B (default 1; 32 is more precise)"},
                {.name = "hogs", .value_name = "N", .meaning = "busy processes beside the runs (default 0)"},
                {.name = "inject-scale",
                 .value_name = "PCT",
                 .meaning = "make every value of one side PCT % worse: the rate is power then"},
                {.name = "limit", .value_name = "P", .meaning = "the upper bound that passes (default 0.02)"}});
}

int run_calibrate(const Arguments& arguments) {
  const SignalWatch signals;
  const PlannedSuite suite = planned_suite(arguments, RunSides::baseline);
  if (suite.settings.until_decided)
    refuse_usage("until_decided", "a calibration has suites of one size",
                 "calibrate the suite without it; the looks share its error rate");
  const std::int64_t pairs = suite.pairs();
  const auto suites = arguments.integer("null-suites", 1, 1'000'000).value_or(default_suites);
  const auto assignments = arguments.integer("assignments", 1, 10'000).value_or(1);
  const auto hogs = arguments.integer("hogs", 0, 1024).value_or(0);
  const double injected = arguments.number("inject-scale", {0, 1000}).value_or(0.0) / 100.0;
  const double limit = arguments.number("limit", {0, 1, true, true}).value_or(0.02);
  const Folder folder(arguments, suite);
  results::Store record(folder.record(), results::Store::Access::write);
  const std::uint64_t root = root_of(record, arguments);
  const std::int64_t per_block = 2 * pairs;
  const std::int64_t per_part = std::max<std::int64_t>(1, trials_per_store / (per_block * std::ssize(suite.benches)));
  GateSuite pool;
  std::optional<std::string> stratum;
  const Hogs busy(static_cast<int>(hogs));
  ProgressLine line;
  for (std::int64_t done = 0, number = 1; done < suites; done += per_part, ++number) {
    // A part is whole even where fewer suites are asked for, so that asking for more continues it.
    const PlannedSuite part = part_of(suite, root, number, per_part * per_block, arguments);
    results::Store store(folder.part(number), results::Store::Access::write);
    store_plans(store, part, SeedFrom::study);
    const auto how = [&](const Bench& bench) {
      RunSettings out = run_settings(arguments, bench.study);
      out.progress = [&](const RunProgress& progress) { line.show(progress); };
      return out;
    };
    const std::int64_t wanted = std::min(per_part, suites - done) * per_block;
    const RunSummary summary = run_rounds(store, part, how, 0, wanted, 2);
    if (summary.signal != 0) {
      line.close();
      note("interrupted; run the same line again to continue");
      return 128 + summary.signal;
    }
    append_pool(pool, stored_suite(store, part, wanted));
    stratum = stratum_of(store, part.benches.front().plan.study_digest);
    line.close();
    note(std::to_string(std::min(suites, done + per_part)) + " of " + std::to_string(suites) + " null suites run");
  }
  const Calibration found = calibrated(pool, suite.settings, pairs, assignments, root, injected);
  const auto rate = found.rate(root);
  const bool null = injected == 0.0;
  const bool passes = null && rate.high <= limit, broken = null && rate.low > suite.settings.alpha;
  const std::int64_t more = null && !passes && !broken ? more_suites(found, limit) : 0;
  std::int64_t newest = 0;
  for (const auto& claim : pool.claims)
    for (const auto& trial : claim.trials[base]) newest = std::max(newest, trial.started.value_or(0));
  const Json document = calibration_record(found, rate, suite, pairs, hogs, injected, stratum, newest);
  record.put_document("calibration", document);
  const int exit = !null || passes ? 0 : broken ? 1 : 3;
  print_part({.section = page_of(found, rate, suite, pairs, injected, hogs, limit, more),
              .data = shown_record(document, found, rate, injected, exit)},
             arguments.has("json"));
  return exit;
}

std::optional<GateCalibration> calibration_for(const Arguments& arguments, const PlannedSuite& suite,
                                               const results::Store& store) {
  const std::filesystem::path file =
      arguments.value("calibration")
          .value_or((store.path().parent_path() / (suite.name + "-calibration") / record_file).string());
  if (!std::filesystem::exists(file)) {
    if (!arguments.has("calibration")) return {};
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.calibration",
                 .where = results::one_line(file.string(), 200),
                 .problem = "there is no such store",
                 .help = "retrial calibrate makes one"});
  }
  const auto stratum = stratum_of(store, suite.benches.front().plan.study_digest);
  const Json subject = subject_of(suite, suite.pairs());
  std::optional<GateCalibration> found;
  for (const Json& each : results::Store(file, results::Store::Access::read).documents("calibration")) {
    const auto number = [&](const char* key) {
      return results::double_from_hex(each.at(key).get<std::string>()).value_or(1.0);
    };
    if (each.at("subject") != subject || each.at("stratum") != (stratum ? Json(*stratum) : Json())) continue;
    if (number("injected") != 0.0 || (found && found->measured_ns >= each.at("measured_ns"))) continue;
    found =
        GateCalibration{.digest = results::hex(results::digest_of(each)),
                        .rate = number("rate"),
                        .upper95 = number("upper95"),
                        .suites = each.at("blocks").get<std::int64_t>() * each.at("assignments").get<std::int64_t>(),
                        .alarms = each.at("alarms"),
                        .hogs = each.at("hogs"),
                        .measured_ns = each.at("measured_ns")};
  }
  constexpr std::int64_t day = 86'400'000'000'000;
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (found) found->stale = now - found->measured_ns > 90 * day;
  return found;
}

}  // namespace retrial::harness::inline gate::inline measured
