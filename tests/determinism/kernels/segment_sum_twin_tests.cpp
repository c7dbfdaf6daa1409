// The bodies, run on the host. Their oracle is the sum in 64 bits of mantissa (long double), which is exact here:
// below 2^14 values a segment, each a multiple of 2^-20 below 2^22.
#include "determinism/kernels/segment_sum.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::segment_sum_twin_tests {

using namespace retrial::determinism;

namespace {

constexpr std::uint32_t values_count = 1 << 20, segments_count = 100;
constexpr int bits = 20;

struct Data {
  std::vector<float> values;
  std::vector<std::uint32_t> segments;
  SegmentPlaces sorted;

  [[nodiscard]] SegmentInput input() const {
    return {values.data(), segments.data(), sorted.first.data(), sorted.places.data(), values_count, segments_count};
  }
};

/// Mixed magnitudes: 24 bits of a number times 2^-20 to 2^-2. Segment 7 has no value.
Data mixed() {
  Data data;
  for (std::uint32_t i = 0; i < values_count; ++i) {
    const auto [a, b] = variance::block(21, i, 0);
    const auto mantissa = static_cast<double>(static_cast<std::int64_t>(a >> 40)) - 0x1p23;
    data.values.push_back(static_cast<float>(std::ldexp(mantissa, -bits + static_cast<int>(b % 19))));
    const auto segment = static_cast<std::uint32_t>(variance::bounded(b, segments_count));
    data.segments.push_back(segment == 7 ? 8 : segment);
  }
  data.sorted = sort_segments(data.segments, segments_count);
  return data;
}

std::vector<float> exact(const Data& data) {
  std::vector<long double> units(segments_count, 0);
  for (std::uint32_t i = 0; i < values_count; ++i)
    units[data.segments[i]] += static_cast<long double>(std::ldexp(static_cast<double>(data.values[i]), bits));
  std::vector<float> sums;
  for (const long double sum : units) sums.push_back(static_cast<float>(std::ldexp(static_cast<double>(sum), -bits)));
  return sums;
}

std::vector<float> by_integers(const Data& data, const twin::Grid& grid) {
  std::vector<std::int64_t> units(segments_count, 0);
  std::size_t inexact = 0;
  twin::launch(grid, [&](const Where& at) {
    for (std::uint64_t i = at.block * at.threads + at.thread; i < values_count; i += at.blocks * at.threads) {
      const Fixed value = fixed_of(data.values[i], bits);
      units[data.segments[i]] += value.units;
      inexact += value.exact ? 0 : 1;
    }
  });
  CHECK(inexact == 0);
  std::vector<float> sums;
  for (const std::int64_t sum : units) sums.push_back(float_of(sum, bits));
  return sums;
}

/// What float atomics do when the threads arrive in this order.
std::vector<float> by_arrival(const Data& data, const twin::Grid& grid) {
  std::vector<float> sums(segments_count, 0);
  twin::launch(grid, [&](const Where& at) {
    for (std::uint64_t i = at.block * at.threads + at.thread; i < values_count; i += at.blocks * at.threads)
      sums[data.segments[i]] += data.values[i];
  });
  return sums;
}

std::vector<float> by_sorting(const Data& data) {
  std::vector<float> sums;
  for (std::uint32_t s = 0; s < segments_count; ++s) sums.push_back(sorted_sum(data.input(), s));
  return sums;
}

/// `backwards`: the threads of every level in the other order.
std::vector<float> by_trees(const Data& data, bool backwards) {
  std::vector<float> sums;
  for (std::uint32_t s = 0; s < segments_count; ++s) {
    std::vector<float> leaves(tree_threads);
    const twin::Grid block{1, tree_threads, backwards};
    twin::launch(block, [&](const Where& at) { leaves[at.thread] = tree_leaf(data.input(), s, at.thread); });
    for (unsigned half = tree_threads / 2; half > 0; half /= 2)
      twin::launch(block, [&](const Where& at) { tree_level(leaves.data(), half, at.thread); });
    sums.push_back(leaves[0]);
  }
  return sums;
}

/// 2^20 terms of at most 2^23 each: a rounding error of a few parts in 2^24 of the sum of magnitudes.
double largest_error(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t s = 0; s < a.size(); ++s) largest = std::max(largest, std::fabs(double{a[s]} - double{b[s]}));
  return largest;
}

}  // namespace

TEST_CASE("the sum in integers is the exact one in every order of the threads") {
  const Data data = mixed();
  const auto expected = exact(data);
  CHECK(expected[7] == 0);
  CHECK(std::count(expected.begin(), expected.end(), 0.0F) == 1);
  for (const auto& grid : twin::grids) CHECK(twin::differing(by_integers(data, grid), expected) == 0);
}

TEST_CASE("sorted and tree sums do not depend on the order of the threads, float atomics do") {
  const Data data = mixed();
  const auto forwards = by_trees(data, false), sorted = by_sorting(data);
  CHECK(twin::differing(forwards, by_trees(data, true)) == 0);
  CHECK(twin::differing(by_arrival(data, {7, 256}), by_arrival(data, {7, 256, true})) > 50);  // the control
  // In the order of the values, which one thread of an atomic sum keeps too.
  CHECK(twin::differing(sorted, by_arrival(data, {1, 1})) == 0);
  CHECK(twin::differing(sorted, forwards) > 50);
  const auto expected = exact(data);
  const double scale = std::fabs(*std::max_element(expected.begin(), expected.end(),
                                                   [](float a, float b) { return std::fabs(a) < std::fabs(b); }));
  CHECK(largest_error(sorted, expected) < 1e-2 * scale);
  CHECK(largest_error(forwards, expected) < 1e-4 * scale);
}

TEST_CASE("a value that is no multiple, too large or not a number is counted, never rounded in silence") {
  CHECK(fixed_of(0x1p-20F, bits).units == 1);
  CHECK(fixed_of(-1.5F, bits).units == -3 * (1 << 19));
  CHECK(fixed_of(-0.0F, bits).exact);
  for (const float wrong : {0x1p-21F, 1.0F / 3, 0x1p22F, -INFINITY, NAN}) CHECK_FALSE(fixed_of(wrong, bits).exact);
}

TEST_CASE("a segment out of range is named") {
  const std::vector<std::uint32_t> segments{0, 3, 1};
  CHECK_THROWS_WITH(sort_segments(segments, 3), has_text("segment") && has_text("3"));
  const auto sorted = sort_segments(segments, 5);
  CHECK(sorted.first == std::vector<std::uint32_t>{0, 1, 2, 2, 3, 3});
  CHECK(sorted.places == std::vector<std::uint32_t>{0, 2, 1});
}

}  // namespace retrial::tests::segment_sum_twin_tests
