#pragma once

#include "results/json.hpp"

namespace retrial::results {

/// A full manifest is 10 to 30 KB and most of it is the same for every trial of a host: `base` is kept once, as an
/// environment document; `delta` has the leaves that belong to one trial, in the same tree shape.
struct SplitManifest {
  Json base, delta;
};

/// Leaves below the groups trial, randomness, outcome, evidence and volatile go to the delta. When merging would not
/// give the manifest back, or the delta would not fit its row, one of the two holds everything.
/// `manifest` must be an object; anything else throws Error{usage}.
[[nodiscard]] SplitManifest split_manifest(const Json& manifest);

/// Objects recursively, anything else from `delta`.
[[nodiscard]] Json merged(const Json& base, const Json& delta);

}  // namespace retrial::results
