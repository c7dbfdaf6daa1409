#include "harness/scores/lines/score_table.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "harness/text/csv.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline lines {
namespace {

std::vector<std::string> distinct(const std::deque<ScoreRow>& rows, Name ScoreRow::*field) {
  std::vector<std::string> found;
  std::unordered_set<const std::string*> seen;
  const std::string* last = nullptr;
  for (const ScoreRow& row : rows) {
    const std::string& name = (row.*field).text();
    if (std::exchange(last, &name) != &name && seen.insert(&name).second) found.push_back(name);
  }
  return found;
}

}  // namespace

const std::string Name::none_;

Name Names::of(std::string_view text) {
  if (text.empty()) return {};
  const auto found = kept_.find(text);
  return Name(found != kept_.end() ? *found : *kept_.emplace(text).first);
}

void refuse_many_scores(const std::string& where) {
  throw Error({.code = "scores.size",
               .where = where,
               .problem = "more than " + std::to_string(max_scores) + " scores",
               .help = "leave out tasks, metrics or variants, or give their means"});
}

void ScoreTable::add(const ScoreRow& row) {
  if (rows.size() == max_scores) refuse_many_scores(name);
  rows.push_back(row);
}

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
  auto found = distinct(rows, &ScoreRow::task);
  std::sort(found.begin(), found.end(), by_number_and_name);
  return found;
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
