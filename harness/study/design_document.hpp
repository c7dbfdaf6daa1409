#pragma once

#include "harness/study/stored_fields.hpp"
#include "results/json/json_fwd.hpp"
#include "variance/verdict/design.hpp"

namespace retrial::harness::inline study {

/// What a design declares; `number` writes a double, by its bits in a document and rounded for programs. Of what
/// differs from a fixed design by the exact rule only what is declared is there, so that the digests of such designs
/// stay what they were before there were others.
[[nodiscard]] Json design_json(const variance::Design& design, Json (*number)(double));

/// The design in a document of the store (retrial.design/1).
[[nodiscard]] variance::Design design_from(const StoredFields& fields);

}  // namespace retrial::harness::inline study
