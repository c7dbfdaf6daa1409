#include "harness/scores/formats/json_file.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline scores::inline formats {

/// Rounds of one process share its layout and its neighbors, so the file is their cluster. `fullname` tells two tests
/// of one name apart.
void read_pytest_benchmark(const ScoreInput& input, ScoreTable& table) {
  const Json document = json_of_file(input, "benchmarks");
  const std::string variant = input.variant.value_or(input.path.stem().string());
  const std::string process = input.path.filename().string() + "#" + std::to_string(input.number);
  note_start(table, process, document.value("datetime", Json()));
  const Json machine = document.value("machine_info", Json());
  for (const char* key : {"node", "machine", "release", "python_implementation", "python_version"})
    note_machine(table, variant, machine, key);
  table.metrics["time"] = {variance::Direction::lower, "s"};
  std::size_t i = 0;
  for (const Json& row : document.at("benchmarks")) {
    const std::string place = "benchmarks[" + std::to_string(i++) + "]";
    if (!row.is_object()) refuse_json(input, place, row, "not an object");
    const std::string name = text_field(input, row, place, row.contains("fullname") ? "fullname" : "name");
    const Json stats = row.value("stats", Json());
    const auto rounds = stats.is_object() ? stats.value("data", Json()) : Json();
    if (!rounds.is_array() || rounds.empty())
      throw Error({.code = "scores.syntax",
                   .where = input.path.string(),
                   .field = place + ".stats.data",
                   .problem = "the times of the rounds are missing",
                   .help = "pytest --benchmark-json=FILE writes them, and so does --benchmark-save-data"});
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      if (!rounds[r].is_number())
        refuse_json(input, place + ".stats.data[" + std::to_string(r) + "]", rounds[r], "not a number");
      table.add({.variant = table.called(variant),
                 .cluster = table.called(process),
                 .task = table.called(name),
                 .metric = table.called("time"),
                 .score = rounds[r].get<double>()});
    }
  }
}

}  // namespace retrial::harness::inline scores::inline formats
