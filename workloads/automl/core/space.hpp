#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/automl/models/parameters.hpp"

namespace retrial::automl::inline core {

/// To 12 significant decimal digits: revisits of a point meet in the cache, and the last bits of a mathematical library
/// do not enter a search.
[[nodiscard]] double rounded(double value);

/// A configuration as a point: one coordinate for each parameter with more than one value, in [0, 1].
using Coordinates = std::vector<double>;

/// The hyper-parameters of a learner, between values and points (Wu, Wang and Huang 2021). Ranges of whole numbers end
/// before `high`; whole numbers are rounded half to even.
class Space {
 public:
  explicit Space(std::vector<Hyperparameter> parameters);
  [[nodiscard]] const std::vector<Hyperparameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::size_t dimensions() const { return tuned_.size(); }
  /// The parameter of a coordinate.
  [[nodiscard]] const Hyperparameter& tuned(std::size_t dimension) const { return parameters_[tuned_[dimension]]; }

  [[nodiscard]] Chosen initial() const;
  /// The same with every coordinate that has a cheap start at it.
  [[nodiscard]] Chosen cheapest() const;

  [[nodiscard]] Coordinates normalised(const Chosen& chosen) const;
  /// Every coordinate by itself: a choice is the value of its bin.
  [[nodiscard]] Chosen chosen_at(std::span<const double> point) const;
  /// On a walk. Choices without an order: the bin of the coordinate; a bin other than that of `reference` draws one of
  /// the other values (S(hopt, completion, ...), word: the number of the dimension).
  [[nodiscard]] Chosen chosen_at(std::span<const double> point, const Chosen& reference,
                                 std::uint64_t completion_key) const;
  /// The smallest useful step of a walk: where no whole number would change; 1e-4 without one.
  [[nodiscard]] double min_step(const Chosen& best) const;

 private:
  struct Named {
    std::size_t parameter = 0;
    std::optional<std::size_t> dimension = {};
  };
  template <typename Choose>
  [[nodiscard]] Chosen values_at(std::span<const double> point, const Choose& choose) const;

  std::vector<Hyperparameter> parameters_;
  std::vector<std::size_t> tuned_;  ///< places of those with more than one value
  std::vector<Named> by_name_;      ///< as configurations are ordered
};

/// Clipped to [0, 1].
[[nodiscard]] Coordinates projected(Coordinates point);
/// from + by * direction, clipped.
[[nodiscard]] Coordinates moved(Coordinates from, std::span<const double> direction, double by);

}  // namespace retrial::automl::inline core
