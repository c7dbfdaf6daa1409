#include <sstream>

#include "harness/scores/formats/json_file.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

constexpr std::string_view token = ":::MLLOG ";

/// One training run of the log, from its run_start.
struct Training {
  double start = 0.0;              ///< milliseconds
  std::optional<double> seconds;   ///< up to a run_stop with status success
  std::optional<double> accuracy;  ///< at the last evaluation
  bool stopped = false;
};

struct Log {
  std::string benchmark;
  std::vector<Training> trainings;
};

void start(const ScoreInput& input, const std::string& place, const Json& event, Log& log) {
  if (!log.trainings.empty() && !log.trainings.back().stopped)
    refuse_json(input, place, "run_start", "a second run_start before run_stop");
  log.trainings.push_back({.start = number_field(input, event, place, "time_ms")});
}

Training& running(const ScoreInput& input, const std::string& place, const std::string& key, Log& log) {
  if (log.trainings.empty() || log.trainings.back().stopped) refuse_json(input, place, key, "no run_start before it");
  return log.trainings.back();
}

void stop(const ScoreInput& input, const std::string& place, const Json& event, Log& log) {
  Training& training = running(input, place, "run_stop", log);
  training.stopped = true;
  const auto metadata = event.find("metadata");
  const bool known = metadata != event.end() && metadata->is_object() && metadata->contains("status");
  if (!known) refuse_json(input, place + ".metadata.status", {}, "is missing");
  if (metadata->at("status") != "success") return;
  training.seconds = (number_field(input, event, place, "time_ms") - training.start) / 1000.0;
  if (*training.seconds < 0.0)
    refuse_json(input, place + ".time_ms", event.at("time_ms"), "earlier than its run_start");
}

void take(const ScoreInput& input, const std::string& place, const Json& event, Log& log) {
  if (!event.is_object()) refuse_json(input, place, event, "not an object");
  const std::string key = text_field(input, event, place, "key");
  if (key == "submission_benchmark") log.benchmark = text_field(input, event, place, "value");
  if (key == "run_start") start(input, place, event, log);
  if (key == "eval_accuracy") running(input, place, key, log).accuracy = number_field(input, event, place, "value");
  if (key == "run_stop") stop(input, place, event, log);
}

Log log_of(const ScoreInput& input) {
  std::istringstream in(input.text);
  Log log;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = "line " + std::to_string(++number);
    const auto found = line.find(token);
    if (found == std::string::npos) continue;
    take(input, place,
         results::parse_json(line.substr(found + token.size()), input.path.string() + ":" + std::to_string(number)),
         log);
  }
  if (log.trainings.empty()) refuse_json(input, "", {}, "no run_start in the log");
  return log;
}

}  // namespace

/// Reads lines with the token :::MLLOG, whatever precedes it. A training run that was aborted, or whose log ends before
/// its run_stop, has failed: it has neither a time nor an accuracy.
void read_mllog(const ScoreInput& input, ScoreTable& table) {
  const Log log = log_of(input);
  const std::string variant = input.variant.value_or(input.path.stem().string());
  std::int64_t failures = 0;
  bool evaluated = false;
  for (const Training& training : log.trainings) {
    failures += training.seconds ? 0 : 1;
    evaluated = evaluated || training.accuracy.has_value();
    table.add({.variant = table.called(variant),
               .task = table.called(log.benchmark),
               .metric = table.called("time_to_train"),
               .score = training.seconds});
  }
  table.metrics["time_to_train"] = {variance::Direction::lower, "s"};
  for (const Training& training : log.trainings)
    if (evaluated)
      table.add({.variant = table.called(variant),
                 .task = table.called(log.benchmark),
                 .metric = table.called("eval_accuracy"),
                 .score = training.seconds ? training.accuracy : std::nullopt});
  if (failures > 0)
    table.notes.push_back(input.path.string() + ": " + counted(failures, "run") + " did not end with success and " +
                          (failures == 1 ? "has" : "have") + " no score");
}

}  // namespace retrial::harness::inline scores::inline formats
