#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace retrial::harness::inline plan {

/// For each pair of a two-variant workload: 1 if the candidate runs first. Balanced: floor(pairs / 2) ones,
/// drawn from the root seed (specification of the gate, "Schedule").
[[nodiscard]] std::vector<int> candidate_first(std::uint64_t root, const std::string& workload, std::uint32_t pairs);

/// The order in which `variants` > 2 variants run in pair `pair`: the k-th to run has index result[k].
[[nodiscard]] std::vector<std::uint32_t> variant_order(std::uint64_t root, const std::string& workload,
                                                       std::uint32_t variants, std::uint64_t pair);

/// The order of several workloads in round `round` of their pairs.
[[nodiscard]] std::vector<std::uint32_t> round_order(std::uint64_t root, std::uint32_t workloads, std::uint64_t round);

}  // namespace retrial::harness::inline plan
