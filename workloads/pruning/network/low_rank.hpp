#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/pruning/network/network.hpp"

/// Weights as products of factors. A weight (outputs x inputs * taps) is divided along its inputs into k groups of
/// consecutive columns; each group becomes a product of rank j (Liebenwein, Maalouf, Feldman and Rus, "Compressing
/// Neural Networks: Towards Determining the Optimal Layer-wise Decomposition", NeurIPS 2021). One group is the plain
/// singular value decomposition.
namespace retrial::pruning::inline network {

/// The factors of one layer; no groups: its weight is one matrix.
struct Rank {
  std::int64_t groups = 0, rank = 0;

  [[nodiscard]] bool dense() const { return groups == 0; }
  bool operator==(const Rank&) const = default;
};

/// j (k outputs + inputs taps), or all weights of a layer without factors.
[[nodiscard]] std::int64_t parameters(const Layer& layer, const Rank& rank);

/// The possible numbers of groups of equal size: the divisors of the number of inputs, ascending.
[[nodiscard]] std::vector<std::int64_t> group_counts(const Layer& layer);

/// The errors of one way of dividing a layer: element j - 1 is that of rank j, relative to the largest singular value
/// of the whole weight. They do not increase, and the last is 0.
struct Spectrum {
  std::int64_t groups = 1;
  std::vector<double> errors;
};

/// The largest singular value that rank j leaves out in any group, divided by `largest`; 0 if that is 0. `values` holds
/// the singular values of each group, descending, group after group.
[[nodiscard]] Spectrum spectrum_of(std::int64_t groups, const std::vector<double>& values, double largest);

/// One possible form of a layer.
struct RankChoice {
  Rank rank;
  std::int64_t parameters = 0;
  double error = 0;
};
/// The current layer if it is one matrix, and all factors with at most as many parameters: by parameters, ascending,
/// and each with a smaller error than those before it.
[[nodiscard]] std::vector<RankChoice> rank_choices(const Layer& layer, const std::vector<Spectrum>& ways,
                                                   const Rank& now);

/// One choice per layer.
struct RankPlan {
  std::vector<RankChoice> layers;
  std::int64_t parameters = 0;
  double error = 0;  ///< the largest of any layer
};
/// The smallest maximum error within the budget: bisection over the occurring levels of error, where each layer takes
/// the fewest parameters that reach the level. If even the smallest factors exceed the budget, these.
[[nodiscard]] RankPlan choose_ranks(const std::vector<std::vector<RankChoice>>& layers, std::int64_t budget);

/// "NAME GROUPS RANK" per layer, and back. Throws TrialFailure("prune.ranks_damaged").
[[nodiscard]] std::string ranks_text(const Network& network, const std::vector<Rank>& ranks);
[[nodiscard]] std::vector<Rank> ranks_from(const Network& network, const std::string& text);

}  // namespace retrial::pruning::inline network
