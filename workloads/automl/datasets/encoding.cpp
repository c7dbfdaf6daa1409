#include "workloads/automl/datasets/encoding.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "results/json/json.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::automl::inline datasets {
namespace {

using DenseColumn = DenseEncoding::Column;

double raw_value(const DenseColumn& column, float cell) {
  switch (column.kind) {
    case DenseColumn::Kind::number:
      return std::isnan(cell) ? column.median : static_cast<double>(cell);
    case DenseColumn::Kind::unknown:
      return std::isnan(cell) ? 1.0 : 0.0;
    case DenseColumn::Kind::level:
      return static_cast<double>(cell) == column.level ? 1.0 : 0.0;
    case DenseColumn::Kind::others:
      return !std::isnan(cell) && !std::ranges::binary_search(column.kept, static_cast<double>(cell)) ? 1.0 : 0.0;
  }
  return 0;
}

/// Ascending; the most frequent `most` of them.
std::vector<double> kept_levels(const std::vector<double>& known, std::size_t most) {
  std::map<double, std::size_t> counts;
  for (const double level : known) ++counts[level];
  std::vector<std::pair<double, std::size_t>> levels(counts.begin(), counts.end());
  std::ranges::stable_sort(levels, std::greater<>(), &std::pair<double, std::size_t>::second);
  std::vector<double> kept;
  for (const auto& [level, count] : levels)
    if (kept.size() < most) kept.push_back(level);
  std::ranges::sort(kept);
  return kept;
}

std::vector<DenseColumn> columns_of(const DataSet& data, std::uint32_t feature, std::span<const float> cells,
                                    std::size_t most_levels) {
  std::vector<double> known;
  for (const float cell : cells)
    if (!std::isnan(cell)) known.push_back(static_cast<double>(cell));
  std::vector<DenseColumn> columns;
  if (data.features[feature].categories.empty()) {
    columns.push_back({.feature = feature, .median = variance::median(known).value_or(0.0)});
    if (known.size() < cells.size()) columns.push_back({.feature = feature, .kind = DenseColumn::Kind::unknown});
  } else {
    const auto kept = kept_levels(known, most_levels);
    for (const double level : kept)
      columns.push_back({.feature = feature, .kind = DenseColumn::Kind::level, .level = level});
    if (kept.size() == most_levels)
      columns.push_back({.feature = feature, .kind = DenseColumn::Kind::others, .kept = kept});
  }
  return columns;
}

/// False for a constant column. Sums in row order.
bool standardise(DenseColumn& column, std::span<const float> cells) {
  variance::Neumaier sum, squares;
  for (const float cell : cells) sum.add(raw_value(column, cell));
  column.mean = sum.value() / static_cast<double>(cells.size());
  for (const float cell : cells) {
    const double off = raw_value(column, cell) - column.mean;
    squares.add(off * off);
  }
  column.sd = std::sqrt(squares.value() / static_cast<double>(cells.size()));
  const bool constant = std::all_of(cells.begin(), cells.end(), [&](float cell) {
    return raw_value(column, cell) == raw_value(column, cells.front());
  });
  return !constant && column.sd > 0;
}

}  // namespace

DenseEncoding::DenseEncoding(const DataSet& data, std::span<const std::uint32_t> training_rows,
                             std::size_t most_levels) {
  std::vector<float> cells(training_rows.size());
  for (std::uint32_t feature = 0; feature < data.columns(); ++feature) {
    for (std::size_t place = 0; place < cells.size(); ++place) cells[place] = data.row(training_rows[place])[feature];
    for (DenseColumn& column : columns_of(data, feature, cells, most_levels))
      if (standardise(column, cells)) columns_.push_back(column);
  }
}

std::vector<double> DenseEncoding::apply(const DataSet& data, std::span<const std::uint32_t> rows) const {
  std::vector<double> values;
  values.reserve(rows.size() * columns_.size());
  for (const std::uint32_t row : rows) {
    const auto cells = data.row(row);
    for (const DenseColumn& column : columns_)
      values.push_back((raw_value(column, cells[column.feature]) - column.mean) / column.sd);
  }
  return values;
}

Json DenseEncoding::described(const DataSet& data) const {
  Json out = Json::array();
  for (const DenseColumn& column : columns_) {
    const Feature& feature = data.features[column.feature];
    std::string name = feature.name;
    if (column.kind == DenseColumn::Kind::unknown) name += " unknown";
    if (column.kind == DenseColumn::Kind::others) name += " = another";
    if (column.kind == DenseColumn::Kind::level)
      name += " = " + feature.categories[static_cast<std::size_t>(column.level)];
    out.push_back({{"mean", column.mean}, {"median", column.median}, {"name", name}, {"sd", column.sd}});
  }
  return out;
}

}  // namespace retrial::automl::inline datasets
