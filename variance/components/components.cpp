#include "variance/components/components.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/components/component_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components {

namespace component_parts {

void set_interval(Component& component, double variance_of_estimate, double alpha) {
  component.variance.point = std::max(0.0, component.raw);
  component.variance.level = 1.0 - alpha;
  component.variance.method = "satterthwaite";
  if (!(component.raw > 0.0) || !(variance_of_estimate > 0.0)) return;
  const double df = 2.0 * component.raw * component.raw / variance_of_estimate;
  component.df = df;
  // For very few degrees of freedom the lower chi-squared quantile is 0 in double precision: then there is no upper
  // bound.
  const double low = chi_squared_quantile(alpha / 2.0, df);
  component.variance.low = df * component.raw / chi_squared_quantile(1.0 - alpha / 2.0, df);
  if (low > 0.0 && std::isfinite(df * component.raw / low)) component.variance.high = df * component.raw / low;
}

void set_shares(std::span<Component* const> components) {
  double total = 0.0;
  for (const Component* c : components) total += c->variance.point;
  for (Component* c : components) c->share = total > 0.0 ? c->variance.point / total : 0.0;
}

Component difference_of(std::string source, MeanSquare of, std::optional<MeanSquare> minus, double divisor,
                        double alpha) {
  Component component{.source = std::move(source)};
  const double other = minus ? minus->value : 0.0;
  component.raw = (of.value - other) / divisor;
  double spread = of.value * of.value / of.df;
  if (minus) spread += other * other / minus->df;
  set_interval(component, 2.0 * spread / (divisor * divisor), alpha);
  return component;
}

}  // namespace component_parts

namespace {

using component_parts::difference_of;
using component_parts::MeanSquare;

struct Sums {
  double runs = 0.0, squared_sizes = 0.0, between = 0.0, within = 0.0;
};

Sums sums_of(const Clusters& clusters) {
  Sums sums;
  std::vector<double> all;
  for (const auto& cluster : clusters) all.insert(all.end(), cluster.begin(), cluster.end());
  const double grand = *mean(all);
  Neumaier between, within;
  for (const auto& cluster : clusters) {
    const double size = static_cast<double>(cluster.size()), center = *mean(cluster);
    sums.runs += size;
    sums.squared_sizes += size * size;
    between.add(size * (center - grand) * (center - grand));
    if (const auto v = sample_variance(cluster)) within.add(*v * (size - 1.0));
  }
  sums.between = between.value();
  sums.within = within.value();
  return sums;
}

void set_icc(OneWay& result, bool balanced, double alpha) {
  const double total = result.between->variance.point + result.within->variance.point;
  if (!(total > 0.0)) return;
  result.icc = result.between->variance.point / total;
  result.icc_interval = {.point = *result.icc, .level = 1.0 - alpha, .method = balanced ? "F" : "none: unbalanced"};
  if (!balanced || *result.msw == 0.0) return;
  const double r = static_cast<double>(result.clusters), k = result.k0, between = r - 1.0, within = r * (k - 1.0);
  const double f = *result.msb / *result.msw;
  const auto icc_of = [&](double ratio) { return std::max(0.0, (ratio - 1.0) / (ratio + k - 1.0)); };
  result.icc_interval.low = icc_of(f / f_quantile(1.0 - alpha / 2.0, between, within));
  result.icc_interval.high = icc_of(f * f_quantile(1.0 - alpha / 2.0, within, between));
}

}  // namespace

OneWay oneway(const Clusters& clusters, double alpha) {
  require_clusters(clusters);
  require_between("alpha", alpha, 0.0, 1.0);
  const Sums sums = sums_of(clusters);
  OneWay result{.clusters = static_cast<std::int64_t>(clusters.size()), .runs = static_cast<std::int64_t>(sums.runs)};
  const double r = static_cast<double>(clusters.size()), inside = sums.runs - r;
  if (inside > 0.0) {
    result.msw = sums.within / inside;
    result.within = difference_of("within", {*result.msw, inside}, {}, 1.0, alpha);
  }
  if (result.clusters < 2) return result;
  result.msb = sums.between / (r - 1.0);
  result.k0 = (sums.runs - sums.squared_sizes / sums.runs) / (r - 1.0);
  if (!result.msw) return result;
  result.between = difference_of("between", {*result.msb, r - 1.0}, MeanSquare{*result.msw, inside}, result.k0, alpha);
  component_parts::set_shares(std::array{&*result.between, &*result.within});
  const bool balanced =
      std::ranges::all_of(clusters, [&](const auto& c) { return c.size() == clusters.front().size(); });
  set_icc(result, balanced, alpha);
  return result;
}

NoiseStratum noise_stratum(std::span<const double> replicates, double alpha) {
  require_at_least("runs", static_cast<std::int64_t>(replicates.size()), 5);
  require_finite("scores", replicates);
  require_between("alpha", alpha, 0.0, 1.0);
  const double variance = *sample_variance(replicates), df = static_cast<double>(replicates.size()) - 1.0;
  NoiseStratum result{.runs = static_cast<std::int64_t>(replicates.size()), .bit_identical = variance == 0.0};
  result.variance = {.point = variance, .level = 1.0 - alpha, .method = "chi-squared"};
  if (result.bit_identical) return result;
  result.variance.low = df * variance / chi_squared_quantile(1.0 - alpha / 2.0, df);
  result.variance.high = df * variance / chi_squared_quantile(alpha / 2.0, df);
  return result;
}

namespace {

using CrossedCells = std::vector<std::vector<std::vector<double>>>;

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

}  // namespace retrial::variance::inline components
