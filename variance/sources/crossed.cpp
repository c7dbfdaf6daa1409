#include <string>

#include "variance/numbers/check.hpp"
#include "variance/numbers/sum.hpp"
#include "variance/numbers/summary.hpp"
#include "variance/sources/component_parts.hpp"

namespace retrial::variance::inline sources {
namespace {

using CrossedCells = std::vector<std::vector<std::vector<double>>>;
using component_parts::difference_of;
using component_parts::MeanSquare;

void require_cells(const CrossedCells& cells) {
  require_at_least("rows", static_cast<std::int64_t>(cells.size()), 2);
  const std::size_t columns = cells.front().size();
  require_at_least("columns", static_cast<std::int64_t>(columns), 2);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string row = "cells[" + std::to_string(i) + "]";
    if (cells[i].size() != columns)
      throw InvalidInput(row, std::to_string(cells[i].size()) + " cells", "as many cells as the first row");
    for (std::size_t j = 0; j < columns; ++j) {
      const std::string cell = row + "[" + std::to_string(j) + "]";
      if (cells[i][j].empty() || cells[i][j].size() != cells.front().front().size())
        throw InvalidInput(cell, std::to_string(cells[i][j].size()) + " runs",
                           "as many runs as the first cell, at least 1");
      require_finite(cell, cells[i][j]);
    }
  }
}

/// Mean squares of rows, columns, interaction and noise, computed on scores (not on cell means).
struct Table {
  MeanSquare rows, columns, interaction, noise;
};

Table table_of(const CrossedCells& cells) {
  const double r = static_cast<double>(cells.size()), c = static_cast<double>(cells.front().size());
  const double n = static_cast<double>(cells.front().front().size());
  std::vector<double> row_means(cells.size(), 0.0), column_means(cells.front().size(), 0.0);
  std::vector<std::vector<double>> means(cells.size());
  Neumaier noise, interaction, rows, columns, total;
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (std::size_t j = 0; j < cells[i].size(); ++j) {
      means[i].push_back(*mean(cells[i][j]));
      row_means[i] += means[i][j] / c;
      column_means[j] += means[i][j] / r;
      total.add(means[i][j] / (r * c));
      if (n > 1.0) noise.add(*sample_variance(cells[i][j]) * (n - 1.0));
    }
  const double grand = total.value();
  for (const double m : row_means) rows.add(n * c * (m - grand) * (m - grand));
  for (const double m : column_means) columns.add(n * r * (m - grand) * (m - grand));
  for (std::size_t i = 0; i < means.size(); ++i)
    for (std::size_t j = 0; j < means[i].size(); ++j) {
      const double rest = means[i][j] - row_means[i] - column_means[j] + grand;
      interaction.add(n * rest * rest);
    }
  const double both = (r - 1.0) * (c - 1.0), inside = r * c * (n - 1.0);
  return {.rows = {rows.value() / (r - 1.0), r - 1.0},
          .columns = {columns.value() / (c - 1.0), c - 1.0},
          .interaction = {interaction.value() / both, both},
          .noise = {inside > 0.0 ? noise.value() / inside : 0.0, inside}};
}

}  // namespace

Crossed crossed(const CrossedCells& cells, const std::string& row_source, const std::string& column_source,
                double alpha) {
  require_cells(cells);
  require_between("alpha", alpha, 0.0, 1.0);
  const Table table = table_of(cells);
  Crossed result{.rows = static_cast<std::int64_t>(cells.size()),
                 .columns = static_cast<std::int64_t>(cells.front().size()),
                 .replicates = static_cast<std::int64_t>(cells.front().front().size())};
  const double r = static_cast<double>(result.rows), c = static_cast<double>(result.columns);
  const double n = static_cast<double>(result.replicates);
  result.components.push_back(difference_of(row_source, table.rows, table.interaction, n * c, alpha));
  result.components.push_back(difference_of(column_source, table.columns, table.interaction, n * r, alpha));
  if (result.replicates > 1) {
    result.components.push_back(difference_of("interaction", table.interaction, table.noise, n, alpha));
    result.components.push_back(difference_of("noise", table.noise, {}, 1.0, alpha));
  } else {
    result.components.push_back(difference_of("interaction and noise", table.interaction, {}, 1.0, alpha));
  }
  std::vector<Component*> all;
  for (Component& component : result.components) all.push_back(&component);
  component_parts::set_shares(all);
  return result;
}

}  // namespace retrial::variance::inline sources
