#include "workloads/automl/datasets/dataset.hpp"

#include <bit>
#include <numeric>

#include "results/json/json.hpp"

namespace retrial::automl::inline datasets {
namespace {

static_assert(std::endian::native == std::endian::little, "cells and target are digested as they lie in memory");

template <typename T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

Rows all_rows(const DataSet& data) {
  Rows rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::vector<std::uint32_t> classes_of(const DataSet& data, std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> classes;
  classes.reserve(rows.size());
  const bool none = data.task == Task::regression;
  for (const std::uint32_t row : rows) classes.push_back(none ? 0 : static_cast<std::uint32_t>(data.target[row]));
  return classes;
}

std::vector<double> targets_of(const DataSet& data, std::span<const std::uint32_t> rows) {
  std::vector<double> targets;
  targets.reserve(rows.size());
  for (const std::uint32_t row : rows) targets.push_back(data.target[row]);
  return targets;
}

std::vector<float> cells_of(const DataSet& data, std::span<const std::uint32_t> rows) {
  std::vector<float> cells;
  cells.reserve(rows.size() * data.columns());
  for (const std::uint32_t row : rows) {
    const auto of_row = data.row(row);
    cells.insert(cells.end(), of_row.begin(), of_row.end());
  }
  return cells;
}

Json columns_json(const DataSet& data) {
  Json columns = Json::array();
  for (const Feature& feature : data.features)
    columns.push_back({{"categories", feature.categories}, {"name", feature.name}});
  return {{"classes", data.classes}, {"columns", std::move(columns)}, {"task", name_of(data.task)}};
}

results::Digest content_digest(const DataSet& data) {
  results::Sha256 sum;
  sum.update(results::canonical(columns_json(data)));
  sum.update(bytes_of(data.cells));
  sum.update(bytes_of(data.target));
  return sum.finish();
}

}  // namespace retrial::automl::inline datasets
