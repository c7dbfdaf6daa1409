#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"

namespace retrial::results::inline record {

enum class Direction { lower, higher, none };
enum class Nature {
  outcome,
  cost
};  ///< outcome: must reproduce bit for bit in deterministic mode; cost: never hashed into the payload
enum class Scale { ratio, absolute };
enum class Axis { none, epoch, step, repetition };
enum class Status { ok, diverged, failed, timeout, oom, killed };
/// True for ok and diverged: the trial ran to an end that is its result.
[[nodiscard]] constexpr bool has_outcome(Status status) {
  return status == Status::ok || status == Status::diverged;
}

[[nodiscard]] std::string_view name_of(Direction value);
[[nodiscard]] std::string_view name_of(Nature value);
[[nodiscard]] std::string_view name_of(Scale value);
[[nodiscard]] std::string_view name_of(Axis value);
[[nodiscard]] std::string_view name_of(Status value);
/// Throw Error{exit integrity} for any other word.
[[nodiscard]] Direction direction_from(std::string_view name);
[[nodiscard]] Nature nature_from(std::string_view name);
[[nodiscard]] Scale scale_from(std::string_view name);
[[nodiscard]] Axis axis_from(std::string_view name);
[[nodiscard]] Status status_from(std::string_view name);

/// The definition of a metric. Two definitions of one name must agree in every field.
struct MetricDef {
  std::string name, unit;
  Direction direction = Direction::none;
  Nature nature = Nature::outcome;
  Scale scale = Scale::absolute;
  Axis axis = Axis::none;
  bool operator==(const MetricDef&) const = default;
};

/// One point of a metric; step -1 is the trial's final value.
struct MetricValue {
  std::string name;
  std::int64_t step = -1;
  double value = 0;
};

struct DigestValue {
  std::string name;
  std::int64_t step = -1;
  std::string algo, hex;  ///< psum2, xxh3c, sha256; lower-case hex
  bool operator==(const DigestValue&) const = default;
};

struct ArtifactValue {
  std::string name, kind;
  Digest digest{};
  std::int64_t bytes = 0;
  std::optional<std::string> body;  ///< kept in the store when at most 64 KiB
};

/// One finished attempt at a trial: everything that is stored about it.
struct TrialRecord {
  Digest identity{};
  std::uint32_t replicate = 0;
  Id16 attempt{};
  Status status = Status::ok;
  std::int64_t started_ns = 0, wall_ns = 0;
  std::optional<std::int64_t> cpu_ns, peak_rss, peak_gpu;
  std::optional<int> exit_code, signal;
  std::string worker;
  std::optional<std::string> host, message;
  std::optional<Id16> boot, launch;
  std::vector<MetricDef> defs;
  std::vector<MetricValue> metrics;
  std::vector<DigestValue> digests;
  std::vector<ArtifactValue> artifacts;
  Json manifest;  ///< the full manifest; the store splits it into environment and delta
};

struct Event {
  std::int64_t at_ns = 0;
  std::string kind;  ///< started, retry, lost, stopped, excluded, note; look: the identity is the digest of a question
  std::optional<Digest> identity;
  std::optional<Id16> attempt;
  std::string detail;
};

}  // namespace retrial::results::inline record
