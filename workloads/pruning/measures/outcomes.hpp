#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/nn/shape/state.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {

/// One test distribution: how many of its images each network of a cascade got wrong, the parent first. Only networks
/// that were retrained count.
struct ErrorCounts {
  std::string distribution;
  std::int64_t images = 0;
  bool noise = false;  ///< of functional distance: counts for potential, not for excess error
  std::vector<std::int64_t> wrong;
};

/// The series that a cascade leaves: prune ratios in percent (the parent's is 0) and errors per distribution, the first
/// being the nominal one.
struct Outcomes {
  std::vector<double> pr;
  std::vector<ErrorCounts> errors;

  void add(double prune_ratio, const std::vector<std::int64_t>& wrong);
  [[nodiscard]] std::size_t networks() const { return pr.size(); }

  /// Prune potential on one distribution, against the parent on the same images.
  [[nodiscard]] pruning::Potential potential(std::size_t distribution, double delta_pp) const;
  /// Excess error of every network behind the parent, over the mean of the shifted distributions, in percentage points;
  /// its slope per unit of prune ratio. Nothing without a shifted distribution or a pruned network; noise is none.
  [[nodiscard]] std::vector<double> excess_errors() const;
  [[nodiscard]] std::optional<double> excess_slope() const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
};

}  // namespace retrial::pruning::inline measures
