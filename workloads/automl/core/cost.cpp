#include "workloads/automl/core/cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace retrial::automl::inline core {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t overhead_per_row = 5000;  // of a row in a tree, in thousandths of a column

std::int64_t at_least_one(Wide units) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp<Wide>(units, 1, most));
}

Wide rounded_up(Wide value, Wide by) {
  return (value + by - 1) / by;
}

Wide node_work(const TreeWork& work) {
  const std::uint64_t leaves = std::clamp<std::uint64_t>(work.leaves, 2, std::max<std::uint64_t>(2, work.rows));
  return Wide{work.columns * work.columns_share + overhead_per_row} * static_cast<Wide>(ilog2_q10(leaves));
}

}  // namespace

std::int64_t ilog2_q10(std::uint64_t x) {
  const int exponent = static_cast<int>(std::bit_width(x)) - 1;
  std::uint64_t m = static_cast<std::uint64_t>((Wide{x} << 31) >> exponent);
  std::int64_t bits = 0;
  for (int i = 0; i < 10; ++i) {
    m = (m * m) >> 31;
    const bool two = m >= (std::uint64_t{1} << 32);
    if (two) m >>= 1;
    bits = 2 * bits + (two ? 1 : 0);
  }
  return 1024 * exponent + bits;
}

// The last factor of 1000 turns raw operations into cost units.
std::int64_t tree_cost(const TreeWork& work, const CostScale& scale) {
  const Wide raw = Wide{work.trees} * work.outputs * work.rows * work.rows_share * node_work(work);
  return at_least_one(rounded_up(raw * scale.numerator, Wide{1000} * 1000 * 1024 * 1000 * scale.denominator));
}

std::int64_t forest_cost(const TreeWork& work, const CostScale& scale) {
  const Wide raw = Wide{work.trees} * work.outputs * work.rows * node_work(work);
  return at_least_one(rounded_up(raw * scale.numerator, Wide{1000} * 1024 * 1000 * scale.denominator));
}

std::int64_t logistic_cost(std::uint64_t iterations, std::uint64_t rows, std::uint64_t columns, std::uint64_t outputs,
                           const CostScale& scale) {
  return at_least_one(
      rounded_up(Wide{iterations} * rows * (columns + 1) * outputs * scale.numerator, Wide{1000} * scale.denominator));
}

std::int64_t network_cost(const NetworkWork& work, const CostScale& scale) {
  const Wide batches = (work.rows + work.batch - 1) / work.batch;
  const Wide millionths = Wide{300} * work.rows * work.weights + 12'000 * batches * work.weights +
                          Wide{45'000} * work.rows * work.layers * work.units +
                          320'000'000 * batches * (work.layers + 1);
  return at_least_one(rounded_up(work.epochs * millionths * scale.numerator, Wide{1'000'000} * scale.denominator));
}

}  // namespace retrial::automl::inline core
