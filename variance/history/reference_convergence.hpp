#pragma once

#include <cstdint>
#include <span>

/// The reference convergence check of MLPerf Training, as a second opinion: may a submission's runs be as fast to the
/// target as they are, given the runs of the reference? Scores are epochs (or samples) to the target; lower is faster.
namespace retrial::variance::inline history {

struct ReferenceCheck {
  double reference_mean = 0.0;  ///< of the trimmed reference
  double reference_sd = 0.0;    ///< of all of it, divisor n
  double lowest_mean = 0.0;     ///< a submission with a lower mean is too fast to be the same training
  double max_speedup = 1.0;     ///< reference_mean / lowest_mean; infinite where the lowest mean is 0
  double mean = 0.0;            ///< of the trimmed submission
  bool passes = false;
  double factor = 1.0;  ///< of the submission's time: reference_mean / mean where it is faster and accepted
};
/// 1 run is left out at either end of both lists (4 of a submission of 40 runs). InvalidInput for a submission of fewer
/// than 3 runs, a reference shorter than twice the submission, and scores that are not above 0.
[[nodiscard]] ReferenceCheck reference_convergence(std::span<const double> reference,
                                                   std::span<const double> submission);

/// Its limits alone, for a submission of `runs`.
[[nodiscard]] ReferenceCheck reference_limits(std::span<const double> reference, std::int64_t runs);

}  // namespace retrial::variance::inline history
