#include "workloads/automl/trees/bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace retrial::automl::inline trees {
namespace {

constexpr std::size_t bins_of_values = 254;

double between_values(float low, float high) {
  return (static_cast<double>(low) + static_cast<double>(high)) / 2;
}

/// `values` ascending.
std::vector<double> edges_of(const std::vector<float>& values) {
  std::size_t levels = values.empty() ? 0 : 1;
  for (std::size_t i = 1; i < values.size(); ++i) levels += values[i] != values[i - 1] ? 1 : 0;
  std::vector<double> edges;
  std::size_t full = 0;  // bins that the values so far fill
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] == values[i - 1]) continue;
    const std::size_t reached = i * bins_of_values / values.size();
    if (levels > bins_of_values && reached == full) continue;
    full = reached;
    edges.push_back(between_values(values[i - 1], values[i]));
  }
  return edges;
}

}  // namespace

Bins::Bins(const DataSet& data, std::span<const std::uint32_t> rows) : rows_(rows.size()) {
  bins_.reserve(rows_ * data.columns());
  for (std::uint32_t c = 0; c < data.columns(); ++c) {
    std::vector<float> known;
    for (const std::uint32_t row : rows)
      if (const float cell = data.row(row)[c]; !std::isnan(cell)) known.push_back(cell);
    std::sort(known.begin(), known.end());
    const std::vector<double>& edges = edges_.emplace_back(edges_of(known));
    for (const std::uint32_t row : rows) {
      const float cell = data.row(row)[c];
      const auto above = std::lower_bound(edges.begin(), edges.end(), static_cast<double>(cell)) - edges.begin();
      bins_.push_back(std::isnan(cell) ? std::uint8_t{0} : static_cast<std::uint8_t>(above + 1));
    }
  }
}

double Bins::edge(std::size_t column, std::size_t bin) const {
  return bin == 0 ? -std::numeric_limits<double>::infinity() : edges_[column][bin - 1];
}

}  // namespace retrial::automl::inline trees
