#include "results/report/scale.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::report {

double Scale::at(double value) const {
  return from + (value - low) / (high - low) * (to - from);
}

Scale scale_of(const Axis& axis, double from, double to) {
  constexpr double largest = 1e306, least = 1e-290, share = 1e-13;  // differences stay finite, and steps above 0
  const double low = std::clamp(axis.low, -largest, largest), high = std::clamp(axis.high, -largest, largest);
  const double room = std::max(least, share * std::max(std::fabs(low), std::fabs(high)));
  if (high - low >= room) return {.low = low, .high = high, .from = from, .to = to};
  return {.low = low - room, .high = low + room, .from = from, .to = to};
}

}  // namespace retrial::report
