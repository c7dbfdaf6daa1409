#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Which learner is trained next: the estimated cost for improvement (Wang, Wu, Weimer and Zhu 2021, section 4).
namespace retrial::automl::inline core {

/// What a learner has cost and reached.
struct Progress {
  double best = 0, before = 0;      ///< losses: the best and the best before it
  double cost = 0;                  ///< K0: all of it
  double cost_at_best = 0;          ///< K1: when the best was found
  double cost_at_before = 0;        ///< K2: when the one before was found; 0 of the first
  double cost_of_best = 0;          ///< kappa: of one training of it at the present size
  double latest = 0;                ///< mlnet alone: the latest loss
  std::int64_t size = 1, full = 1;  ///< rows
};

/// From the paper, from FLAML 0.1, from FLAML 2.6, from ML.NET.
enum class ImprovementRule { paper, v01, v26, mlnet };
[[nodiscard]] ImprovementRule improvement_rule(const std::string& name);

/// Cost until the learner improves on its own best, at its present size.
[[nodiscard]] double cost_of_own_improvement(const Progress& p);
/// Cost of a training at the next size, `factor` times as large; nothing at full size.
[[nodiscard]] std::optional<double> cost_of_enlarging(const Progress& p, double factor);
/// Cost until the learner is better than the best loss of all; at least 1e-9.
[[nodiscard]] double estimated_cost(const Progress& p, double best_of_all, ImprovementRule rule, double factor,
                                    double gap_factor);
/// Shares 1 / cost, which sum to 1.
[[nodiscard]] std::vector<double> shares_of(const std::vector<double>& costs);

}  // namespace retrial::automl::inline core
