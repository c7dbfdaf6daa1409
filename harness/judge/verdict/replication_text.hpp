#pragma once

#include <optional>
#include <string_view>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/verdict/replication.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// The line "replication" of the evidence: how often the same study with new seeds says `verdict` again.
[[nodiscard]] report::Fact replication_fact(const variance::Replication& replication, std::string_view verdict);
/// Probability, interval, method, simulated studies and, without a number, why; null without a replication.
[[nodiscard]] Json replication_json(const std::optional<variance::Replication>& replication);

}  // namespace retrial::harness::inline judge::inline verdict
