#pragma once

#include <optional>
#include <string>

#include "results/record/record.hpp"

namespace retrial::results::inline store {

/// The reason that `append` would refuse this record, or nothing: a metric without definition or given twice, a digest
/// that is not hex, an artifact whose body has another digest, a name that is too long, a size below 0.
[[nodiscard]] std::optional<std::string> why_not_storable(const TrialRecord& record);

}  // namespace retrial::results::inline store
