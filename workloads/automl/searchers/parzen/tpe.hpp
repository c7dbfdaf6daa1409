#pragma once

#include <cstddef>

#include "workloads/automl/searchers/proposals/sampler.hpp"

/// Tree-structured Parzen estimators (Bergstra et al. 2011): candidates from a mixture over good configurations, of
/// which the one is taken that the mixture over the others makes least likely.
namespace retrial::automl::inline searchers::inline parzen {

/// By the versions of Optuna whose densities they have: v5 (all parameters together), v4u (each alone), v4m (together);
/// hyperopt: v4u with more random points first and fewer good ones.
enum class TpeMode { v5, v4u, v4m, hyperopt };

struct TpeOptions {
  TpeMode mode = TpeMode::v5;
  std::int64_t startup = 10;     ///< random configurations first
  std::int64_t candidates = 24;  ///< drawn for each proposal
};

/// How many of n configurations are good.
[[nodiscard]] std::size_t good_count(TpeMode mode, std::size_t n);

/// Draws: S(hopt, sampler, learner, 0, id). Those under way count as bad.
[[nodiscard]] std::unique_ptr<Sampler> tpe_sampler(const Space& space, const Draws& draws, const TpeOptions& options);

}  // namespace retrial::automl::inline searchers::inline parzen
