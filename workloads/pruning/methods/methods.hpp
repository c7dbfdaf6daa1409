#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/pruning/methods/scoring_view.hpp"
#include "workloads/pruning/methods/spectra.hpp"

namespace retrial::pruning::inline methods {

/// Scores of a method, each in its own file, with formulas and sources.
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

/// Conversion of scores to masks.
enum class Rule {
  best,        ///< the largest of all layers together, exactly
  share,       ///< the same share of every layer
  channels,    ///< the same share of the channels of every group
  pfp,         ///< channels by one error bound for all layers
  lottery,     ///< a fraction of what remains
  sampled,     ///< the same share of every layer, drawn with the scores as probabilities
  rows,        ///< a number of draws from every filter, by error bounds
  hybrid,      ///< the same, or the best of a filter if that bound is smaller
  pfp_drawn,   ///< channels drawn, with a number of draws from the bound
  pfp_topped,  ///< the largest shares kept, the rest drawn
  groups,      ///< channels by the scores of the members of their group; per group, or all together
  ranks,       ///< factors instead of weights, ranks by one relative error for all layers
};

/// A pruning method: one row, the source of keys, help and documentation. Exactly one of the functions is set.
struct Method {
  std::string name, summary, source;
  Rule rule = Rule::best;
  WeightScores (*weights)(const Sight&) = nullptr;
  ChannelScores (*channels)(const Sight&) = nullptr;
  Spectra (*spectra)(const Sight&) = nullptr;
  bool reads_samples = false;  ///< draws a scoring set from `sample`
  bool draws = false;          ///< honors `prune`
  bool one_batch = false;      ///< uses only the first batch of the scoring set
  bool sees_layers = false;    ///< looks at what layers read or write, not only at weights and their gradients

  [[nodiscard]] bool structured() const { return channels != nullptr; }
  [[nodiscard]] bool low_rank() const { return spectra != nullptr; }
  /// Masks single weights, so that nothing becomes faster.
  [[nodiscard]] bool unstructured() const { return weights != nullptr; }
  /// Needs no more of a network than named parameters and their gradients, so that it can prune a script.
  [[nodiscard]] bool of_parameters() const { return unstructured() && !sees_layers; }
  /// Keeps exactly the requested number of weights.
  [[nodiscard]] bool counts_exactly() const {
    return rule == Rule::best || rule == Rule::share || rule == Rule::sampled;
  }
};
[[nodiscard]] const std::vector<Method>& all_methods();
/// Throws InvalidInput("method") with the nearest name.
[[nodiscard]] const Method& find_method(const std::string& name);
[[nodiscard]] std::vector<std::string> method_names();

/// The scores of a method for a network: one list per layer or group, or for a low-rank method the errors of every way
/// to divide a layer.
[[nodiscard]] std::vector<std::vector<double>> scores_of(const Method& method, const Sight& sight);

}  // namespace retrial::pruning::inline methods
