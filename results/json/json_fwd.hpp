#pragma once

#include <nlohmann/json_fwd.hpp>

namespace retrial {

/// Documents in memory. Objects keep their keys in byte order (std::map). This header is for signatures; code that
/// makes or reads a document includes results/json/json.hpp.
using Json = nlohmann::json;

}  // namespace retrial
