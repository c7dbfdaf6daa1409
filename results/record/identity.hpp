#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/record/record.hpp"

namespace retrial::results::inline record {

/// The tuple that identifies a trial (contract: "Identity").
struct IdentityParts {
  std::string workload, variant;
  Values values;  ///< only keys that differ from their default
  std::optional<Digest> dataset;
  std::map<std::string, std::uint64_t> seeds;  ///< honored sources only
  Json mode;                                   ///< {deterministic, fused, isa, onednn, tf32, threads[, autotune]}
  Json program;                                ///< build id text, array of SHA-256 texts, or a label
  std::optional<Digest> search = {};           ///< digest of the search document that gives the keys not in `values`
};

/// The document "retrial.trial/1" whose digest is the identity.
[[nodiscard]] Json identity_document(const IdentityParts& parts);

/// "retrial.plan/1" 0x00 then (identity, replicate as u32 most significant byte first) in plan order.
[[nodiscard]] Digest plan_digest(std::span<const std::pair<Digest, std::uint32_t>> plan);

/// Digest of the results that must reproduce: outcome metrics and digests. Hex texts are in sorted arrays.
[[nodiscard]] Digest payload_digest(const TrialRecord& record);

/// One complete attempt. `environment` and `manifest` are the digests of the base document and the full manifest.
[[nodiscard]] Json record_document(const TrialRecord& record, const Digest& environment,
                                   const std::optional<Digest>& manifest);

[[nodiscard]] Json event_document(const Event& event);

/// "retrial.store/1" 0x00 then all record digests ascending.
[[nodiscard]] Digest store_digest(std::vector<Digest> records);

struct Outcome {
  Digest identity{};
  std::uint32_t replicate = 0;
  Digest payload{};
  auto operator<=>(const Outcome&) const = default;
};
/// "retrial.outcome/1" 0x00 then identity, replicate, payload of every canonical attempt ascending.
[[nodiscard]] Digest outcome_digest(std::vector<Outcome> outcomes);

/// "retrial.result/1" 0x00 then the same rows, whose identities the caller computed without the build of this program.
/// Equal rows count once: trials that two builds ran into one store are the trials of one build.
[[nodiscard]] Digest result_digest(std::vector<Outcome> outcomes);

/// The first eight bytes, big-endian: they sort as the digests do.
[[nodiscard]] std::uint64_t first_bytes(const Digest& digest);

/// First 16 bytes of SHA-256(launch + identity + u32 little-endian of the attempts this launch started before).
[[nodiscard]] Id16 attempt_id(const Id16& launch, const Digest& identity, std::uint32_t started_before);

/// Chunk bytes of a series: u32 count, count x i64 step, count x u64 bits, little-endian.
[[nodiscard]] std::string series_bytes(std::span<const std::int64_t> steps, std::span<const double> values);

}  // namespace retrial::results::inline record
