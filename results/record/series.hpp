#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace retrial::results::inline record {

/// A metric with more points than this (step >= 0) in one trial is stored in chunks; its final value (step -1) stays in
/// its own row, so that summaries never open a chunk.
constexpr std::size_t longest_in_rows = 1024;
constexpr std::size_t longest_chunk = 4096;

struct SeriesChunk {
  std::string name;
  std::int64_t chunk = 0, count = 0;
  std::string bytes;  ///< series_bytes()
  Digest digest{};    ///< digest of the bytes
};

struct Points {
  std::vector<MetricValue> rows;    ///< by (name, step)
  std::vector<SeriesChunk> series;  ///< by (name, chunk)
};

/// Divides a record's metrics into rows and chunks. The order of `metrics` does not matter. A (name, step) given twice
/// throws Error{usage}.
[[nodiscard]] Points divided(std::span<const MetricValue> metrics);

/// The points of one chunk; nothing if the bytes are not 4 + 16 x count long.
[[nodiscard]] std::optional<std::vector<MetricValue>> points_of_chunk(const std::string& name, std::string_view bytes);

}  // namespace retrial::results::inline record
