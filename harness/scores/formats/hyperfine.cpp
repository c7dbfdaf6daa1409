#include "harness/scores/formats/json_file.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

/// By exit_codes[run], if the file has them: null means a signal.
bool failed(const Json& result, std::size_t run) {
  const auto codes = result.find("exit_codes");
  return codes != result.end() && codes->is_array() && run < codes->size() && codes->at(run) != 0;
}

}  // namespace

/// Each time is from its own process, hence a run. hyperfine finishes one command before it starts the next, so drift
/// of the machine affects one side only.
void read_hyperfine(const ScoreInput& input, ScoreTable& table) {
  const Json document = json_of_file(input, "results");
  const Json& results = document.at("results");
  std::size_t failures = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string place = "results[" + std::to_string(i) + "]";
    if (!results[i].is_object()) refuse_json(input, place, results[i], "not an object");
    const std::string command = text_field(input, results[i], place, "command");
    const auto times = results[i].find("times");
    if (times == results[i].end() || !times->is_array() || times->empty())
      refuse_json(input, place + ".times", {}, "the times of the runs are missing");
    const Name variant = table.called(input.variant.value_or(command)), metric = table.called("time");
    const Name task = table.called(input.variant && results.size() > 1 ? command : "");
    for (std::size_t run = 0; run < times->size(); ++run) {
      const Json& time = times->at(run);
      if (!time.is_number()) refuse_json(input, place + ".times[" + std::to_string(run) + "]", time, "not a number");
      const bool broken = failed(results[i], run);
      failures += broken ? 1 : 0;
      table.add({.variant = variant,
                 .task = task,
                 .metric = metric,
                 .score = broken ? std::nullopt : std::optional(time.get<double>())});
    }
  }
  table.metrics["time"] = {variance::Direction::lower, "s"};
  if (failures > 0)
    table.notes.push_back(input.path.string() + ": " + counted(static_cast<std::int64_t>(failures), "run") +
                          " failed; no time recorded");
  if (results.size() > 1 && !input.variant)
    table.notes.push_back(
        "hyperfine ran each command to its end before the next, so a machine that became slower or faster in between "
        "looks like a difference");
}

}  // namespace retrial::harness::inline scores::inline formats
