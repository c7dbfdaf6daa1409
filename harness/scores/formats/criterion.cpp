#include "harness/scores/formats/json_file.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline scores::inline formats {

/// One message a line. A sample is the time of several iterations; samples of one process are its cluster.
void read_criterion(const ScoreInput& input, ScoreTable& table) {
  const std::string variant = input.variant.value_or(input.path.stem().string());
  const std::string process = input.path.filename().string() + "#" + std::to_string(input.number);
  std::size_t line = 0;
  for (std::size_t from = 0; from < input.text.size(); ++line) {
    const std::size_t end = std::min(input.text.find('\n', from), input.text.size());
    const std::string text = input.text.substr(from, end - from);
    from = end + 1;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = "line " + std::to_string(line + 1);
    const Json message = results::parse_json(text, input.path.string() + ":" + std::to_string(line + 1));
    if (!message.is_object()) refuse_json(input, place, message, "not an object");
    if (message.value("reason", Json()) != "benchmark-complete") continue;
    const std::string name = text_field(input, message, place, "id"), unit = text_field(input, message, place, "unit");
    const Json iterations = message.value("iteration_count", Json()), times = message.value("measured_values", Json());
    if (unit != "ns") refuse_json(input, place + ".unit", unit, "not ns");
    if (!iterations.is_array() || !times.is_array() || times.empty() || iterations.size() != times.size())
      refuse_json(input, place, {}, "iteration_count and measured_values must be lists of one length");
    table.metrics["time"] = {variance::Direction::lower, "ns"};
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!times[i].is_number() || !iterations[i].is_number() || iterations[i].get<double>() < 1.0)
        refuse_json(input, place + ".measured_values[" + std::to_string(i) + "]", times[i],
                    "not a time of at least one iteration");
      table.add({.variant = table.called(variant),
                 .cluster = table.called(process),
                 .task = table.called(name),
                 .metric = table.called("time"),
                 .score = times[i].get<double>() / iterations[i].get<double>()});
    }
  }
  if (table.rows.empty()) refuse_json(input, "benchmark-complete", {}, "no such message: no benchmark was finished");
}

}  // namespace retrial::harness::inline scores::inline formats
