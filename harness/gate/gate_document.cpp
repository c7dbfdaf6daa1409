#include "harness/gate/gate_document.hpp"

#include <cmath>

#include "harness/gate/gate_page.hpp"
#include "harness/text/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate {
namespace {

Json calibration_document(const GateResult& result) {
  if (!result.calibration) return {};
  const GateCalibration& c = *result.calibration;
  Json power = Json::array();
  for (const GateCalibration::Power& p : c.power)
    power.push_back({{"slow_down", json_number(p.slow_down)},
                     {"by", p.by_work ? "work" : "scale"},
                     {"found", p.found},
                     {"suites", p.suites},
                     {"hogs", p.hogs}});
  return {{"digest", c.digest}, {"rate", json_number(c.rate)}, {"upper95", json_number(c.upper95)},
          {"blocks", c.suites}, {"alarms", c.alarms},          {"stale", c.stale},
          {"power", power}};
}

Json bounds(const std::optional<variance::Estimate>& interval) {
  if (!interval) return {};
  const auto bound = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? json_number(value) : Json();
  };
  return Json::array({bound(interval->low), bound(interval->high)});
}

bool unbounded(const std::optional<variance::Estimate>& interval) {
  return interval && (!interval->low || !interval->high || std::isinf(*interval->low) || std::isinf(*interval->high));
}

Json finite_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json_number(value) : Json();
}

Json origin_document(const std::optional<GateVerdict::Origins>& origin) {
  if (!origin) return {};
  return {{"launches", origin->launches > 0 ? Json(origin->launches) : Json()},
          {"boots", origin->boots},
          {"hosts", origin->hosts}};
}

Json claim_document(const GateVerdict& c) {
  return {{"workload", c.workload},
          {"metric", c.metric},
          {"unit", c.unit},
          {"against", c.against.empty() ? Json() : Json(c.against)},
          {"direction", harness::word_of(c.direction)},
          {"scale", c.absolute ? "absolute" : "ratio"},
          {"verdict", c.verdict},
          {"reason", c.reason},
          {"effect", finite_or_null(c.effect)},
          {"ci95", bounds(c.ci95)},
          {"ci90", bounds(c.ci90)},
          {"ci_unbounded", unbounded(c.ci95) || unbounded(c.ci90)},
          {"p_worse", json_number(c.p_worse)},
          {"p_better", json_number(c.p_better)},
          {"p_worse_adj", json_number(c.p_worse_adjusted)},
          {"p_better_adj", json_number(c.p_better_adjusted)},
          {"p_min", c.tested() ? json_number(c.min_p) : Json()},
          {"n", c.n},
          {"median", Json::array({json_number(c.median[base]), json_number(c.median[head])})},
          {"mde", finite_or_null(c.mde)},
          {"pairs_needed", c.pairs_needed ? Json(*c.pairs_needed) : Json()},
          {"failures", c.failures},
          {"test", c.test.empty() ? Json() : Json(c.test)},
          {"order", c.order},
          {"strata", c.strata},
          {"measured_in", Json::array({origin_document(c.origins[base]), origin_document(c.origins[head])})},
          {"mid_p_worse", json_number(c.mid_p_worse)},
          {"trials", c.records},
          {"warnings", c.warnings}};
}

}  // namespace

Json gate_document(const GateResult& result, const GateSettings& settings) {
  Json claims = Json::array(), counts = Json::object(), differences = Json::array();
  for (const GateVerdict& claim : result.claims) claims.push_back(claim_document(claim));
  for (const VerdictWord& word : gate_words())
    if (const auto count = result.count(word.word); count > 0) counts[word.word] = count;
  for (const MachineDifference& d : result.differences)
    differences.push_back(Json::array({d.key, d.baseline, d.candidate}));
  return {{"schema", "retrial.gate/1"},
          {"verdict", result.verdict},
          {"exit", result.exit},
          {"baseline", result.baseline},
          {"candidate", result.candidate},
          {"alpha", json_number(settings.alpha)},
          {"min_effect", json_number(settings.min_effect)},
          {"margin", json_number(settings.margin)},
          {"min_effect_abs", json_number(settings.min_effect_abs)},
          {"margin_abs", json_number(settings.margin_abs)},
          {"equiv_alpha", json_number(settings.equiv_alpha)},
          {"power", json_number(settings.power)},
          {"scale", all_ratios(result)                                           ? "ratio"
                    : std::ranges::all_of(result.claims, &GateVerdict::absolute) ? "absolute"
                                                                                 : "mixed"},
          {"statistic", word_of(settings.statistic)},
          {"claims_tested", result.tested()},
          {"counts", counts},
          {"calibration", calibration_document(result)},
          {"store", result.store ? Json(*result.store) : Json()},
          {"studies", result.studies},
          {"pairs", result.pairs ? Json(*result.pairs) : Json()},
          {"commits", Json::array({result.commits[base] ? Json(*result.commits[base]) : Json(),
                                   result.commits[head] ? Json(*result.commits[head]) : Json()})},
          {"environment", {{"diff", differences}}},
          {"claims", claims},
          {"warnings", result.warnings}};
}

}  // namespace retrial::harness::inline gate
