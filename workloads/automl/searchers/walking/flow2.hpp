#pragma once

#include <functional>

#include "workloads/automl/searchers/proposals/sampler.hpp"
#include "workloads/automl/searchers/walking/restarts.hpp"

/// FLOW2 (Wu, Wang and Huang 2021): a walk that compares losses alone, along one random direction and its opposite at a
/// time.
namespace retrial::automl::inline searchers::inline walking {

/// Of the paper, with larger steps after success, and as shipped in FLAML 2.6.
enum class Flow2Rule { paper, adaptive, flaml26 };

/// The unit vector of an iteration of a restart.
using Directions = std::function<Coordinates(std::uint64_t restart, std::uint64_t iteration)>;
[[nodiscard]] Directions drawn_directions(const Draws& draws, std::size_t dimensions);

struct Flow2Options {
  Flow2Rule rule = Flow2Rule::adaptive;
  double growth = 1.3, shrink = 0.6;  ///< adaptive
  std::int64_t shrink_after = 2;      ///< adaptive: iterations without a better point
  std::int64_t wait_cap = 0;          ///< paper: at most so many; 0: 2^(d - 1), at most 512
  std::int64_t dead_region = 4;       ///< times d evaluations without a better point than the start; 0: no limit
  double min_step = 0;                ///< 0: that of the space
  RestartRule restart = RestartRule::paper;
  double sample_factor = 0;    ///< flaml26: asks for more rows once it has spent so many incumbents; 0: never
  Directions directions = {};  ///< empty: drawn_directions
};

/// Starts at `start`, restarts around it, and after dead regions from the next Halton point.
[[nodiscard]] std::unique_ptr<Sampler> flow2_sampler(const Space& space, const Draws& draws,
                                                     const Flow2Options& options, const Chosen& start);

/// Length of the first step of a walk, which ends below `least`.
[[nodiscard]] double initial_step(std::size_t dimensions, double least);
[[nodiscard]] double max_step(std::size_t dimensions);
/// The walk of rule flaml26.
[[nodiscard]] std::unique_ptr<Sampler> flaml26_sampler(const Space& space, const Draws& draws,
                                                       const Flow2Options& options, const Chosen& start);

}  // namespace retrial::automl::inline searchers::inline walking
