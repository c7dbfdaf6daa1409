#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"

namespace retrial::results::inline record {

/// A full manifest has 10 to 30 KB, most of it the same for every trial of a host: `base` is stored once, as an
/// environment document; `delta` has the fields of one trial, in the same tree shape.
struct SplitManifest {
  Json base, delta;
};

/// The groups trial, randomness, outcome, evidence and volatile go to the delta. Groups are not split, so merging
/// restores the manifest. A delta that would not fit its row goes to the base as well. `manifest` must be an object;
/// anything else throws Error{usage}.
[[nodiscard]] SplitManifest split_manifest(const Json& manifest);

/// Whether split_manifest would return this base; copies nothing.
[[nodiscard]] bool has_base(const Json& manifest, const Json& base);
/// The part of a manifest that goes to the delta.
[[nodiscard]] Json delta_of(const Json& manifest);
/// Whether the delta fits its row.
[[nodiscard]] bool fits(const std::string& delta);

/// Merges objects recursively; any other value comes from `delta`.
[[nodiscard]] Json merged(const Json& base, const Json& delta);

/// The frequently read fields of an environment document. They are derived from it again at every write, import and
/// verification and never trusted; a field that the document lacks is "unknown", 0 cores, or nothing.
struct EnvironmentColumns {
  Digest stratum{};  ///< hardware class: SHA-256 of the retrial.stratum/1 document; analyses block by it
  std::string cpu_model, isa, os, kernel;
  std::int64_t cpu_cores = 0;
  std::optional<std::string> governor, gpu_model, gpu_driver, torch_version, cuda_version;
  bool operator==(const EnvironmentColumns&) const = default;
};

[[nodiscard]] EnvironmentColumns environment_columns(const Json& base);

}  // namespace retrial::results::inline record
