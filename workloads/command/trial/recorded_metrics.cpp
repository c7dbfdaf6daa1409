#include "workloads/command/trial/recorded_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "results/exchange/google_benchmark.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/reading/curve.hpp"
#include "workloads/command/reading/output.hpp"

namespace retrial::workloads::command::inline trial {

namespace {

bool in_json(const Read& read, const Readable& from) {
  return from.json && !read.pattern;
}

[[noreturn]] void refuse_missing(const Read& read, const Readable& from) {
  std::string why;
  if (in_json(read, from)) {
    const auto& numbers = from.json->numbers;
    const auto near = results::nearest(read.name, numbers);
    why = from.json_name +
          (!from.json->any   ? ": no line of it is a JSON object" + line_with_word(from.output, read.name)
           : numbers.empty() ? ", which holds no number"
                             : ", which holds " + results::joined(numbers)) +
          (near ? "; did you mean " + *near + "?" : "");
  } else {
    const auto line = line_with_word(from.output, read.name);
    why = "the output" + line +
          (line.empty() || read.pattern ? ""
                                        : "; " + std::string(read.option) + " '" + read.name +
                                              "~REGEX' with one (...) around the number reads another form");
  }
  throw TrialFailure("command.no_metric",
                     "no number \"" + read.name + "\" in " + why + "; last lines:" + last_lines(from.output));
}

const std::vector<JsonValue>& json_values(const Read& read, const Readable& from) {
  const auto found = from.json->of.find(read.name);
  if (found == from.json->of.end()) refuse_missing(read, from);
  return found->second;
}

double final_value(const Read& read, const Readable& from) {
  if (in_json(read, from)) {
    const auto& last = json_values(read, from).back();
    if (last.number) return *last.number;
    throw TrialFailure("command.no_metric", "\"" + read.name + "\" in " + from.json_name + ", line " +
                                                std::to_string(last.line) + ", is not a number");
  }
  const auto value = last_value(from.output, read);
  if (!value) refuse_missing(read, from);
  return *value;
}

/// Several numbers after the same word in the line that is read: the last one counts, which may not be meant. A
/// progress bar begins its line again.
std::optional<std::string> ambiguity(const Read& read, const Readable& from) {
  if (in_json(read, from) || read.pattern) return std::nullopt;
  auto all = matches_of_word(from.output, read.name);
  std::erase_if(all, [](const Match& match) { return match.value.kind != PrintedValue::Kind::number; });
  if (all.empty()) return std::nullopt;
  const auto before = from.output.find_last_of("\n\r", all.back().at);
  std::erase_if(all, [&](const Match& match) { return before != from.output.npos && match.at < before; });
  // By their bits: nan is not equal to itself.
  const auto bits = [](const Match& match) { return results::hex_of_bits(match.value.value); };
  if (std::ranges::all_of(all, [&](const Match& match) { return bits(match) == bits(all.back()); }))
    return std::nullopt;
  return "the line that is read has " + std::to_string(all.size()) + " numbers after \"" + read.name +
         "\", of which the last one counts: " + read.option + " '" + read.name +
         "~REGEX' with one (...) around the number says which to take";
}

std::vector<Point> asked_curve(const Read& read, const Readable& from) {
  if (in_json(read, from)) return curve_of(json_values(read, from), read.name, true);
  if (!from.whole)
    throw TrialFailure("command.bad_curve",
                       "the output is longer than 1 MiB, so the beginning of the curve \"" + read.name +
                           "\" is lost: print less, or write JSON lines to the file that TRIAL_LOG names");
  return curve_in(from.output, read);
}

std::vector<Point> curve_points(const MetricRead& metric, const Readable& from) {
  if (metric.curve) return asked_curve(*metric.curve, from);
  if (from.logged && in_json(*metric.final, from))
    return curve_of(json_values(*metric.final, from), metric.name, false);
  return {};
}

results::MetricDef time_of_benchmark(const std::string& name, const char* which) {
  return {.name = name + ":" + which,
          .unit = "ns",
          .direction = results::Direction::lower,
          .nature = results::Nature::cost,
          .scale = results::Scale::ratio,
          .axis = results::Axis::repetition};
}

/// A store keeps names of 200 bytes at most, in one line.
void check_name(const results::MetricDef& def, const std::string& file) {
  constexpr std::size_t longest = 200;
  if (results::one_line(def.name, longest) != def.name)
    throw TrialFailure("command.bad_json",
                       file +
                           ": the name of a benchmark, with its ending, is longer than 200 bytes or no line of text: " +
                           results::one_line(def.name, 120));
}

std::vector<results::BenchmarkRun> benchmark_runs(const std::string& text, const std::string& file) {
  try {
    auto runs = results::google_benchmark_runs(results::parse_json(text, file));
    if (!runs.empty()) return runs;
    throw TrialFailure("command.no_benchmark", file +
                                                   ": has no run of a benchmark, aggregates aside: run it without "
                                                   "--benchmark_report_aggregates_only");
  } catch (const Error& error) {
    throw TrialFailure("command.bad_json", file + ": " + error.text.problem);
  } catch (const results::BadBenchmarkField& bad) {
    throw TrialFailure("command.bad_json", file + ": " + bad.place + ": " + bad.what());
  }
}

}  // namespace

void record_metrics(Recorder& recorder, const std::vector<MetricRead>& metrics, const Readable& from) {
  for (const auto& metric : metrics) {
    const Read& read = metric.final ? *metric.final : *metric.curve;
    const double value = final_value(read, from);
    if (const auto text = ambiguity(read, from)) recorder.warning(*text);
    for (const auto& point : curve_points(metric, from)) recorder.metric(metric.name, point.value, point.step);
    recorder.metric(metric.name, value);
    if (&metric == &metrics.front() && !std::isfinite(value)) recorder.diverged(-1);
  }
}

bool reads_clocks(const std::vector<MetricRead>& metrics) {
  const auto reads = [&](const char* name) {
    return std::ranges::find(metrics, name, &MetricRead::name) != metrics.end();
  };
  return reads("sm_clock_mhz") && reads("sm_clock_default_mhz");
}

std::optional<std::string> throttled(const std::vector<MetricRead>& metrics, const std::string& printed) {
  const auto printed_value = [&](const char* name) -> std::optional<double> {
    const auto found = std::ranges::find(metrics, name, &MetricRead::name);
    return found == metrics.end() || !found->final ? std::nullopt : last_value(printed, *found->final);
  };
  const auto clock = printed_value("sm_clock_mhz"), usual = printed_value("sm_clock_default_mhz");
  if (!clock || !usual || !(*clock < 0.75 * *usual)) return std::nullopt;
  return "the GPU was throttled: " + results::text_of(*clock) + " MHz of " + results::text_of(*usual) + " MHz";
}

void record_benchmarks(Recorder& recorder, const std::string& text, const std::string& file) {
  std::map<std::string, double> least;
  for (const auto& run : benchmark_runs(text, file))
    for (const auto& [which, time] : {std::pair{"real_time", run.real_ns}, {"cpu_time", run.cpu_ns}}) {
      const auto def = time_of_benchmark(run.name, which);
      const double value = run.failed ? std::numeric_limits<double>::quiet_NaN() : time;
      const auto [known, first] = least.try_emplace(def.name, value);
      if (first) check_name(def, file), recorder.define(def);
      if (!(known->second <= value)) known->second = value;  // one without a number leaves none
      recorder.metric(def.name, value, run.repetition);
    }
  for (const auto& [name, value] : least) recorder.metric(name, value);
}

}  // namespace retrial::workloads::command::inline trial
