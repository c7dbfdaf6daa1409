#include "harness/scores/score_table.hpp"

#include <algorithm>

#include "results/text.hpp"

namespace retrial::harness {
namespace {

std::vector<std::string> distinct(const std::vector<ScoreRow>& rows, std::string ScoreRow::*field) {
  std::vector<std::string> found;
  for (const ScoreRow& row : rows)
    if (std::find(found.begin(), found.end(), row.*field) == found.end()) found.push_back(row.*field);
  return found;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos &&
      (text.empty() || (text.front() != ' ' && text.back() != ' ')))
    return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<std::string> ScoreTable::variants() const {
  return distinct(rows, &ScoreRow::variant);
}

std::vector<std::string> ScoreTable::tasks() const {
  return distinct(rows, &ScoreRow::task);
}

std::vector<std::string> ScoreTable::metric_names() const {
  return distinct(rows, &ScoreRow::metric);
}

std::string long_csv(const ScoreTable& table) {
  std::string text = "variant,pair,cluster,task,metric,score\n";
  for (const ScoreRow& row : table.rows)
    text += csv_field(row.variant) + "," + (row.pair ? std::to_string(*row.pair) : "") + "," + csv_field(row.cluster) +
            "," + csv_field(row.task) + "," + csv_field(row.metric) + "," +
            (row.score ? results::text_of(*row.score) : "") + "\n";
  return text;
}

}  // namespace retrial::harness
