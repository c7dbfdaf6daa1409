#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/automl/datasets/dataset.hpp"

namespace retrial::automl::inline trees {

/// Columns cut into at most 255 bins: bin 0 for unknown values, the others by quantiles of the rows, with edges in the
/// middle between neighboring values.
class Bins {
 public:
  Bins(const DataSet& data, std::span<const std::uint32_t> rows);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return edges_.size(); }
  /// Bins of a column, place by place.
  [[nodiscard]] std::span<const std::uint8_t> column(std::size_t c) const {
    return std::span(bins_).subspan(c * rows_, rows_);
  }
  /// The largest value of bin `bin` and below: values up to it, and unknown ones, are left of a split there. Below
  /// every value for bin 0.
  [[nodiscard]] double edge(std::size_t column, std::size_t bin) const;

 private:
  std::size_t rows_;
  std::vector<std::vector<double>> edges_;  // edges_[c][b - 1] is between bins b and b + 1
  std::vector<std::uint8_t> bins_;
};

}  // namespace retrial::automl::inline trees
