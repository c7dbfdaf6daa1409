#include "workloads/profiler/rules/profile_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/overlap/gpu.hpp"
#include "workloads/profiler/overlap/table.hpp"

namespace retrial::profiler::inline rules {
namespace {

std::string with_unit(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

RuleResult low_gpu_busy(const Timeline& t) {
  const std::vector<Interval> kernels = kernels_of(t), regions = intervals_of(t.regions);
  if (kernels.empty()) return {.rule = "low_gpu_busy", .finding = "no kernel in the trace"};
  const double busy = 100 * true_busy(kernels, regions);
  return {.rule = "low_gpu_busy",
          .fired = busy < 70,
          .finding = "busy " + with_unit(busy, "%") + " of the time, limit 70 %; sampled utilization shows " +
                     with_unit(100 * sampled_utilization(kernels, regions, usual_period_ns), "%")};
}

RuleResult cpu_bottleneck(const Timeline& t) {
  if (t.gpu.empty()) return {.rule = "cpu_bottleneck", .finding = "no work of a GPU in the trace"};
  const Resources r = resources_of(table_of(t, thread_times(t)));
  const double share =
      100 * static_cast<double>(r.cpu_only) / static_cast<double>(std::max<std::uint64_t>(1, t.wall()));
  return {.rule = "cpu_bottleneck",
          .fired = share > 50,
          .finding = "CPU alone " + with_unit(share, "%") + " of the time, limit 50 %"};
}

/// Lengths of the iterations of the thread that reports progress, in ns.
std::vector<double> iterations(const Timeline& t) {
  std::vector<double> out;
  std::optional<std::int64_t> last;
  for (const Mark& m : t.progress) {
    if (m.lane != t.progress.front().lane) continue;
    if (last) out.push_back(static_cast<double>(m.at - *last));
    last = m.at;
  }
  return out;
}

RuleResult step_outlier(const Timeline& t) {
  constexpr double deviations = 3;
  constexpr std::size_t allowed = 10;
  const std::vector<double> steps = iterations(t);
  if (steps.size() <= allowed)
    return {.rule = "step_outlier", .finding = std::to_string(steps.size()) + " iterations, needed 11 and more"};
  double mean = 0, squares = 0;
  for (const double s : steps) mean += s / static_cast<double>(steps.size());
  for (const double s : steps) squares += (s - mean) * (s - mean);
  const double limit = mean + deviations * std::sqrt(squares / static_cast<double>(steps.size() - 1));
  const auto longer = static_cast<std::size_t>(std::ranges::count_if(steps, [&](double s) { return s > limit; }));
  return {.rule = "step_outlier",
          .fired = longer > allowed,
          .finding = std::to_string(longer) + " of " + std::to_string(steps.size()) +
                     " iterations are longer than mean + 3 sd (" + with_unit(limit / 1e6, "ms") + "), limit 10"};
}

RuleResult max_initialization_time(const Timeline& t) {
  if (t.progress.empty()) return {.rule = "max_initialization_time", .finding = "no iteration in the trace"};
  const double minutes = static_cast<double>(t.progress.front().at) / 60e9;
  return {.rule = "max_initialization_time",
          .fired = minutes > 20,
          .finding = with_unit(minutes, "min") + " until the end of the first iteration, limit 20 min"};
}

struct Rule {
  RuleText text;
  RuleResult (*evaluate)(const Timeline&);
};
const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules{
      {{"low_gpu_busy", "kernels run in less than 70 % of the time"}, low_gpu_busy},
      {{"cpu_bottleneck", "only the CPU works in more than 50 % of the time"}, cpu_bottleneck},
      {{"step_outlier", "more than 10 iterations are longer than mean + 3 sd"}, step_outlier},
      {{"max_initialization_time", "the first iteration ends after more than 20 minutes"}, max_initialization_time}};
  return rules;
}

}  // namespace

const std::vector<RuleText>& profile_rules() {
  static const std::vector<RuleText> texts = [] {
    std::vector<RuleText> out;
    for (const Rule& rule : all_rules()) out.push_back(rule.text);
    return out;
  }();
  return texts;
}

std::vector<std::string> asked_rules(const std::vector<std::string>& names, const std::vector<RuleText>& rules) {
  std::vector<std::string> known;
  for (const RuleText& rule : rules) known.push_back(rule.name);
  if (names == std::vector<std::string>{"default"}) return known;
  if (names == std::vector<std::string>{"none"}) return {};
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto near = results::nearest(name, known);
    throw Error({.code = "profile.rules",
                 .where = "--rules",
                 .value = results::one_line(name, 60),
                 .problem = "unknown rule",
                 .allowed = "default, none, " + results::joined(known),
                 .help = near ? "did you mean \"" + *near + "\"?" : ""});
  }
  return names;
}

std::vector<RuleResult> evaluate_rules(const Timeline& timeline, const std::vector<std::string>& names) {
  std::vector<RuleResult> out;
  for (const Rule& rule : all_rules())
    if (std::ranges::find(names, rule.text.name) != names.end()) out.push_back(rule.evaluate(timeline));
  return out;
}

}  // namespace retrial::profiler::inline rules
