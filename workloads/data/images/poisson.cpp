#include "workloads/data/images/poisson.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "variance/random/portable.hpp"

namespace retrial::corrupt {

Poisson::Poisson(double mean) {
  double term = variance::portable_exp(-mean);
  cdf_.push_back(term);
  for (double k = 1;; ++k) {
    term = term * mean / k;
    const double next = cdf_.back() + term;
    if (next == cdf_.back() && k > mean) break;
    cdf_.push_back(next);
  }
  for (std::size_t i = 0; i < bins; ++i) {
    const auto first = std::lower_bound(cdf_.begin(), cdf_.end() - 1, static_cast<double>(i) / bins);
    from_[i] = static_cast<std::uint16_t>(first - cdf_.begin());
  }
}

const PoissonTables& poisson_tables(double rate, int scale) {
  static std::mutex guard;
  static std::map<std::pair<double, int>, std::unique_ptr<PoissonTables>> kept;
  const std::lock_guard lock(guard);
  auto& tables = kept[{rate, scale}];
  if (!tables) {
    tables = std::make_unique<PoissonTables>();
    for (int v = 0; v <= std::min(scale, 255); ++v)
      (*tables)[static_cast<std::size_t>(v)] = Poisson(static_cast<double>(v) / scale * rate);
  }
  return *tables;
}

}  // namespace retrial::corrupt
