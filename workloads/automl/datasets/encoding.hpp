#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "workloads/automl/datasets/dataset.hpp"

namespace retrial::automl::inline datasets {

/// Columns of numbers for linear models and networks, learned from training rows: a category becomes a 0/1 column for
/// each level that was seen; a number is standardised by mean and sd, with the median in place of an unknown one, and a
/// 0/1 column says which were unknown. A column that is constant in training is left out. Of more categories than
/// `most_levels` the most frequent have a column each (ties: the first in byte order), and the others share one.
class DenseEncoding {
 public:
  DenseEncoding(const DataSet& data, std::span<const std::uint32_t> training_rows,
                std::size_t most_levels = std::numeric_limits<std::size_t>::max());

  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  /// Row by row; a level that training did not see is 0 in all its columns.
  [[nodiscard]] std::vector<double> apply(const DataSet& data, std::span<const std::uint32_t> rows) const;

  struct Column {
    std::uint32_t feature = 0;
    enum class Kind { number, unknown, level, others } kind = Kind::number;
    double level = 0;               ///< of a category
    std::vector<double> kept = {};  ///< kind others: the categories with a column of their own, ascending
    double median = 0, mean = 0, sd = 1;
  };
  /// What a user of a model must know: name, mean, sd and median of each column.
  [[nodiscard]] Json described(const DataSet& data) const;

 private:
  std::vector<Column> columns_;
};

}  // namespace retrial::automl::inline datasets
