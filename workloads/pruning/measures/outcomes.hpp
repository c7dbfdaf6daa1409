#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/nn/shape/state.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {

/// One test distribution: the number of errors of each network of a cascade, parent first. Only retrained networks
/// count.
struct ErrorCounts {
  std::string distribution;
  std::int64_t images = 0;
  bool noise = false;  ///< functional distance: counts for potential, not for excess error
  std::vector<std::int64_t> wrong;
};

/// The series of a cascade: prune ratios in percent (0 for the parent) and errors per distribution, nominal first.
struct Outcomes {
  std::vector<double> pr;
  std::vector<ErrorCounts> errors;

  void add(double prune_ratio, const std::vector<std::int64_t>& wrong);
  [[nodiscard]] std::size_t networks() const { return pr.size(); }

  /// Prune potential on one distribution, relative to the parent on the same images.
  [[nodiscard]] pruning::Potential potential(std::size_t distribution, double delta_pp) const;
  /// Excess error of every network after the parent, over the mean of the shifted distributions, in percentage points;
  /// its slope per unit of prune ratio. Nothing without a shifted distribution or a pruned network; noise does not
  /// count as one.
  [[nodiscard]] std::vector<double> excess_errors() const;
  [[nodiscard]] std::optional<double> excess_slope() const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
};

}  // namespace retrial::pruning::inline measures
