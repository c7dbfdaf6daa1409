#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"
#include "results/json/json_fwd.hpp"
#include "workloads/automl/metrics/metrics.hpp"

namespace retrial::automl::inline datasets {

using Rows = std::vector<std::uint32_t>;

struct Feature {
  std::string name;
  std::vector<std::string> categories = {};  ///< in byte order; empty: numbers
};

/// A table with a target, as learners read it.
struct DataSet {
  std::string name;
  Task task = Task::binary;
  std::vector<Feature> features;
  std::vector<std::string> classes = {};  ///< empty for regression
  std::vector<float> cells = {};          ///< row by row; a category as its number, NaN where unknown
  std::vector<double> target = {};        ///< class number or value
  std::uint32_t left_out = 0;             ///< rows of the file without a target
  results::Digest content{};              ///< of columns, codes and target

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(target.size()); }
  [[nodiscard]] std::uint32_t columns() const { return static_cast<std::uint32_t>(features.size()); }
  [[nodiscard]] std::span<const float> row(std::uint32_t r) const {
    return std::span(cells).subspan(std::size_t{r} * features.size(), features.size());
  }
};

[[nodiscard]] Rows all_rows(const DataSet& data);
/// The class of each of these rows; of regression all 0.
[[nodiscard]] std::vector<std::uint32_t> classes_of(const DataSet& data, std::span<const std::uint32_t> rows);
[[nodiscard]] std::vector<double> targets_of(const DataSet& data, std::span<const std::uint32_t> rows);
/// The cells of these rows, row by row in their order.
[[nodiscard]] std::vector<float> cells_of(const DataSet& data, std::span<const std::uint32_t> rows);
/// What a user of a model must know: the columns in the order of its features, and the number of each category and
/// class.
[[nodiscard]] Json columns_json(const DataSet& data);
/// SHA-256 of names, categories, classes, cells and target.
[[nodiscard]] results::Digest content_digest(const DataSet& data);

}  // namespace retrial::automl::inline datasets
