#include "workloads/pruning/allocation/draws.hpp"

#include <algorithm>
#include <numeric>

namespace retrial::pruning::inline allocation {

variance::Stream draws_of(std::uint64_t prune, const std::string& layer, std::uint64_t step) {
  return variance::Stream(variance::derive(variance::derive(variance::derive(prune, layer), step), "draws"), 0);
}

Sampler::Sampler(std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (const double weight : weights) {
    shares_.push_back(weight / total);
    sums_.push_back(sum += shares_.back());
  }
}

std::size_t Sampler::pick(double u) const {
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), u);
  if (found != sums_.end()) return static_cast<std::size_t>(found - sums_.begin());
  const auto last = std::find_if(shares_.rbegin(), shares_.rend(), [](double share) { return share > 0; });
  return static_cast<std::size_t>(shares_.rend() - last) - 1;
}

std::vector<std::int64_t> Sampler::counts(std::int64_t n, variance::Stream& draws) const {
  std::vector<std::int64_t> found(shares_.size());
  for (std::int64_t draw = 0; draw < n; ++draw) ++found[pick(variance::uniform(draws.next()))];
  return found;
}

std::vector<std::uint8_t> Sampler::distinct(std::int64_t distinct, variance::Stream& draws) const {
  std::vector<std::uint8_t> picked(shares_.size());
  std::int64_t left = std::min<std::int64_t>(
      distinct, std::count_if(shares_.begin(), shares_.end(), [](double share) { return share > 0; }));
  for (std::size_t draw = 0; left > 0 && draw < 100 * shares_.size(); ++draw) {
    std::uint8_t& one = picked[pick(variance::uniform(draws.next()))];
    left -= one == 0 ? 1 : 0;
    one = 1;
  }
  std::vector<std::size_t> order(shares_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return shares_[a] > shares_[b]; });
  for (const std::size_t j : order)
    if (left > 0 && picked[j] == 0) {
      picked[j] = 1;
      --left;
    }
  return picked;
}

}  // namespace retrial::pruning::inline allocation
