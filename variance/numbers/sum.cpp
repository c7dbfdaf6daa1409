#include "variance/numbers/sum.hpp"

#include <array>
#include <cmath>

namespace retrial::variance::inline numbers {
namespace {

constexpr std::size_t block_size = 128;

double block_sum(std::span<const double> block) {
  double sum = 0.0;
  for (const double value : block) sum += value;
  return sum;
}

}  // namespace

double pairwise_sum(std::span<const double> values) {
  if (values.size() <= block_size) return block_sum(values);
  // A binary counter of subtrees: level i holds the sum of 2^i finished blocks while bit i of `done` is set.
  std::array<double, 64> subtree{};
  std::size_t done = 0;
  for (std::size_t at = 0; at < values.size(); at += block_size, ++done) {
    double sum = block_sum(values.subspan(at, std::min(block_size, values.size() - at)));
    std::size_t level = 0;
    for (; (done >> level & 1) != 0; ++level) sum = subtree[level] + sum;
    subtree[level] = sum;
  }
  bool any = false;
  double total = 0.0;
  for (std::size_t level = 0; done >> level != 0; ++level) {
    if ((done >> level & 1) == 0) continue;
    total = any ? subtree[level] + total : subtree[level];
    any = true;
  }
  return total;
}

void Neumaier::add(double term) {
  const double sum = sum_ + term;
  compensation_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

}  // namespace retrial::variance::inline numbers
