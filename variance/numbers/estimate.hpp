#pragma once

#include <optional>
#include <string>

namespace retrial::variance::inline numbers {

/// A point, an interval, its level and its method. Bounds that do not exist are absent, never 0 and never infinite.
struct Estimate {
  double point = 0.0;
  std::optional<double> low, high;
  double level = 0.95;  ///< confidence of the interval, two-sided
  std::string method;   ///< e.g. "clopper_pearson"
};

}  // namespace retrial::variance::inline numbers
