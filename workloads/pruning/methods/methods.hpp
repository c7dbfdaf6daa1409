#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/pruning/methods/scoring_view.hpp"
#include "workloads/pruning/methods/spectra.hpp"

namespace retrial::pruning::inline methods {

/// Scores of a method, each a file of its own. Formulas and sources stand in those files.
[[nodiscard]] WeightScores magnitude(const Sight& sight);
[[nodiscard]] WeightScores lamp(const Sight& sight);
[[nodiscard]] WeightScores snip(const Sight& sight);
[[nodiscard]] WeightScores sipp(const Sight& sight);
[[nodiscard]] WeightScores magnitude_gradient(const Sight& sight);
[[nodiscard]] WeightScores magnitude_activation(const Sight& sight);
[[nodiscard]] WeightScores l1_shares(const Sight& sight);
[[nodiscard]] WeightScores l2_shares(const Sight& sight);
[[nodiscard]] WeightScores l12_shares(const Sight& sight);
[[nodiscard]] WeightScores random_weights(const Sight& sight);
[[nodiscard]] ChannelScores filter_l1(const Sight& sight);
[[nodiscard]] ChannelScores filter_l2(const Sight& sight);
[[nodiscard]] ChannelScores pfp(const Sight& sight);
[[nodiscard]] ChannelScores thinet(const Sight& sight);
[[nodiscard]] ChannelScores thinet_inverted(const Sight& sight);
[[nodiscard]] ChannelScores random_channels(const Sight& sight);
[[nodiscard]] ChannelScores group_l1(const Sight& sight);
[[nodiscard]] ChannelScores group_l2(const Sight& sight);
[[nodiscard]] ChannelScores group_taylor(const Sight& sight);
[[nodiscard]] ChannelScores bn_scale(const Sight& sight);
[[nodiscard]] ChannelScores fpgm(const Sight& sight);
[[nodiscard]] Spectra weight_spectrum(const Sight& sight);
[[nodiscard]] Spectra grouped_spectra(const Sight& sight);
[[nodiscard]] Spectra output_spectrum(const Sight& sight);

/// How scores become masks.
enum class Rule {
  best,        ///< the greatest of all layers together, exactly
  share,       ///< the same share of every layer
  channels,    ///< the same share of the channels of every group
  pfp,         ///< channels by one error bound for all layers
  lottery,     ///< a fraction of what remains
  sampled,     ///< the same share of every layer, drawn with the scores as probabilities
  rows,        ///< so many draws of every filter, by error bounds
  hybrid,      ///< the same, or the best of a filter where that bound is smaller
  pfp_drawn,   ///< channels drawn as often as the bound says
  pfp_topped,  ///< the largest shares kept, the rest drawn
  groups,      ///< channels by what the members of their group say; group by group, or all together
  ranks,       ///< factors in the place of weights, ranks by one relative error for all layers
};

/// A pruning method: one row, from which keys, help and documentation come. Exactly one of the functions is there.
struct Method {
  std::string name, summary, source;
  Rule rule = Rule::best;
  WeightScores (*weights)(const Sight&) = nullptr;
  ChannelScores (*channels)(const Sight&) = nullptr;
  Spectra (*spectra)(const Sight&) = nullptr;
  bool reads_samples = false;  ///< draws a scoring set from `sample`
  bool draws = false;          ///< honours `prune`
  bool one_batch = false;      ///< looks at the first batch of the scoring set

  [[nodiscard]] bool structured() const { return channels != nullptr; }
  [[nodiscard]] bool low_rank() const { return spectra != nullptr; }
  /// Single weights, so that nothing becomes faster.
  [[nodiscard]] bool unstructured() const { return weights != nullptr; }
  /// Keeps exactly the number of weights that is asked for.
  [[nodiscard]] bool counts_exactly() const {
    return rule == Rule::best || rule == Rule::share || rule == Rule::sampled;
  }
};
[[nodiscard]] const std::vector<Method>& all_methods();
/// Throws InvalidInput("method") with the nearest name.
[[nodiscard]] const Method& find_method(const std::string& name);
[[nodiscard]] std::vector<std::string> method_names();

/// What a method says of a network: one list a layer or group, or of a method of low rank the errors of every way to
/// divide a layer.
[[nodiscard]] std::vector<std::vector<double>> scores_of(const Method& method, const Sight& sight);

}  // namespace retrial::pruning::inline methods
