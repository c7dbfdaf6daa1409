#include "variance/components/nonnegative_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace retrial::variance::inline components::reml_parts {
namespace {

/// In units of sqrt(A): what a place at 0 must pull upwards to be let go. Below that it is rounding.
constexpr double min_pull = 1e-12;

/// The place at 0 that pulls upwards most, if any does.
std::optional<std::size_t> to_free(const Matrix& a, const std::vector<double>& b, const std::vector<double>& x,
                                   const std::vector<bool>& free) {
  std::optional<std::size_t> out;
  double most = min_pull;
  for (std::size_t s = 0; s < x.size(); ++s) {
    if (free[s]) continue;
    double pull = b[s];
    for (std::size_t t = 0; t < x.size(); ++t) pull -= a(s, t) * x[t];
    pull /= std::sqrt(a(s, s));
    if (pull > most) most = pull, out = s;
  }
  return out;
}

/// Moves x toward `target` until the first place reaches 0 and is bound there. False: nothing stood in the way.
bool bind_first(std::vector<double>& x, const std::vector<double>& target, std::vector<bool>& free) {
  double reach = 1.0;
  std::optional<std::size_t> first;
  for (std::size_t s = 0; s < x.size(); ++s)
    if (free[s] && target[s] <= 0.0 && x[s] <= reach * (x[s] - target[s])) {
      reach = x[s] > 0.0 ? x[s] / (x[s] - target[s]) : 0.0;
      first = s;
    }
  for (std::size_t s = 0; s < x.size(); ++s)
    if (free[s]) x[s] = first ? std::max(0.0, x[s] + reach * (target[s] - x[s])) : target[s];
  if (!first) return false;
  x[*first] = 0.0;
  free[*first] = false;
  return true;
}

}  // namespace

std::optional<std::vector<double>> minimum_over(const Matrix& a, const std::vector<double>& b,
                                                const std::vector<bool>& free) {
  std::vector<std::size_t> places;
  std::vector<double> right;
  for (std::size_t s = 0; s < free.size(); ++s)
    if (free[s]) {
      places.push_back(s);
      right.push_back(b[s]);
    }
  Matrix part(places.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j) part(i, j) = a(places[i], places[j]);
  const auto root = cholesky(std::move(part));
  if (!root) return std::nullopt;
  const auto values = solve(*root, std::move(right));
  std::vector<double> x(b.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) x[places[i]] = values[i];
  return x;
}

std::optional<std::vector<double>> nonnegative_minimum(const Matrix& a, const std::vector<double>& b) {
  if (!cholesky(a)) return std::nullopt;
  std::vector<double> x(b.size(), 0.0);
  std::vector<bool> free(b.size(), false);
  // Every round goes down, so no set of free places comes twice but by rounding, which the bound ends.
  for (std::size_t round = 0; round < (std::size_t{4} << std::min<std::size_t>(b.size(), 16)); ++round) {
    const auto next = to_free(a, b, x, free);
    if (!next) break;
    free[*next] = true;
    for (bool bound = true; bound;) {
      const auto target = minimum_over(a, b, free);
      if (!target) return std::nullopt;
      bound = bind_first(x, *target, free);
    }
  }
  return x;
}

}  // namespace retrial::variance::inline components::reml_parts
