#pragma once

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

}  // namespace retrial::results::inline record
