#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/automl/core/space.hpp"

/// Mixtures over observed configurations, one kernel each and one for the prior (Bergstra et al. 2011).
namespace retrial::automl::inline searchers::inline parzen {

/// How wide a kernel is: by the gaps to its neighbors, by those with the prior's mean as one of them, or all alike by
/// the number of kernels and dimensions.
enum class Width { gaps, gaps_with_prior, scott };

/// A parameter on the scale of its kernels: logarithms of a logarithmic one, and whole numbers v as [v - 1/2, v + 1/2].
class KernelScale {
 public:
  explicit KernelScale(const Hyperparameter& parameter);
  [[nodiscard]] bool is_choice() const { return choices_ > 0; }
  [[nodiscard]] bool is_whole() const { return whole_; }
  [[nodiscard]] std::size_t choices() const { return choices_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double range() const { return high_ - low_; }
  /// Between coordinates of a space and this scale; a choice is its place.
  [[nodiscard]] double from_coordinate(double z) const;
  [[nodiscard]] double to_coordinate(double x) const;
  /// The value that a draw means: the whole number, or the draw itself.
  [[nodiscard]] double settled(double x) const;
  /// What a whole number covers.
  [[nodiscard]] std::pair<double, double> cell(double x) const;

 private:
  bool whole_ = false, log_ = false;
  std::size_t choices_ = 0;
  double least_ = 0, most_ = 0;  ///< values
  double low_ = 0, high_ = 0;    ///< on the scale
};

/// Weights of n observations by age, the oldest first: a ramp from 1/n to 1, and 1 for the last 25.
[[nodiscard]] std::vector<double> age_weights(std::size_t n);

/// One side of a comparison. It is kept up to date: an observation that comes or goes changes its neighbors alone.
class Parzen {
 public:
  Parzen(std::vector<KernelScale> scales, Width width, double prior_weight = 1);

  /// `age` orders observations and is unique; `point` has a value for each scale.
  void insert(std::int64_t age, std::span<const double> point);
  void remove(std::int64_t age);
  [[nodiscard]] std::size_t size() const { return order_.size(); }

  /// Uniforms: one for the kernel, then one for each scale.
  void sample(std::span<const double> uniforms, std::span<double> point) const;
  /// Natural logarithms of the density at points, which stand one after the other. Whole numbers have the mass of their
  /// cell, choices their probability.
  [[nodiscard]] std::vector<double> log_density(std::span<const double> points) const;
  /// Of the kernels in the order of age, the prior last.
  [[nodiscard]] std::vector<double> widths(std::size_t scale) const;
  [[nodiscard]] const std::vector<KernelScale>& scales() const { return scales_; }

 private:
  struct Axis {
    std::vector<double> mean, width, inverse;  ///< by slot; inverse: 1 / (sqrt 2 width)
    std::vector<double> log_scale;             ///< -log of what normalizes the kernel
    std::vector<std::pair<double, std::size_t>> sorted;
  };
  using LogChoice = std::array<double, 2>;
  [[nodiscard]] double floor_width(std::size_t scale) const;
  [[nodiscard]] double width_at(std::size_t scale, std::size_t place) const;
  void refresh(std::size_t scale, std::size_t place);
  void set_width(std::size_t scale, std::size_t slot, double width);
  void refresh_around(std::size_t scale, std::size_t place);
  void add_up(std::size_t slot);
  [[nodiscard]] bool all_change() const;
  void reweigh();
  [[nodiscard]] LogChoice log_choice(std::size_t scale) const;
  [[nodiscard]] double log_of_masses(std::size_t slot, const double* point,
                                     const std::vector<LogChoice>& choices) const;

  std::vector<KernelScale> scales_;
  std::vector<std::size_t> densities_, masses_;  ///< scales of either kind
  Width width_;
  double prior_weight_;
  std::vector<Axis> axes_;
  std::vector<std::pair<std::int64_t, std::size_t>> order_;  ///< age and slot; slot 0 is the prior
  std::vector<std::size_t> free_;
  std::vector<double> weight_, total_;  ///< by slot: share, and sum of log_scale; 0 of a free slot
};

}  // namespace retrial::automl::inline searchers::inline parzen
