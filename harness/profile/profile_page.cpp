#include "harness/profile/profile_page.hpp"

#include <algorithm>
#include <cmath>

#include "harness/profile/shares.hpp"
#include "harness/text/output.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline profile {
namespace {

using profiler::CostEstimate;
using profiler::CostStatus;
using report::right;

std::string seconds(double ns) {
  return fixed_text(ns / 1e9, 4);
}

std::string status_text(const CostEstimate& cost) {
  switch (cost.status) {
    case CostStatus::estimated:
      return "charged";
    case CostStatus::not_detectable:
      return "not detectable: charged as 0";
    case CostStatus::no_interval:
      return "charged; one block has no interval";
    case CostStatus::no_events:
    case CostStatus::not_observed:
      return "did not happen";
  }
  return "";
}

std::string meaning_of(const std::string& kind) {
  if (kind == "annotation") return "begin and end of an operation";
  if (kind == "hook:Backend") return "a call into LibTorch";
  if (kind == "hook:Simulator") return "a step of an environment";
  return kind;
}

std::string interval_text(const std::optional<double>& low, const std::optional<double>& high, int digits) {
  return low && high ? "[" + fixed_text(*low, digits) + ", " + fixed_text(*high, digits) + "]" : "none";
}

double mean_events(const ProfiledVariant& variant, const std::string& kind) {
  double sum = 0;
  for (const auto& run : variant.full) sum += static_cast<double>(run.events_of(kind));
  return sum / static_cast<double>(variant.full.size());
}

report::Table costs_table(const ProfiledVariant& variant) {
  report::Table out{.caption = "Cost of profiling, from calibration blocks that repeat one run",
                    .columns = {"bookkeeping", right("events in a run"), right("ns each"), "95 % interval", ""}};
  for (const CostEstimate& cost : variant.costs) {
    const auto interval = cost.interval();
    out.rows.push_back({meaning_of(cost.kind), fixed_text(mean_events(variant, cost.kind), 0), fixed_text(cost.mean, 1),
                        interval ? interval_text(interval->low, interval->high, 1) : "none", status_text(cost)});
  }
  return out;
}

double mean_time(const std::vector<profiler::RunProfile>& runs) {
  double sum = 0;
  for (const auto& run : runs) sum += static_cast<double>(run.region_ns);
  return sum / static_cast<double>(runs.size());
}

/// All variants at a glance.
report::Table variants_table(const ProfileConditions& how, const std::vector<ProfiledVariant>& variants) {
  const bool calibrated = how.calibrated();
  report::Table out{.caption = "Variants",
                    .columns = {"variant", right("time of a run (s)"), right("slowed by (%)"), right("bias (%)"),
                                "95 % interval", "within " + short_text(how.tolerance) + " %", "profile"}};
  for (const ProfiledVariant& variant : variants) {
    const auto& v = variant.validation;
    out.rows.push_back(
        {variant.name, seconds(mean_time(variant.off)), fixed_text(100 * (v.slow_down - 1), 2),
         calibrated ? fixed_text(v.bias, 2) : "",
         calibrated && v.bias_interval ? interval_text(v.bias_interval->low, v.bias_interval->high, 2) : "",
         calibrated ? std::string(profiler::correction_verdict(v, how.tolerance)) : "",
         !calibrated ? report::Cell("not judged")
         : v.valid   ? report::Cell("valid", report::Tone::good)
                     : report::Cell("INVALID", report::Tone::bad)});
  }
  return out;
}

/// The mean over measured pairs; absent unless all of them have it.
std::optional<profiler::GpuUse> mean_use(const ProfiledVariant& variant) {
  profiler::GpuUse mean;
  const auto pairs = static_cast<double>(variant.full.size());
  for (const auto& run : variant.full) {
    if (!run.gpu) return std::nullopt;
    mean.busy += run.gpu->busy / pairs;
    mean.sampled += run.gpu->sampled / pairs;
  }
  return mean;
}

report::Facts facts_of(const ProfileConditions& how, const ProfiledVariant& variant, const Shares& shares) {
  const auto& v = variant.validation;
  const auto pairs = static_cast<double>(variant.full.size());
  double events = 0, changes = 0;
  for (const auto& run : variant.full) {
    events += static_cast<double>(run.events) / pairs;
    changes +=
        static_cast<double>(run.transitions) / static_cast<double>(std::max<std::uint64_t>(1, run.iterations)) / pairs;
  }
  report::Facts out;
  const auto fact = [&](std::string name, report::Cell value, std::string detail = "") {
    out.rows.push_back({.name = std::move(name), .value = std::move(value), .detail = std::move(detail)});
  };
  if (how.calibrated())
    fact("profile", {v.valid ? "valid" : "INVALID", v.valid ? report::Tone::good : report::Tone::bad},
         v.valid ? "within " + short_text(how.tolerance) +
                       " % of the runs without profiling, which took no part in the calibration"
                 : results::joined(v.reasons, "; "));
  fact("time of a run", seconds(mean_time(variant.off)) + " s",
       "nothing recorded, mean of " + counted(static_cast<std::int64_t>(variant.off.size()), "pair"));
  fact("slowed by profiling", fixed_text(100 * (v.slow_down - 1), 2) + " %",
       "everything recorded, before the correction");
  if (how.calibrated())
    fact("bias", fixed_text(v.bias, 2) + " %",
         "corrected against unprofiled time; 95 % interval " +
             (v.bias_interval ? interval_text(v.bias_interval->low, v.bias_interval->high, 2) : "none"));
  if (how.calibrated())
    fact("correction", std::string(profiler::correction_verdict(v, how.tolerance)),
         "that it is within " + short_text(how.tolerance) + " %, by the interval");
  if (how.calibrated())
    fact("removed", seconds(shares.charged_ns) + " s",
         "of a run, as cost of profiling: " + seconds(shares.discarded_ns) + " s discarded, " +
             seconds(shares.moved_ns) + " s kept as time of a GPU that worked meanwhile" +
             (shares.unplaced_ns > 0 ? ", " + seconds(shares.unplaced_ns) + " s more than its cells held" : ""));
  fact("digests", variant.changed.empty() ? "equal" : "DIFFERENT",
       variant.changed.empty() ? "profiling changed no bit of any run"
                               : "profiling, or chance, changed what was computed");
  if (const std::string& about = variant.full.front().about_collector; !about.empty()) fact("collector", about);
  fact("events", fixed_text(events, 0) + " in a run");
  fact("changes of layer", fixed_text(changes, 0), "for each boundary of the run (epoch, iteration)");
  if (const auto gpu = mean_use(variant))
    fact("GPU busy", fixed_text(100 * gpu->busy, 2) + " %",
         "of the time, by its kernels; a tool that samples it sees " + fixed_text(100 * gpu->sampled, 1) + " %");
  return out;
}

report::Table shares_table(const std::string& caption, const std::vector<Share>& shares, bool cells) {
  constexpr std::size_t most = 25;
  report::Table out{.caption = caption};
  out.columns = {"operation"};
  if (cells) out.columns.emplace_back("active");
  for (const char* title : {"s", "%"}) out.columns.push_back(right(title));
  out.columns.emplace_back("95 % interval (%)");
  out.columns.push_back(right("not corrected (s)"));
  for (std::size_t i = 0; i < std::min(most, shares.size()); ++i) {
    const Share& s = shares[i];
    out.rows.push_back({s.operation});
    if (cells) out.rows.back().emplace_back(s.active);
    for (std::string text :
         {seconds(s.ns), fixed_text(s.share.point, 2), interval_text(s.share.low, s.share.high, 2), seconds(s.raw_ns)})
      out.rows.back().emplace_back(std::move(text));
  }
  return out;
}

/// A rule over the measured runs: in how many it fired, and what it found first.
struct RuleCount {
  std::string rule, finding;
  std::size_t fired = 0, evaluated = 0;
};

std::vector<RuleCount> rule_counts(const ProfiledVariant& variant) {
  std::vector<RuleCount> out;
  for (const auto& run : variant.full)
    for (const profiler::RuleResult& result : run.health.rules) {
      auto found = std::ranges::find(out, result.rule, &RuleCount::rule);
      if (found == out.end()) found = out.insert(out.end(), {.rule = result.rule, .finding = result.finding});
      if (result.fired.value_or(false) && found->fired == 0) found->finding = result.finding;
      found->evaluated += result.fired ? 1 : 0;
      found->fired += result.fired.value_or(false) ? 1 : 0;
    }
  return out;
}

report::Table rules_table(const ProfiledVariant& variant, const std::vector<RuleCount>& counts) {
  report::Table out{.caption = "Rules: measured runs in which each fired",
                    .columns = {"rule", right("fired"), "first finding"}};
  for (const RuleCount& count : counts)
    out.rows.push_back(
        {count.rule,
         {count.evaluated == 0 ? "not evaluated"
                               : std::to_string(count.fired) + " of " + std::to_string(variant.full.size()),
          count.fired > 0 ? report::Tone::bad : report::Tone::plain},
         count.finding});
  return out;
}

Json rules_json(const std::vector<RuleCount>& counts) {
  Json out = Json::array();
  for (const RuleCount& count : counts)
    out.push_back({{"rule", count.rule},
                   {"runs_fired", count.fired},
                   {"runs_evaluated", count.evaluated},
                   {"finding", count.finding}});
  return out;
}

Json cost_json(const CostEstimate& cost) {
  const auto interval = cost.interval();
  return {{"kind", cost.kind},
          {"status", profiler::name_of(cost.status)},
          {"charged_ns", report::derived(cost.cost)},
          {"mean_ns", report::derived(cost.mean)},
          {"low", interval ? report::derived(interval->low) : Json()},
          {"high", interval ? report::derived(interval->high) : Json()},
          {"blocks_ns", cost.blocks}};
}

Json shares_json(const std::vector<Share>& shares, bool cells) {
  Json out = Json::array();
  for (const Share& s : shares) {
    out.push_back({{"operation", s.operation},
                   {"ns", report::derived(s.ns)},
                   {"uncorrected_ns", report::derived(s.raw_ns)},
                   {"percent", report::derived(s.share.point)},
                   {"low", report::derived(s.share.low)},
                   {"high", report::derived(s.share.high)}});
    if (cells) out.back()["active"] = s.active;
  }
  return out;
}

Json variant_json(const ProfileConditions& how, const ProfiledVariant& variant, const Shares& shares) {
  const auto& v = variant.validation;
  Json costs = Json::array(), changed = Json::array(), pairs = Json::array();
  for (const CostEstimate& cost : variant.costs) costs.push_back(cost_json(cost));
  for (const auto& [run, difference] : variant.changed)
    changed.push_back({{"run", run}, {"field", difference.what}, {"step", difference.step}});
  for (std::size_t p = 0; p < variant.full.size(); ++p)
    pairs.push_back({{"pair", p + 1},
                     {"off_ns", variant.off[p].region_ns},
                     {"full_ns", variant.full[p].region_ns},
                     {"slow_down", report::derived(v.slow_downs[p])},
                     {"bias_percent", how.calibrated() ? report::derived(v.biases[p]) : Json()},
                     {"profile", profiler::json_of(variant.full[p])}});
  return {{"name", variant.name},
          {"valid", how.calibrated() ? Json(v.valid) : Json()},
          {"reasons", v.reasons},
          {"slow_down", report::derived(v.slow_down)},
          {"bias_percent", how.calibrated() ? report::derived(v.bias) : Json()},
          {"bias_low", how.calibrated() && v.bias_interval ? report::derived(v.bias_interval->low) : Json()},
          {"bias_high", how.calibrated() && v.bias_interval ? report::derived(v.bias_interval->high) : Json()},
          {"correction", how.calibrated() ? Json(profiler::correction_verdict(v, how.tolerance)) : Json()},
          {"costs", std::move(costs)},
          {"changed", std::move(changed)},
          {"charged_ns", report::derived(shares.charged_ns)},
          {"discarded_ns", report::derived(shares.discarded_ns)},
          {"moved_ns", report::derived(shares.moved_ns)},
          {"unplaced_ns", report::derived(shares.unplaced_ns)},
          {"operations", shares_json(shares.operations, false)},
          {"cells", shares_json(shares.cells, true)},
          {"rules", rules_json(rule_counts(variant))},
          {"pairs", std::move(pairs)}};
}

}  // namespace

