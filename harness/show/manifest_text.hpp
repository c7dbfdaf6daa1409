#pragma once

#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline show {

/// A manifest for people: the bits of keys and seeds are followed by their decimal value, "3fa999999999999a = 0.05".
[[nodiscard]] Json readable_manifest(Json manifest);

}  // namespace retrial::harness::inline show
