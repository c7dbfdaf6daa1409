#include "harness/plan/variant_order.hpp"

#include "variance/random/rng.hpp"

namespace retrial::harness::inline plan {

std::vector<int> candidate_first(std::uint64_t root, const std::string& workload, std::uint32_t pairs) {
  const auto key = variance::derive(variance::derive(root, "gate-order"), workload);
  std::vector<int> first;
  for (const auto place : variance::permutation(key, pairs)) first.push_back(place < pairs / 2 ? 1 : 0);
  return first;
}

std::vector<std::uint32_t> variant_order(std::uint64_t root, const std::string& workload, std::uint32_t variants,
                                         std::uint64_t pair) {
  const auto key = variance::derive(variance::derive(variance::derive(root, "gate-order"), workload), "variants");
  return variance::permutation(key, variants, pair);
}

std::vector<std::uint32_t> round_order(std::uint64_t root, std::uint32_t workloads, std::uint64_t round) {
  return variance::permutation(variance::derive(root, "gate-round"), workloads, round);
}

}  // namespace retrial::harness::inline plan
