#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace retrial::harness::inline study_report::inline parts {

/// A metric over the runs that have a value at this step.
struct CurveStep {
  std::int64_t step = 0, runs = 0;
  double median = 0, low = 0, high = 0;
};

/// The values of the second half of a training.
struct CurveZoom {
  std::int64_t from = 0;       ///< first step of the half
  double low = 0, high = 0;    ///< range of that half
  double least = 0, most = 0;  ///< range of all steps
};

/// Nothing where the second half takes most of the axis anyway, and with fewer than four steps.
[[nodiscard]] std::optional<CurveZoom> curve_zoom(std::span<const CurveStep> steps);

}  // namespace retrial::harness::inline study_report::inline parts
