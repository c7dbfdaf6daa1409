#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "determinism/kernels/parts.hpp"

/// out[s] = the sum of the values whose segment is s, in four forms that are equal in everything else. They show what
/// repeats on a GPU and what that costs: `atomic` adds in the order in which its threads arrive.
namespace retrial::determinism::inline kernels {

enum class SumForm {
  atomic,   ///< float atomics: differs from run to run
  sorted,   ///< one thread a segment, in the order of the values
  tree,     ///< one block a segment, a fixed tree over the partial sums of its threads
  integer,  ///< fixed point in 64 bits: exact, so any order gives the same
};

/// The places of the values of segment s are places[first[s]] to places[first[s + 1] - 1], ascending.
struct SegmentPlaces {
  std::vector<std::uint32_t> first, places;
};
/// A stable counting sort. Throws InvalidInput naming a segment that is not below `count`.
[[nodiscard]] SegmentPlaces sort_segments(std::span<const std::uint32_t> segments, std::uint32_t count);

/// The input of every form; pointers of one side. `count` segments, `n` values.
struct SegmentInput {
  const float* values;
  const std::uint32_t *segments, *first, *places;
  std::uint32_t n, count;
};

// The bodies.

RETRIAL_HD float sorted_sum(const SegmentInput& in, std::uint32_t segment) {
  float sum = 0;
  for (std::uint32_t i = in.first[segment]; i < in.first[segment + 1]; ++i) sum += in.values[in.places[i]];
  return sum;
}

inline constexpr unsigned tree_threads = 256;

/// Sum of one thread of a tree, before its leaves meet.
RETRIAL_HD float tree_leaf(const SegmentInput& in, std::uint32_t segment, unsigned thread) {
  float sum = 0;
  for (std::uint32_t i = in.first[segment] + thread; i < in.first[segment + 1]; i += tree_threads)
    sum += in.values[in.places[i]];
  return sum;
}
/// One level of the tree, half as wide as the one before it.
RETRIAL_HD void tree_level(float* leaves, unsigned half, unsigned thread) {
  if (thread < half) leaves[thread] += leaves[thread + half];
}

/// A float as a multiple of 2^-bits. `exact` is false if it is not one, or too large for sums of 2^20 such values.
struct Fixed {
  std::int64_t units;
  bool exact;
};
RETRIAL_HD Fixed fixed_of(float value, int bits) {
  constexpr double limit = 0x1p42;
  // A power of two, written as its bits: the same on both sides, without a library.
  const double scaled =
      static_cast<double>(value) * __builtin_bit_cast(double, static_cast<std::uint64_t>(1023 + bits) << 52);
  if (!(scaled > -limit && scaled < limit)) return {0, false};
  const auto units = static_cast<std::int64_t>(scaled);
  return {units, static_cast<double>(units) == scaled};
}
RETRIAL_HD float float_of(std::int64_t units, int bits) {
  return static_cast<float>(static_cast<double>(units) *
                            __builtin_bit_cast(double, static_cast<std::uint64_t>(1023 - bits) << 52));
}

/// On the device. `sums` (count) and `inexact` (1) are scratch of the form `integer`, null for the others; after it,
/// `inexact` is the number of values that are no multiple of 2^-bits below 2^(42 - bits): its result is exact
/// where that is 0. n > 0. `stream` is a cudaStream_t. Throws std::runtime_error with CUDA's text.
struct IntegerScratch {
  unsigned long long *sums = nullptr, *inexact = nullptr;
  int bits = 0;
};
void segment_sum_on_device(SumForm form, const SegmentInput& in, float* out, const IntegerScratch& scratch,
                           void* stream);

}  // namespace retrial::determinism::inline kernels
