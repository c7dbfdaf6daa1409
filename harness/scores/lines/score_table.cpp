#include "harness/scores/lines/score_table.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "harness/text/csv.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline lines {
namespace {

std::vector<std::string> distinct(const std::vector<ScoreRow>& rows, std::string ScoreRow::*field) {
  std::vector<std::string> found;
  std::unordered_set<std::string_view> seen;
  for (const ScoreRow& row : rows)
    if (seen.insert(row.*field).second) found.push_back(row.*field);
  return found;
}

}  // namespace

bool by_number_and_name(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [&](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t from = at;
      while (at < text.size() && digit(text[at])) ++at;
      return text.substr(from, at - from);
    };
    const std::string x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  return i == a.size() && j == b.size() ? a < b : i == a.size();
}

std::vector<std::string> ScoreTable::variants() const {
  return distinct(rows, &ScoreRow::variant);
}

std::vector<std::string> ScoreTable::tasks() const {
  auto names = distinct(rows, &ScoreRow::task);
  std::sort(names.begin(), names.end(), by_number_and_name);
  return names;
}

std::vector<std::string> ScoreTable::metric_names() const {
  return distinct(rows, &ScoreRow::metric);
}

std::string long_csv(const ScoreTable& table) {
  std::string text = results::joined(std::vector<std::string>(score_columns.begin(), score_columns.end()), ",") + "\n";
  for (const ScoreRow& row : table.rows)
    text += csv_field(row.variant) + "," + (row.pair ? std::to_string(*row.pair) : "") + "," + csv_field(row.cluster) +
            "," + csv_field(row.task) + "," + csv_field(row.metric) + "," +
            (row.score ? results::text_of(*row.score) : "") + "\n";
  return text;
}

}  // namespace retrial::harness::inline scores::inline lines
