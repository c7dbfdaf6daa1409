#include "harness/gate/calibration/calibration_page.hpp"

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline calibration {

Json calibration_record(const Calibration& found, const Calibration::Rate& rate, const CalibrationFacts& facts) {
  return {{"schema", "retrial.calibration/1"},
          {"suite", facts.suite},
          {"subject", facts.subject},
          {"stratum", facts.stratum ? Json(*facts.stratum) : Json()},
          {"blocks", found.blocks},
          {"assignments", found.assignments},
          {"alarms", found.alarm_count()},
          {"rate", results::hex_of_bits(rate.rate)},
          {"low95", results::hex_of_bits(rate.low)},
          {"upper95", results::hex_of_bits(rate.high)},
          {"hogs", facts.hogs},
          {"injected", results::hex_of_bits(facts.slow_down)},
          {"injected_by", facts.slow_down == 0.0 ? "none"
                          : facts.by_work        ? "work"
                                                 : "scale"},
          {"measured_ns", facts.measured_ns}};
}

Json shown_record(Json record, const Calibration& found, const Calibration::Rate& rate, const CalibrationFacts& facts,
                  int exit) {
  record["rate"] = json_number(rate.rate);
  record["low95"] = json_number(rate.low);
  record["upper95"] = json_number(rate.high);
  record["injected"] = json_number(facts.slow_down);
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

report::Section calibration_section(const Calibration& found, const Calibration::Rate& rate,
                                    const CalibrationFacts& facts) {
  const bool power = facts.slow_down > 0;
  report::Section out{.id = "calibration",
                      .title = power ? "Power of the gate" : "False alarms of the gate",
                      .aside = "(" + facts.suite + ", " + facts.baseline + " against itself)"};
  report::Table table{.columns = {report::names("benchmark"), report::names("metric"),
                                  report::right(power ? "found" : "alarms"), report::right("inconclusive"),
                                  report::right("spread"), report::right("lag 1")}};
  for (const auto& claim : found.claims)
    table.rows.push_back({claim.workload, claim.metric, std::to_string(claim.alarms),
                          std::to_string(claim.inconclusive),
                          claim.sigma ? fixed_text(100.0 * *claim.sigma, 2) + " %" : "-",
                          claim.autocorrelation ? fixed_text(*claim.autocorrelation, 2) : "-"});
  out.blocks.emplace_back(std::move(table));
  const std::string suites = std::to_string(found.alarm_count()) + " of " + counted(found.suites(), "suite");
  const std::string bounds = "95 % bounds " + percent(rate.low) + " and " + percent(rate.high);
  report::Facts rows{
      {{power ? "found" : "alarms", suites, bounds},
       {"improved", std::to_string(found.improved) + " of " + counted(found.suites(), "suite"), ""},
       {"inconclusive", std::to_string(found.inconclusive) + " of " + counted(found.suites(), "suite"), ""},
       {"each suite", counted(facts.pairs, "pair"), "of every benchmark"},
       {"beside it", facts.hogs == 0 ? "nothing of ours" : counted(facts.hogs, "busy process"), ""}}};
  if (power)
    rows.rows.push_back({"slow-down", short_text(100.0 * facts.slow_down) + " %",
                         facts.by_work ? "work after each process of one side, of its CPU time"
                                       : "every value of one side made worse by it"});
  else
    rows.rows.push_back({"limit", percent(facts.limit), "of the upper bound"});
  out.blocks.emplace_back(std::move(rows));
  if (facts.more > 0)
    out.blocks.emplace_back(report::Warning{counted(facts.more, "more null suite") +
                                            " without an alarm would bring the bound below the limit: --null-suites " +
                                            std::to_string(found.blocks + facts.more)});
  return out;
}

}  // namespace retrial::harness::inline gate::inline calibration
