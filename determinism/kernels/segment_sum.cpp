#include "determinism/kernels/segment_sum.hpp"

#include <string>

#include "variance/numbers/error.hpp"

namespace retrial::determinism::inline kernels {

SegmentPlaces sort_segments(std::span<const std::uint32_t> segments, std::uint32_t count) {
  SegmentPlaces sorted{std::vector<std::uint32_t>(std::size_t{count} + 1, 0),
                       std::vector<std::uint32_t>(segments.size())};
  for (const std::uint32_t segment : segments) {
    if (segment >= count) throw InvalidInput("segment", std::to_string(segment), "below " + std::to_string(count));
    ++sorted.first[segment + 1];
  }
  for (std::uint32_t s = 0; s < count; ++s) sorted.first[s + 1] += sorted.first[s];
  std::vector<std::uint32_t> next(sorted.first.begin(), sorted.first.end() - 1);
  for (std::uint32_t i = 0; i < segments.size(); ++i) sorted.places[next[segments[i]]++] = i;
  return sorted;
}

}  // namespace retrial::determinism::inline kernels
