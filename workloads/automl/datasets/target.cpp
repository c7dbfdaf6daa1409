#include "workloads/automl/datasets/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "results/text/text.hpp"
#include "workloads/automl/datasets/refusal.hpp"

namespace retrial::automl::inline datasets {
namespace {

constexpr std::size_t most_whole_classes = 20;

bool known_in(const data::TableColumn& column, std::size_t row) {
  return column.numeric ? !std::isnan(column.values[row]) : column.codes[row] != data::TableColumn::missing_code;
}

/// The different values of a numeric column, ascending.
std::vector<double> levels_of(const data::TableColumn& column) {
  std::set<double> levels;
  for (const double value : column.values)
    if (!std::isnan(value)) levels.insert(value);
  return {levels.begin(), levels.end()};
}

bool has_classes(const data::TableColumn& column, const std::vector<double>& levels, const std::string& task) {
  if (task == "regression") {
    if (!column.numeric)
      refuse_key("automl.table", "target", column.name, "a column of text in a task of values", "a column of numbers");
    return false;
  }
  const bool whole = std::all_of(levels.begin(), levels.end(), [](double value) { return value == std::floor(value); });
  return task != "auto" || !column.numeric || (whole && levels.size() <= most_whole_classes);
}

/// Classes that occur, in ascending order: numbers by value, texts by bytes.
std::vector<std::string> class_names(const data::Table& table, const data::TableColumn& column,
                                     const std::vector<double>& levels) {
  if (!column.numeric) return column.categories;
  std::vector<std::string> names;
  for (const double level : levels) {
    const bool named = level >= 0 && level < static_cast<double>(table.class_names.size());
    std::string text = results::text_of(level);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    names.push_back(named ? table.class_names[static_cast<std::size_t>(level)] : text);
  }
  return names;
}

Task task_of_classes(const data::TableColumn& column, std::size_t classes, const std::string& task) {
  if (classes < 2)
    refuse_key("automl.table", "target", column.name, "the column has one class only",
               "a column of at least two classes");
  const Task found = classes == 2 ? Task::binary : Task::multiclass;
  if (task != "auto" && task != name_of(found))
    refuse_key("automl.table", "task", task,
               "the target " + column.name + " has " + std::to_string(classes) + " classes",
               "auto, " + name_of(found) + (column.numeric ? ", regression" : ""));
  return found;
}

void read_target(const data::Table& table, const data::TableColumn& column, const std::string& task, const Rows& rows,
                 DataSet& into) {
  const std::vector<double> levels = column.numeric ? levels_of(column) : std::vector<double>{};
  const bool classes = has_classes(column, levels, task);
  if (classes) {
    into.classes = class_names(table, column, levels);
    into.task = task_of_classes(column, into.classes.size(), task);
  } else {
    into.task = Task::regression;
    if (levels.size() < 2)
      refuse_key("automl.table", "target", column.name, "all values are equal", "a column whose values differ");
  }
  for (const std::uint32_t row : rows) {
    if (!column.numeric)
      into.target.push_back(column.codes[row]);
    else if (classes)
      into.target.push_back(
          static_cast<double>(std::lower_bound(levels.begin(), levels.end(), column.values[row]) - levels.begin()));
    else
      into.target.push_back(column.values[row]);
  }
}

float cell_of(const data::TableColumn& column, std::uint32_t row) {
  if (!known_in(column, row)) return std::numeric_limits<float>::quiet_NaN();
  const double value = column.numeric ? column.values[row] : column.codes[row];
  if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    refuse_key("automl.table", "table", results::text_of(value),
               "a number of column " + column.name + " is too large for float32", "up to 3.4e38");
  return static_cast<float>(value);
}

}  // namespace

DataSet with_target(const data::Table& table, std::size_t target, const std::string& task) {
  if (table.columns.size() < 2)
    refuse_key("automl.table", "table", table.file.name, "one column only", "a target and at least one feature");
  const data::TableColumn& answer = table.columns[target];
  DataSet data{.name = table.file.name};
  Rows rows;
  for (std::uint32_t row = 0; row < table.rows; ++row)
    if (known_in(answer, row)) rows.push_back(row);
  if (rows.empty()) refuse_key("automl.table", "target", answer.name, "no row has a value", "a column with values");
  data.left_out = table.rows - static_cast<std::uint32_t>(rows.size());
  read_target(table, answer, task, rows, data);
  std::vector<const data::TableColumn*> features;
  for (std::size_t place = 0; place < table.columns.size(); ++place)
    if (place != target) features.push_back(&table.columns[place]);
  for (const auto* column : features)
    data.features.push_back({column->name, column->numeric ? std::vector<std::string>{} : column->categories});
  data.cells.reserve(rows.size() * features.size());
  for (const std::uint32_t row : rows)
    for (const auto* column : features) data.cells.push_back(cell_of(*column, row));
  data.content = content_digest(data);
  return data;
}

}  // namespace retrial::automl::inline datasets
