#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Change points of a history of measurements. Indices are 0-based and name the first value of the new segment; index 0
/// is never a change point. All functions are retrospective: for a gate that runs with every commit see edetector.hpp.
namespace retrial::variance::inline history {

/// Energy statistics of two samples (Szekely and Rizzo 2013, V-form), in the unit of the values; h in [0, 1], 0 without
/// a difference. O((n + m) log(n + m)).
struct Energy {
  double e = 0.0;  ///< 2 mean|x - y| - mean|x - x'| - mean|y - y'|
  double t = 0.0;  ///< n m / (n + m) e
  double h = 0.0;  ///< e / (2 mean|x - y|)
};
[[nodiscard]] Energy energy(std::span<const double> x, std::span<const double> y);

/// E-divisive (Matteson and James 2014): the split with the largest energy statistic, kept as long as a permutation
/// test of the current segments rejects.
struct DivisiveOptions {
  double p_max = 0.05;
  std::int64_t permutations = 199;  ///< min p: 1 / (permutations + 1)
  std::uint64_t key = 0;
};
struct DivisivePoint {
  std::size_t index = 0;
  double statistic = 0.0, p = 1.0;
};
/// In the order of detection. At most 4,000 values.
[[nodiscard]] std::vector<DivisivePoint> edivisive(std::span<const double> values, const DivisiveOptions& options = {});

/// The windowed recipe of Hunter and Apache Otava, for display: not a valid test. Run after each of 300 commits of pure
/// noise, it alarms in 63 % of the histories at p .001.
struct WindowOptions {
  std::size_t window = 50;
  double p_max = 0.001;
  double min_magnitude = 0.0;    ///< relative change of the mean
  std::size_t min_segment = 1;   ///< 3 keeps single spikes out
  bool sample_deviation = true;  ///< divisor n - 1; false: n, as in the original
  bool refresh_both =
      true;  ///< after a removal both neighbors are tested again; false: only the next one, as in the original
};
[[nodiscard]] WindowOptions compatible_window(std::size_t window = 50, double p_max = 0.001);
struct WindowPoint {
  std::size_t index = 0;
  double before = 0.0, after = 0.0;  ///< means of the neighboring segments
  double p = 1.0;                    ///< pooled t test of both segments: a label, not an error rate
};
[[nodiscard]] std::vector<WindowPoint> windowed_changes(std::span<const double> values,
                                                        const WindowOptions& options = {});

/// Minimizes the sum of squared distances from segment means plus `penalty` per change point, exactly (dynamic program
/// with the pruning of Killick, Fearnhead and Eckley 2012); equal sums: the earlier last change.
struct Partition {
  std::vector<std::size_t> changes;
  double objective = 0.0;
};
[[nodiscard]] Partition optimal_partition(std::span<const double> values, double penalty, std::size_t min_segment = 5);
/// weight s^2 ln n with s = 1.4826 median|x_(i+1) - x_i| / sqrt 2, a noise level that a few changes do not affect.
/// 0 below two values.
[[nodiscard]] double robust_penalty(std::span<const double> values, double weight = 3.0);

}  // namespace retrial::variance::inline history
