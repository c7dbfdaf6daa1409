#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/pruning/network/network.hpp"

/// Weights as products of factors. A weight (outputs x inputs * taps) is divided along its inputs into k groups of
/// consecutive columns, each of which becomes a product of rank j (Liebenwein, Maalouf, Feldman and Rus, "Compressing
/// Neural Networks: Towards Determining the Optimal Layer-wise Decomposition", NeurIPS 2021). One group is the plain
/// singular value decomposition.
namespace retrial::pruning::inline network {

/// How one layer is factorised; no groups: its weight stands as one matrix.
struct Rank {
  std::int64_t groups = 0, rank = 0;

  [[nodiscard]] bool dense() const { return groups == 0; }
  bool operator==(const Rank&) const = default;
};

/// j (k outputs + inputs taps), or all weights of a layer that stands as it is.
[[nodiscard]] std::int64_t parameters(const Layer& layer, const Rank& rank);

/// Into how many groups of equal size the inputs of a layer can be divided: the divisors of their number, ascending.
[[nodiscard]] std::vector<std::int64_t> group_counts(const Layer& layer);

/// The errors of one way of dividing a layer: element j - 1 is that of rank j, relative to the largest singular value
/// of the whole weight. They do not increase, and the last is 0.
struct Spectrum {
  std::int64_t groups = 1;
  std::vector<double> errors;
};

/// The greatest singular value that rank j leaves out in any group, divided by `largest`; 0 where that is 0. `values`
/// holds the singular values of each group, descending, one group behind the other.
[[nodiscard]] Spectrum spectrum_of(std::int64_t groups, const std::vector<double>& values, double largest);

/// What a layer may become.
struct RankChoice {
  Rank rank;
  std::int64_t parameters = 0;
  double error = 0;
};
/// Factors with fewer parameters than the layer has now, or as many, and the layer as it is now if that is one matrix:
/// by parameters, ascending, and each with a smaller error than those before it.
[[nodiscard]] std::vector<RankChoice> rank_choices(const Layer& layer, const std::vector<Spectrum>& ways,
                                                   const Rank& now);

/// One choice a layer.
struct RankPlan {
  std::vector<RankChoice> layers;
  std::int64_t parameters = 0;
  double error = 0;  ///< the largest of any layer
};
/// The smallest largest error within the budget: bisection over the levels of error that occur, each layer taking the
/// fewest parameters that reach the level. The fewest parameters of all when even those exceed the budget.
[[nodiscard]] RankPlan choose_ranks(const std::vector<std::vector<RankChoice>>& layers, std::int64_t budget);

/// "NAME GROUPS RANK" a layer, and back. Throws TrialFailure("prune.ranks_damaged").
[[nodiscard]] std::string ranks_text(const Network& network, const std::vector<Rank>& ranks);
[[nodiscard]] std::vector<Rank> ranks_from(const Network& network, const std::string& text);

}  // namespace retrial::pruning::inline network
