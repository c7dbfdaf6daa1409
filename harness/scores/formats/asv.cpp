#include <algorithm>

#include "harness/scores/formats/json_file.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

/// asv writes NaN for parameters that a benchmark skipped, which is no JSON: here a text.
std::string without_nan(const std::string& text) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\' && i + 1 < text.size()) out += text[i++];
    if (!quoted && text.compare(i, 3, "NaN") == 0) {
      out += "\"NaN\"";
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The kind of a benchmark is the beginning of its function's name.
struct Kind {
  std::string_view prefix, metric, unit;
};
constexpr Kind kinds[] = {{"timeraw_", "time", "s"}, {"time_", "time", "s"},          {"peakmem_", "peak_memory", "B"},
                          {"mem_", "memory", "B"},   {"track_", "tracked", ""},       {"TimeRaw", "time", "s"},
                          {"Time", "time", "s"},     {"PeakMem", "peak_memory", "B"}, {"Mem", "memory", "B"}};

const Kind& kind_of(const std::string& name) {
  const std::string function = name.substr(name.rfind('.') + 1);
  const auto found = std::ranges::find_if(kinds, [&](const Kind& k) { return function.starts_with(k.prefix); });
  return found == std::end(kinds) ? kinds[4] : *found;
}

/// The combinations of parameters in asv's order: the last one varies fastest.
std::vector<std::string> combinations(const Json& parameters) {
  std::vector<std::string> out{""};
  if (!parameters.is_array()) return out;
  for (const Json& values : parameters) {
    std::vector<std::string> more;
    for (const std::string& before : out)
      for (const Json& value : values)
        more.push_back(before + (before.empty() ? "" : ", ") +
                       (value.is_string() ? value.get<std::string>() : value.dump()));
    out = std::move(more);
  }
  return out;
}

/// The columns of a result by name; trailing ones may be left out.
class Result {
 public:
  Result(const ScoreInput& input, const Json& columns, const Json& row, const std::string& place)
      : columns_(columns), row_(row) {
    if (!row.is_array()) refuse_json(input, place, row, "not a list");
  }
  [[nodiscard]] Json at(const char* name) const {
    for (std::size_t i = 0; i < std::min(columns_.size(), row_.size()); ++i)
      if (columns_[i] == name) return row_[i];
    return {};
  }

 private:
  const Json &columns_, &row_;
};

/// What all rows of a file have in common.
struct File {
  const ScoreInput& input;
  ScoreTable& table;
  std::string variant, process;
};

void add_value(const File& file, const std::string& name, const std::string& metric, const Json& value,
               const std::string& place) {
  if (value == "NaN") return;
  if (!value.is_number() && !value.is_null()) refuse_json(file.input, place, value, "not a number");
  file.table.rows.push_back({.variant = file.table.called(file.variant),
                             .cluster = file.table.called(file.process),
                             .task = file.table.called(name),
                             .metric = file.table.called(metric),
                             .score = value.is_null() ? std::nullopt : std::optional(value.get<double>())});
}

void add_result(const File& file, const std::string& benchmark, const Result& result, const std::string& place) {
  const Kind& kind = kind_of(benchmark);
  const std::string metric(kind.metric);
  file.table.metrics[metric] = {variance::Direction::lower, std::string(kind.unit)};
  const auto names = combinations(result.at("params"));
  const Json values = result.at("result"), samples = result.at("samples");
  if (!values.is_null() && (!values.is_array() || values.size() != names.size()))
    refuse_json(
        file.input, place + ".result", values,
        "not a list with one value for each of " + std::to_string(names.size()) + " combinations of parameters");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i].empty() ? benchmark : benchmark + "(" + names[i] + ")";
    const bool recorded = samples.is_array() && i < samples.size() && samples[i].is_array() && !samples[i].empty();
    if (!recorded) {
      add_value(file, name, metric, values.is_null() ? Json() : values[i], place + ".result");
      continue;
    }
    for (const Json& sample : samples[i]) add_value(file, name, metric, sample, place + ".samples");
  }
}

}  // namespace

/// A result file of asv is one run of one commit: its samples share the machine's state, so the file is their cluster.
/// asv calls every benchmark better when it is lower.
void read_asv(const ScoreInput& input, ScoreTable& table) {
  ScoreInput plain = input;
  plain.text = without_nan(input.text);
  const Json document = json_of_file(plain, "result_columns");
  const Json results = document.value("results", Json());
  if (!results.is_object() || results.empty()) refuse_json(input, "results", results, "holds no benchmark");
  const File file{
      .input = input,
      .table = table,
      .variant = input.variant.value_or(text_field(input, document, "document", "commit_hash").substr(0, 8)),
      .process = input.path.filename().string() + "#" + std::to_string(input.number)};
  note_machine(table, file.variant, document, "env_name");
  for (const char* key : {"machine", "cpu", "num_cpu", "os"})
    note_machine(table, file.variant, document.value("params", Json()), key);
  std::optional<std::int64_t> started;
  for (const auto& [name, row] : results.items()) {
    const Result result(input, document.at("result_columns"), row, "results." + name);
    if (const Json at = result.at("started_at"); at.is_number_integer())
      started = std::min(started.value_or(at.get<std::int64_t>()), at.get<std::int64_t>());
    add_result(file, name, result, "results." + name);
  }
  if (started) table.started[file.process] = *started * 1'000'000;
}

}  // namespace retrial::harness::inline scores::inline formats
