#include "workloads/automl/searchers/evolution/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace retrial::automl::inline searchers::inline evolution {
namespace {

constexpr int most_sweeps = 50;
constexpr double small = 1e-30;  // squares off the diagonal, of the squared trace

/// Zeroes the elements (p, q) and (q, p).
void rotate(std::vector<double>& a, std::vector<double>& v, std::size_t n, std::size_t p, std::size_t q) {
  const double off = a[p * n + q];
  if (off == 0) return;
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
  const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double x = v[k * n + p], y = v[k * n + q];
    v[k * n + p] = c * x - s * y;
    v[k * n + q] = s * x + c * y;
  }
}

bool is_diagonal(const std::vector<double>& a, std::size_t n) {
  double off = 0, trace = 0;
  for (std::size_t p = 0; p < n; ++p) {
    trace += a[p * n + p];
    for (std::size_t q = p + 1; q < n; ++q) off += 2 * a[p * n + q] * a[p * n + q];
  }
  return off <= small * trace * trace;
}

}  // namespace

Eigen eigen_of(std::vector<double> a, std::size_t n) {
  std::vector<double> v(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) v[i * n + i] = 1;
  for (int sweep = 0; sweep < most_sweeps && !is_diagonal(a, n); ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, n, p, q);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return a[i * n + i]; });
  Eigen out{.values = {}, .vectors = std::vector<double>(n * n, 0.0)};
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t from = order[place];
    out.values.push_back(a[from * n + from]);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (std::fabs(v[i * n + from]) > std::fabs(largest)) largest = v[i * n + from];
    for (std::size_t i = 0; i < n; ++i) out.vectors[i * n + place] = largest < 0 ? -v[i * n + from] : v[i * n + from];
  }
  return out;
}

}  // namespace retrial::automl::inline searchers::inline evolution
