#include "workloads/pruning/network/remains.hpp"

#include <numeric>

namespace retrial::pruning::inline network {

std::vector<std::int64_t> live_counts(const Network& network, const Remains& left) {
  std::vector<std::int64_t> counts;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    counts.push_back(left.factorised() ? parameters(network.layers[l], left.ranks[l]) : left.masks.layers[l].live());
  return counts;
}

std::int64_t live(const Network& network, const Remains& left) {
  const auto counts = live_counts(network, left);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::string text_of(const Network& network, const Remains& left) {
  return left.factorised() ? ranks_text(network, left.ranks) : mask_text(left.masks);
}

std::string digest_of(const Network& network, const Remains& left) {
  return results::hex(left.factorised() ? results::sha256(ranks_text(network, left.ranks)) : left.masks.digest());
}

}  // namespace retrial::pruning::inline network
