#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace retrial::automl::inline linear {

/// The value at a point, whose gradient is written to `gradient`.
using Objective = std::function<double(std::span<const double> at, std::span<double> gradient)>;

struct Minimum {
  std::vector<double> at;
  std::int64_t iterations = 0;
};

/// L-BFGS (memory 10) with a line search for the strong Wolfe conditions (Nocedal and Wright 2006, algorithms 3.5, 3.6
/// and 7.5). Ends when no entry of the gradient exceeds `tolerance`, or where no step decreases the value.
[[nodiscard]] Minimum lbfgs(const Objective& objective, std::vector<double> start, double tolerance,
                            std::int64_t max_iterations);

}  // namespace retrial::automl::inline linear
