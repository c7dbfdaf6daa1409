#pragma once

#include <span>

#include "workloads/automl/searchers/parzen/tpe.hpp"
#include "workloads/automl/searchers/walking/flow2.hpp"

/// BlendSearch (Wang, Wu, Huang and Saied 2021): a global sampler and the walks that start at its finds, of which the
/// one of the best prospects goes on.
namespace retrial::automl::inline searchers {

/// What one of them has cost and reached.
struct BlendProgress {
  double cost = 0, cost_at_best = 0, cost_at_before = 0;
  double best = 0, before = 0;  ///< losses
  std::int64_t running = 1;
};
/// Expected loss after the least of the costs for improvement, negated: the largest goes on. `target` is the best loss
/// of all, `left` the rest of the budget, `least_cost` what a speed is divided by at least.
[[nodiscard]] std::vector<double> blend_priorities(std::span<const BlendProgress> threads, double target, double left,
                                                   double least_cost);

/// `budget` in the unit of `observe`: cost units or evaluations. The walks have the rule of `walk` and do not restart.
[[nodiscard]] std::unique_ptr<Sampler> blend_sampler(const Space& space, const Draws& draws, const Flow2Options& walk,
                                                     const TpeOptions& global, double budget, const Chosen& start);

}  // namespace retrial::automl::inline searchers