bool any_rule_fired(const ProfiledVariant& variant) {
  return std::ranges::any_of(rule_counts(variant), [](const RuleCount& count) { return count.fired > 0; });
}

report::Part profile_part(const ProfileConditions& how, const std::vector<ProfiledVariant>& profiled) {
  report::Facts facts{{{.name = "workload", .value = how.workload},
                       {.name = "root seed", .value = how.seed},
                       {.name = "kernel mode", .value = how.mode}}};
  if (how.here) {
    facts.rows.push_back({.name = "machine", .value = how.here->machine});
    facts.rows.push_back({.name = "load", .value = load_text(*how.here)});
  }
  report::Section section{.id = "profile", .title = "Profile of " + how.study, .blocks = {std::move(facts)}};
  Json variants = Json::array();
  if (!how.calibrated())
    section.blocks.emplace_back(report::Warning{
        "Not corrected and not validated (--no-calibrate): the time that profiling took is in these numbers."});
  if (profiled.size() > 1) section.blocks.emplace_back(variants_table(how, profiled));
  for (const ProfiledVariant& variant : profiled) {
    const Shares shares = shares_of(variant);
    section.blocks.emplace_back(report::Paragraph{"Variant " + variant.name});
    section.blocks.emplace_back(facts_of(how, variant, shares));
    for (const auto& [run, difference] : variant.changed)
      section.blocks.emplace_back(report::Warning{
          run + ": " + difference.what + (difference.step < 0 ? "" : " at step " + std::to_string(difference.step)) +
              " was " + difference.a + " in the first run of the same trial, and is " + difference.b,
          "warning"});
    if (how.calibrated() && !variant.validation.valid && how.here &&
        std::max(how.here->before, how.here->after) > how.here->cpus)
      section.blocks.emplace_back(
          report::Warning{"More programs ran than there are CPUs, and times are those of a clock on the wall. On an "
                          "idle machine, or with "
                          "more --blocks and --pairs, the interval of the bias is narrower."});
    if (how.calibrated()) section.blocks.emplace_back(costs_table(variant));
    section.blocks.emplace_back(
        shares_table("Time of each operation, without that of operations inside it", shares.operations, false));
    section.blocks.emplace_back(shares_table("Operations by layer and device", shares.cells, true));
    if (const auto counts = rule_counts(variant); !counts.empty())
      section.blocks.emplace_back(rules_table(variant, counts));
    variants.push_back(variant_json(how, variant, shares));
  }
  return {.section = std::move(section),
          .data = {{"schema", "retrial.profile/1"},
                   {"study", how.study},
                   {"workload", how.workload},
                   {"seed", how.seed},
                   {"blocks", how.blocks},
                   {"measured_pairs", how.pairs},
                   {"tolerance_percent", how.tolerance},
                   {"load_before", how.here ? report::derived(how.here->before) : Json()},
                   {"load_after", how.here ? report::derived(how.here->after) : Json()},
                   {"variants", std::move(variants)}}};
}

}  // namespace retrial::harness::inline profile
