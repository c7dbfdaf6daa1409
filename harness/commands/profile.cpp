#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/report/trace_part.hpp"
#include "workloads/profiler/rules/profile_rules.hpp"
#include "workloads/profiler/traces/read.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr const char* profile_usage = "profile --analyze FILE [--against FILE]";

std::vector<std::string> rule_names(const Arguments& arguments) {
  return profiler::asked_rules(arguments.list("rules").value_or(std::vector<std::string>{"default"}));
}

profiler::Timeline measured_trace(const std::string& file, profiler::Damage damage) {
  profiler::Timeline timeline = profiler::read_trace(file, damage);
  if (timeline.wall() > 0) return timeline;
  throw Error({.exit = Exit::incomparable,
               .code = "profile.empty_trace",
               .where = results::one_line(file, 200),
               .problem = "the trace has no interval of a known category",
               .help = counted(static_cast<std::int64_t>(timeline.faults.ignored), "interval") +
                       " of other categories; docs/method/profiling.md lists those that are read"});
}

int compare_traces(const Arguments& arguments, const profiler::Timeline& first, const std::string& file,
                   profiler::Damage damage) {
  refuse_options(arguments, {"rules", "rules-fail", "per-thread", "polling-interval"},
                 {.problem = "is about one trace, and --against compares two", .help = "leave out one of the two"});
  const std::string other = *arguments.value("against");
  print_part(profiler::against_part(first, measured_trace(other, damage), file, other), arguments.has("json"));
  return 0;
}

int run_profile(const Arguments& arguments) {
  refuse_extra(arguments, 0, profile_usage);
  const auto file = arguments.value("analyze");
  if (!file) refuse_usage("profile", "needs a trace: --analyze FILE", std::string("usage: retrial ") + profile_usage);
  const auto damage = arguments.has("salvage") ? profiler::Damage::salvaged : profiler::Damage::refused;
  const profiler::TraceQuestions questions{
      .file = *file,
      .period_ns = arguments.integer("polling-interval", 1, std::int64_t{1} << 60U).value_or(profiler::usual_period_ns),
      .by_thread = arguments.has("per-thread"),
      .rules = rule_names(arguments)};
  const profiler::Timeline timeline = measured_trace(*file, damage);
  if (arguments.has("against")) return compare_traces(arguments, timeline, *file, damage);
  print_part(profiler::trace_part(timeline, questions), arguments.has("json"));
  return arguments.has("rules-fail") && profiler::any_rule_fires(timeline, questions.rules) ? 1 : 0;
}

}  // namespace

Command profile_command() {
  return {
      .name = "profile",
      .group = "profile",
      .purpose = "say where the time of a training went, by operation, layer and device",
      .examples = {"retrial profile --analyze trace.json",
                   "retrial profile --analyze run.rtrace --against other.rtrace"},
      .arguments = "",
      .options = {{.name = "analyze",
                   .value_name = "FILE",
                   .meaning = "trace to read: .rtrace, Chrome JSON (torch.profiler's export_chrome_trace), Perfetto"},
                  {.name = "against", .value_name = "FILE", .meaning = "second trace: both, cell by cell"},
                  {.name = "per-thread", .meaning = "also a table for each thread"},
                  {.name = "polling-interval",
                   .value_name = "NS",
                   .meaning = "period of the emulated sampled utilization (default: 166666667, as nvidia-smi)"},
                  {.name = "rules",
                   .value_name = "NAME,...",
                   .meaning = "rules to evaluate: default, none, low_gpu_busy, cpu_bottleneck, step_outlier, "
                              "max_initialization_time (default: all)"},
                  {.name = "rules-fail", .meaning = "exit code 1 if a rule fires"},
                  {.name = "salvage", .meaning = "read what a damaged .rtrace file still holds"},
                  {.name = "json", .meaning = "print JSON for programs"}},
      .run = run_profile};
}

}  // namespace retrial::harness::inline commands
