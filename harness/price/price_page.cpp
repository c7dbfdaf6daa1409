#include "harness/price/price_page.hpp"

#include "harness/text/output.hpp"
#include "variance/effects/price_ratio.hpp"

namespace retrial::harness::inline price {
namespace {

using variance::Estimate;

/// Above this share of the CPUs other programs were in the way.
constexpr double busy_share = .5;

std::string ratio_text(const Estimate& ratio) {
  return fixed_text(ratio.point, 2) + "x";
}

std::string interval_of(const Estimate& ratio) {
  return ratio.low && ratio.high ? fixed_text(*ratio.low, 2) + " to " + fixed_text(*ratio.high, 2) : "none";
}

report::Cell verdict_cell(const Estimate& ratio, double limit) {
  const auto verdict = variance::price_verdict(ratio, limit);
  return {variance::price_verdict_name(verdict), verdict == variance::PriceVerdict::above   ? report::Tone::bad
                                                 : verdict == variance::PriceVerdict::below ? report::Tone::good
                                                                                            : report::Tone::open};
}

report::Facts conditions_of(const PriceConditions& how, const PriceDesign& design) {
  report::Facts out{.rows = {{"command", how.command},
                             {"date", how.date},
                             {"machine", how.here.machine},
                             {"library", how.library},
                             {"kernel mode", how.mode},
                             {"runs", counted(how.pairs, "pair") + "; in each run " + std::to_string(how.warmup) +
                                          " warm-up steps, then " + std::to_string(how.steps) +
                                          " timed ones, in a process of its own"},
                             {"load", load_text(how.here) + "; niceness " + std::to_string(how.nice)}}};
  for (const Arm& arm : design.arms) out.rows.push_back({"arm " + arm.name, arm.meaning});
  return out;
}

report::Table totals_of(const PriceConditions& how, const std::vector<PricedSubject>& subjects) {
  report::Table out{.caption = "Price of mode deterministic: time of a step with it / without it",
                    .columns = {"network or layer", report::right("off, ms"), report::right("on, ms"),
                                report::right("price"), "95 % interval"}};
  for (const double limit : how.limits) out.columns.emplace_back("against " + short_text(limit) + "x");
  for (const PricedSubject& subject : subjects) {
    const Estimate& total = subject.prices.front().wall;
    out.rows.push_back({subject.name, short_text(subject.wall_ms.front(), 3), short_text(subject.wall_ms[2], 3),
                        variance::price_text(total.point), interval_of(total)});
    for (const double limit : how.limits) out.rows.back().push_back(verdict_cell(total, limit));
  }
  return out;
}

/// Each part of the total, and the same of time in kernels.
report::Table parts_of(const PriceDesign& design, const std::vector<PricedSubject>& subjects) {
  report::Table out{.caption = "Parts of the price, and the price of kernel time alone",
                    .columns = {"network or layer"}};
  for (std::size_t i = 1; i < design.ratios.size(); ++i) {
    out.columns.push_back(report::right(design.ratios[i].name));
    out.columns.emplace_back("interval");
  }
  out.columns.push_back(report::right("kernels"));
  out.columns.emplace_back("interval");
  for (const PricedSubject& subject : subjects) {
    std::vector<report::Cell> row{subject.name};
    for (std::size_t i = 1; i < subject.prices.size(); ++i) {
      row.emplace_back(ratio_text(subject.prices[i].wall));
      row.emplace_back(interval_of(subject.prices[i].wall));
    }
    const auto& kernel = subject.prices.front().kernel;
    row.emplace_back(kernel ? ratio_text(*kernel) : "none");
    row.emplace_back(kernel ? interval_of(*kernel) : subject.no_kernel_times);
    out.rows.push_back(std::move(row));
  }
  return out;
}

Json estimate_json(const Estimate& estimate) {
  return {{"ratio", report::derived(estimate.point)},
          {"low", report::derived(estimate.low)},
          {"high", report::derived(estimate.high)},
          {"level", estimate.level},
          {"method", estimate.method}};
}

Json prices_json(const PricedSubject& subject, const std::vector<double>& limits) {
  Json out = Json::object();
  for (const Price& price : subject.prices) {
    Json verdicts = Json::array();
    for (const double limit : limits)
      verdicts.push_back(
          {{"limit", limit}, {"verdict", variance::price_verdict_name(variance::price_verdict(price.wall, limit))}});
    out[price.ratio.name] = {{"with", price.ratio.with},
                             {"without", price.ratio.without},
                             {"wall", estimate_json(price.wall)},
                             {"kernel", price.kernel ? estimate_json(*price.kernel) : Json()},
                             {"limits", std::move(verdicts)}};
  }
  return out;
}

Json arms_json(const PriceDesign& design, const PricedSubject& subject) {
  Json out = Json::object();
  for (std::size_t arm = 0; arm < design.arms.size(); ++arm) {
    Json wall = Json::array(), kernel = Json::array();
    for (const auto& run : subject.times[arm]) {
      wall.push_back(run.wall);
      kernel.push_back(run.kernel);
    }
    out[design.arms[arm].name] = {{"wall_ms", report::derived(subject.wall_ms[arm])},
                                  {"kernel_ms", report::derived(subject.kernel_ms[arm])},
                                  {"wall_ms_of_steps", std::move(wall)},
                                  {"kernel_ms_of_steps", std::move(kernel)}};
  }
  return out;
}

Json document(const PriceConditions& how, const PriceDesign& design, const std::vector<PricedSubject>& subjects) {
  Json arms = Json::object(), rows = Json::array();
  for (const Arm& arm : design.arms)
    arms[arm.name] = {{"meaning", arm.meaning},
                      {"mode", determinism::mode_document(arm.mode)},
                      {"fill", arm.mode.deterministic && arm.fill}};
  for (const PricedSubject& subject : subjects)
    rows.push_back({{"name", subject.name},
                    {"meaning", subject.meaning},
                    {"prices", prices_json(subject, how.limits)},
                    {"arms", arms_json(design, subject)},
                    {"no_kernel_times", subject.no_kernel_times.empty() ? Json() : Json(subject.no_kernel_times)}});
  return {{"schema", "retrial.price/1"}, {"command", how.command},         {"date", how.date},
          {"machine", how.here.machine}, {"library", how.library},         {"mode", how.mode},
          {"pairs", how.pairs},          {"warmup", how.warmup},           {"steps", how.steps},
          {"control", how.control},      {"load_before", how.here.before}, {"load_after", how.here.after},
          {"cpus", how.here.cpus},       {"niceness", how.nice},           {"arms", std::move(arms)},
          {"subjects", std::move(rows)}};
}

}  // namespace

report::Part price_part(const PriceConditions& conditions, const PriceDesign& design,
                        const std::vector<PricedSubject>& subjects) {
  report::Section out{.id = "price",
                      .title = conditions.control ? "Price of determinism: control" : "Price of determinism",
                      .blocks = {conditions_of(conditions, design)}};
  if (conditions.here.before > busy_share * conditions.here.cpus)
    out.blocks.emplace_back(
        report::Warning{"other programs used this machine: intervals are wider, and a price may be "
                        "off; measure again when it is idle",
                        "warning"});
  out.blocks.emplace_back(totals_of(conditions, subjects));
  out.blocks.emplace_back(parts_of(design, subjects));
  if (conditions.pairs < 10)
    out.blocks.emplace_back(
        report::Paragraph{"A first look: intervals of few pairs are too narrow. That of 3 pairs is their range, so "
                          "that 1 verdict in 4 is "
                          "wrong where nothing differs. Use --pairs 10 for a price to rely on."});
  if (conditions.control)
    out.blocks.emplace_back(
        report::Paragraph{"All arms are the same. A verdict other than inconclusive is an error of the method: about 1 "
                          "row in 10, because "
                          "an interval of ten pairs is somewhat too narrow."});
  out.blocks.emplace_back(report::Paragraph{
      "price = flag x fill: deterministic algorithms, and filling uninitialized memory. Intervals are bootstrap "
      "intervals over pairs; below and above mean that the whole interval is. Kernel time is the time inside operators "
      "of the library, in steps of its own."});
  out.blocks.emplace_back(report::Paragraph{
      "Published for comparison, kernel time of networks on three generations of GPUs: at most 746 %, 241 % and 196 % "
      "(7.46x, 2.41x, 1.96x; Zhuang et al., MLSys 2022)."});
  return {.section = std::move(out), .data = document(conditions, design, subjects)};
}

PriceAnswer answer_of(const std::vector<PricedSubject>& subjects, const std::vector<double>& limits) {
  auto answer = PriceAnswer::below;
  for (const PricedSubject& subject : subjects)
    for (const double limit : limits) {
      const auto verdict = variance::price_verdict(subject.prices.front().wall, limit);
      if (verdict == variance::PriceVerdict::above) return PriceAnswer::above;
      if (verdict == variance::PriceVerdict::inconclusive) answer = PriceAnswer::inconclusive;
    }
  return answer;
}

}  // namespace retrial::harness::inline price
