#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/scores/lines/score_table.hpp"

namespace retrial::harness::inline scores::inline lines {

/// Finds the row that was there before: of one variant, pair, cluster, task and metric. Four to eight bytes a row.
class RowPlaces {
 public:
  enum class Pair { number, label };
  /// At most `rows` rows are looked up.
  RowPlaces(const ScoreTable& table, Pair pair, std::size_t rows);

  /// The place of an equal row among those that were given before; else nothing, and from now on this row is there.
  [[nodiscard]] std::optional<std::size_t> before(std::size_t row);

 private:
  [[nodiscard]] std::size_t hash(const ScoreRow& row) const;
  [[nodiscard]] bool equal(const ScoreRow& a, const ScoreRow& b) const;

  const ScoreTable& table_;
  Pair pair_;
  std::vector<std::uint32_t> slots_;  ///< place of a row plus one; 0: free
};

}  // namespace retrial::harness::inline scores::inline lines
