#include "harness/gate/measured/known_calibration.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "harness/gate/measured/stored_suite.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

double bits_in(const Json& record, const char* key) {
  return results::double_from_hex(record.at(key).get<std::string>()).value_or(1.0);
}

GateCalibration::Power power_in(const Json& record) {
  return {.slow_down = bits_in(record, "injected"),
          .by_work = record.value("injected_by", "scale") == "work",
          .found = record.at("alarms"),
          .suites = record.at("blocks").get<std::int64_t>() * record.at("assignments").get<std::int64_t>(),
          .hogs = record.at("hogs"),
          .measured_ns = record.at("measured_ns")};
}

/// One record for each slow-down and way, by slow-down.
void keep_newest(std::vector<GateCalibration::Power>& all, const GateCalibration::Power& one) {
  const auto same = std::ranges::find_if(
      all, [&](const auto& each) { return each.slow_down == one.slow_down && each.by_work == one.by_work; });
  if (same == all.end())
    all.push_back(one);
  else if (std::pair(same->measured_ns, same->suites) < std::pair(one.measured_ns, one.suites))
    *same = one;
  std::ranges::sort(all, {}, &GateCalibration::Power::slow_down);
}

}  // namespace

Json subject_of_calibration(const PlannedSuite& suite, std::int64_t pairs) {
  Json benches = Json::object();
  for (const Bench& bench : suite.benches) benches[bench.name] = results::hex(results::digest_of(bench.design));
  return {{"benches", benches}, {"pairs", pairs}};
}

std::optional<GateCalibration> calibration_for(const Arguments& arguments, const PlannedSuite& suite,
                                               const results::Store& store) {
  const std::filesystem::path file =
      arguments.value("calibration")
          .value_or((store.path().parent_path() / (suite.name + "-calibration") / calibration_file).string());
  if (!std::filesystem::exists(file)) {
    if (!arguments.has("calibration")) return {};
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.calibration",
                 .where = results::one_line(file.string(), 200),
                 .problem = "there is no such store",
                 .help = "retrial calibrate makes one"});
  }
  const auto stratum = stratum_of(store, suite.benches.front().plan.study_digest);
  const Json subject = subject_of_calibration(suite, suite.pairs());
  std::optional<GateCalibration> found;
  std::vector<GateCalibration::Power> power;
  for (const Json& each : results::Store(file, results::Store::Access::read).documents("calibration")) {
    if (each.at("subject") != subject || each.at("stratum") != (stratum ? Json(*stratum) : Json())) continue;
    if (bits_in(each, "injected") != 0.0) {
      keep_newest(power, power_in(each));
      continue;
    }
    if (found && found->measured_ns >= each.at("measured_ns")) continue;
    found =
        GateCalibration{.digest = results::hex(results::digest_of(each)),
                        .rate = bits_in(each, "rate"),
                        .upper95 = bits_in(each, "upper95"),
                        .suites = each.at("blocks").get<std::int64_t>() * each.at("assignments").get<std::int64_t>(),
                        .alarms = each.at("alarms"),
                        .hogs = each.at("hogs"),
                        .measured_ns = each.at("measured_ns")};
  }
  if (found) found->power = std::move(power);
  constexpr std::int64_t day = 86'400'000'000'000;
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (found) found->stale = now - found->measured_ns > 90 * day;
  return found;
}

}  // namespace retrial::harness::inline gate::inline measured
