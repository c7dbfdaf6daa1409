#pragma once

#include "harness/study/declared/stored_fields.hpp"
#include "results/json/json_fwd.hpp"
#include "variance/designs/design.hpp"

namespace retrial::harness::inline study::inline declared {

/// The declared design; `number` writes a double: as bits in a document, rounded for programs. Fields other than those
/// of a fixed design with the exact rule are present only if declared, so that digests of such designs never change.
[[nodiscard]] Json design_json(const variance::Design& design, Json (*number)(double));

/// Reads the design from a document of the store (retrial.design/1).
[[nodiscard]] variance::Design design_from(const StoredFields& fields);

}  // namespace retrial::harness::inline study::inline declared
