#include "results/record/series.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "results/record/identity.hpp"
#include "results/text/error.hpp"

namespace retrial::results::inline record {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (; bytes-- > 0; value >>= 8) out += static_cast<char>(value & 0xff);
}

std::uint64_t take(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void refuse_twice(const MetricValue& point) {
  throw Error({.code = "record.metric_twice",
               .field = "metric " + point.name,
               .value = "step " + std::to_string(point.step),
               .problem = "reported twice in one trial"});
}

void add_chunks(std::vector<SeriesChunk>& out, std::span<const MetricValue> points) {
  for (std::int64_t chunk = 0; !points.empty(); ++chunk) {
    const auto part = points.first(std::min(points.size(), longest_chunk));
    std::vector<std::int64_t> steps;
    std::vector<double> values;
    for (const MetricValue& point : part) steps.push_back(point.step), values.push_back(point.value);
    std::string bytes = series_bytes(steps, values);
    const Digest digest = sha256(bytes);
    out.push_back({.name = part[0].name,
                   .chunk = chunk,
                   .count = static_cast<std::int64_t>(part.size()),
                   .bytes = std::move(bytes),
                   .digest = digest});
    points = points.subspan(part.size());
  }
}

}  // namespace

std::string series_bytes(std::span<const std::int64_t> steps, std::span<const double> values) {
  std::string out;
  out.reserve(4 + 16 * steps.size());
  put(out, steps.size(), 4);
  for (const std::int64_t step : steps) put(out, static_cast<std::uint64_t>(step), 8);
  for (const double value : values) put(out, std::bit_cast<std::uint64_t>(value), 8);
  return out;
}

Points divided(std::span<const MetricValue> metrics) {
  std::vector<MetricValue> sorted(metrics.begin(), metrics.end());
  const auto key = [](const MetricValue& m) { return std::tie(m.name, m.step); };
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (key(sorted[i - 1]) == key(sorted[i])) refuse_twice(sorted[i]);

  Points out;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(begin, sorted.end(), [&](const auto& m) { return m.name != begin->name; });
    const auto first_step = std::find_if(begin, end, [](const auto& m) { return m.step >= 0; });
    const bool is_long = static_cast<std::size_t>(end - first_step) > longest_in_rows;
    out.rows.insert(out.rows.end(), begin, is_long ? first_step : end);
    if (is_long) add_chunks(out.series, {first_step, end});
    begin = end;
  }
  return out;
}

std::optional<std::vector<MetricValue>> points_of_chunk(const std::string& name, std::string_view bytes) {
  if (bytes.size() < 4) return std::nullopt;
  const std::size_t count = static_cast<std::size_t>(take(bytes, 0, 4));
  if (bytes.size() != 4 + 16 * count) return std::nullopt;
  std::vector<MetricValue> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = {.name = name,
              .step = static_cast<std::int64_t>(take(bytes, 4 + 8 * i, 8)),
              .value = std::bit_cast<double>(take(bytes, 4 + 8 * count + 8 * i, 8))};
  return out;
}

}  // namespace retrial::results::inline record
