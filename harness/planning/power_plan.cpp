#include "harness/planning/power_plan.hpp"

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline planning {
namespace {

report::Table curve_table(const PowerPlan& plan, const Json& curve) {
  report::Table table{.caption = "Power of this rule",
                      .columns = {report::right(plan.unit + "s"), report::right("power")}};
  if (plan.unit != "pair") table.columns.front() = report::right("runs per variant");
  for (const auto& point : curve)
    table.rows.push_back(
        {std::to_string(point.at("runs").get<std::int64_t>()), percent(point.at("power").get<double>())});
  return table;
}

}  // namespace

report::Part power_part(const PowerPlan& plan) {
  Json curve = Json::array();
  for (const std::int64_t n : plan.at) {
    const double power = results::rounded10(plan.power(n));
    curve.push_back({{"runs", n}, {"pairs", plan.unit == "pair" ? Json(n) : Json()}, {"power", power}});
  }
  report::Section section{
      .id = "power", .title = plan.title, .blocks = {report::Paragraph{"Rule: " + plan.rule + "."}}};
  if (!plan.facts.empty()) section.blocks.emplace_back(report::Facts{plan.facts});
  if (!curve.empty()) section.blocks.emplace_back(curve_table(plan, curve));
  if (plan.given) {
    std::vector<report::Fact> found = plan.found;
    found.insert(found.begin(), {plan.unit == "pair" ? "with" : "with, per variant",
                                 counted(*plan.given, plan.unit == "pair" ? "pair" : "run")});
    section.blocks.emplace_back(report::Facts{std::move(found)});
  }
  for (const auto& note : plan.notes) section.blocks.emplace_back(report::Warning{note});
  Json data = plan.data;
  data["schema"] = "retrial.power/1";
  data["rule"] = plan.rule;
  data["curve"] = std::move(curve);
  data["n"] = plan.runs ? Json(*plan.runs) : Json();
  return {.section = std::move(section), .data = std::move(data)};
}

}  // namespace retrial::harness::inline planning
