#include "workloads/automl/core/improvement.hpp"

#include <algorithm>
#include <stdexcept>

namespace retrial::automl::inline core {
namespace {

constexpr double least_cost = 1e-9, least_time = 1e-10;

/// Cost until the gap to the best learner is closed at the rate of the last two improvements.
double cost_of_closing(const Progress& p, double gap) {
  const double rise = p.before - p.best;
  const double time = p.cost - p.cost_at_before;
  return gap * (time == 0 ? least_time : time) / (rise == 0 ? p.best : rise);
}

}  // namespace

ImprovementRule improvement_rule(const std::string& name) {
  if (name == "paper") return ImprovementRule::paper;
  if (name == "v01") return ImprovementRule::v01;
  if (name == "v26") return ImprovementRule::v26;
  if (name == "mlnet") return ImprovementRule::mlnet;
  throw std::logic_error("unknown rule " + name);
}

double cost_of_own_improvement(const Progress& p) {
  return std::max(p.cost - p.cost_at_best, p.cost_at_best - p.cost_at_before);
}

std::optional<double> cost_of_enlarging(const Progress& p, double factor) {
  if (p.size >= p.full) return std::nullopt;
  return factor * p.cost_of_best;
}

double estimated_cost(const Progress& p, double best_of_all, ImprovementRule rule, double factor, double gap_factor) {
  const double own = cost_of_own_improvement(p), gap = p.best - best_of_all;
  double cost = own;
  if (rule == ImprovementRule::paper) {
    const auto enlarging = cost_of_enlarging(p, factor);
    if (enlarging) cost = std::min(own, *enlarging);
    if (gap > 0) cost = std::max(gap_factor * cost_of_closing(p, gap), cost);
  } else if (rule == ImprovementRule::v01) {
    cost = std::min(2 * p.cost_of_best, own);
    if (gap > 0) cost = 2 * std::max({cost_of_closing(p, gap), p.cost_of_best, cost});
  } else if (rule == ImprovementRule::v26) {
    const double ratio = static_cast<double>(p.full) / static_cast<double>(p.size);
    if (p.size < p.full) cost = std::min(own, p.cost_of_best * std::min(4.0, ratio));
    if (gap > 0) cost = std::max(2 * cost_of_closing(p, gap), cost);
  } else {
    const double now = p.latest - best_of_all;
    cost = std::max({2 * cost_of_closing(p, now), p.cost - p.cost_at_best, p.cost_at_best - p.cost_at_before});
  }
  return std::max(cost, least_cost);
}

std::vector<double> shares_of(const std::vector<double>& costs) {
  double sum = 0;
  for (const double cost : costs) sum += 1 / cost;
  std::vector<double> out;
  for (const double cost : costs) out.push_back(1 / cost / sum);
  return out;
}

}  // namespace retrial::automl::inline core
