#pragma once

#include <functional>

#include "workloads/automl/searchers/sampler.hpp"

/// FLOW2 (Wu, Wang and Huang 2021): a walk that compares losses alone, along one random direction and its opposite at a
/// time.
namespace retrial::automl::inline searchers {

enum class Flow2Rule { paper, adaptive };

struct Flow2Options {
  Flow2Rule rule = Flow2Rule::adaptive;
  double growth = 1.3, shrink = 0.6;  ///< adaptive
  std::int64_t shrink_after = 2;      ///< adaptive: iterations without a better point
  std::int64_t wait_cap = 0;          ///< paper: at most so many; 0: 2^(d - 1), at most 512
  std::int64_t dead_region = 4;       ///< times d evaluations without a better point than the start; 0: no limit
  double min_step = 0;                ///< 0: that of the space
};

/// The unit vector of an iteration of a restart.
using Directions = std::function<Coordinates(std::uint64_t restart, std::uint64_t iteration)>;
[[nodiscard]] Directions drawn_directions(const Draws& draws, std::size_t dimensions);

/// Starts at `start`, restarts around it with a larger spread (purpose restart), and after dead regions from the next
/// Halton point.
[[nodiscard]] std::unique_ptr<Sampler> flow2_sampler(const Space& space, const Draws& draws,
                                                     const Flow2Options& options, const Chosen& start);

/// The machine of FLAML 2.6, kept for comparisons. It converges to the start of another restart.
[[nodiscard]] std::unique_ptr<Sampler> flaml26_sampler(const Space& space, const Directions& directions,
                                                       const Chosen& start);

}  // namespace retrial::automl::inline searchers
