#include "workloads/data/corrupt/poisson.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "variance/portable.hpp"

namespace retrial::corrupt {

std::vector<double> poisson_cdf(double mean) {
  double term = variance::portable_exp(-mean);
  std::vector<double> cdf{term};
  for (double k = 1;; ++k) {
    term = term * mean / k;
    const double next = cdf.back() + term;
    if (next == cdf.back() && k > mean) return cdf;
    cdf.push_back(next);
  }
}

std::int64_t poisson_inverse(const std::vector<double>& cdf, double u) {
  const auto found = std::lower_bound(cdf.begin(), cdf.end(), u);
  return std::min(found, cdf.end() - 1) - cdf.begin();
}

const PoissonTables& poisson_tables(double rate, int scale) {
  static std::mutex guard;
  static std::map<std::pair<double, int>, std::unique_ptr<PoissonTables>> kept;
  const std::lock_guard lock(guard);
  auto& tables = kept[{rate, scale}];
  if (!tables) {
    tables = std::make_unique<PoissonTables>();
    for (int v = 0; v <= std::min(scale, 255); ++v)
      (*tables)[static_cast<std::size_t>(v)] = poisson_cdf(static_cast<double>(v) / scale * rate);
  }
  return *tables;
}

}  // namespace retrial::corrupt
