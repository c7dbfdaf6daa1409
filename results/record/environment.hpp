#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "results/digest/sha256.hpp"

namespace retrial::results::inline record {

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
