#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "determinism/price/step_clock.hpp"
#include "harness/price/arms.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline price {

/// Times of one subject: [arm][pair].
using PairedTimes = std::vector<std::vector<determinism::StepTimes>>;

/// Runs the arms of every pair in turn, each by one call of `run` with the place of the arm; pair p starts with arm
/// p mod their number, so that none always comes first.
[[nodiscard]] PairedTimes measure_pairs(std::size_t arms, std::int64_t pairs,
                                        const std::function<determinism::StepTimes(std::size_t arm)>& run);

struct Price {
  ArmRatio ratio;
  variance::Estimate wall;
  std::optional<variance::Estimate> kernel;  ///< absent where kernels were not timed
};

/// Prices of one subject from the median step of each run, and the medians over pairs of each arm.
struct PricedSubject {
  std::string name, meaning;
  std::vector<double> wall_ms;                   ///< per arm
  std::vector<std::optional<double>> kernel_ms;  ///< the same
  std::string no_kernel_times;
  std::vector<Price> prices;  ///< in the order of the design's ratios
  PairedTimes times;
};
[[nodiscard]] PricedSubject priced_subject(std::string name, std::string meaning, const PriceDesign& design,
                                           PairedTimes times);

}  // namespace retrial::harness::inline price
