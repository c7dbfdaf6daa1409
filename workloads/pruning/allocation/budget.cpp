#include "workloads/pruning/allocation/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace retrial::pruning::inline allocation {
namespace {

/// The negative derivative of the bound with respect to x. It falls as x grows.
double marginal(const SampledRow& row, double x) {
  const double t = row.alpha / (3 * x), root = std::sqrt(t * t + 6 * t);
  return row.weight * .5 * (1 + (t + 3) / root) * t / x;
}

/// x at which the marginal is the multiplier, in (0, max]. Newton in logarithms, inside a bracket that halves.
double answer(const SampledRow& row, double multiplier) {
  if (row.alpha <= 0) return 0;
  if (marginal(row, row.max) >= multiplier) return row.max;
  double low = std::log(row.max) - 200, high = std::log(row.max), x = (low + high) / 2;
  const double wanted = std::log(multiplier);
  for (int step = 0; step < 200 && high - low > 0; ++step) {
    const double error = std::log(marginal(row, std::exp(x))) - wanted;
    (error > 0 ? low : high) = x;
    constexpr double h = 1e-6;
    const double slope =
        (std::log(marginal(row, std::exp(x + h))) - std::log(marginal(row, std::exp(x - h)))) / (2 * h);
    const double next = x - error / slope;
    const double to = next > low && next < high ? next : (low + high) / 2;
    if (to == x) break;
    x = to;
  }
  return std::exp(x);
}

std::vector<double> answers(std::span<const SampledRow> rows, double multiplier) {
  std::vector<double> x;
  for (const SampledRow& row : rows) x.push_back(answer(row, multiplier));
  return x;
}

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double one : x) sum += one;
  return sum;
}

double objective(std::span<const SampledRow> rows, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t f = 0; f < rows.size(); ++f)
    if (rows[f].alpha > 0) sum += rows[f].weight * sampling_bound(rows[f].alpha, x[f]);
  return sum;
}

}  // namespace

double sampling_bound(double alpha, double x) {
  if (alpha <= 0) return 0;
  if (x <= 0) return std::numeric_limits<double>::infinity();
  const double t = alpha / (3 * x);
  return .5 * (t + std::sqrt(t * t + 6 * t));
}

Split split_budget(std::span<const SampledRow> rows, double budget) {
  Split found;
  for (const SampledRow& row : rows) found.x.push_back(row.alpha > 0 ? row.max : 0);
  if (sum_of(found.x) <= budget) return found;
  double low = -700, high = 700;  // ln multiplier: larger multipliers give less
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = (low + high) / 2;
    (sum_of(answers(rows, std::exp(middle))) > budget ? low : high) = middle;
  }
  found.multiplier = std::exp(high);
  found.x = answers(rows, found.multiplier);
  // x minimises the Lagrangian: primal less dual is the multiplier times the rest of the budget.
  const double worth = objective(rows, found.x);
  found.gap = worth > 0 ? found.multiplier * (budget - sum_of(found.x)) / worth : 0;
  return found;
}

double kkt_residual(std::span<const SampledRow> rows, const Split& split) {
  double worst = 0;
  for (std::size_t f = 0; f < rows.size() && split.multiplier > 0; ++f)
    if (rows[f].alpha > 0 && split.x[f] < rows[f].max)
      worst = std::max(worst, std::abs(marginal(rows[f], split.x[f]) / split.multiplier - 1));
  return worst;
}

}  // namespace retrial::pruning::inline allocation
