#pragma once

#include <string>
#include <vector>

#include "workloads/nn/protocol/schedule.hpp"

namespace retrial::pruning::inline keys {

/// The network that is trained and evaluated along with the cascade that finds the masks: none, the same masks on new
/// initial weights, or random masks with the same number of weights in each layer.
enum class Control { none, reinit, random_mask };

/// One alternation of pruning and training.
struct Pipeline {
  std::string name, summary;
  bool prunes = true;
  bool from_parent = false;  ///< every step starts from the parent; else from the network of the previous step
  bool rewinds = false;      ///< kept weights return to their values of rewind_epoch
  bool last_rate = false;    ///< retraining at the last learning rate; else the whole schedule again
  Control control = Control::none;

  /// Needs no single weights, so that layers may be factorized.
  [[nodiscard]] bool keeps_factors() const { return !rewinds && control == Control::none; }
};
[[nodiscard]] const std::vector<Pipeline>& all_pipelines();
/// The name must be one of pipeline_names().
[[nodiscard]] const Pipeline& find_pipeline(const std::string& name);
[[nodiscard]] std::vector<std::string> pipeline_names();  ///< sorted

/// Lengths of the parts of a pipeline, in epochs.
struct Lengths {
  std::int64_t parent = 0, retraining = 0;
  std::int64_t every = 1;  ///< prune steps per retraining
};
/// Whether prune step `step` (from 1) is followed by a retraining.
[[nodiscard]] bool retrains(const Lengths& lengths, std::int64_t step);
/// Epochs the network was trained before the retraining of `step`, counted from the parent's first.
[[nodiscard]] std::int64_t epochs_before(const Pipeline& pipeline, const Lengths& lengths, std::int64_t step);
/// The schedule of a retraining: the original one from its beginning, or its last rate throughout.
[[nodiscard]] nn::Schedule retraining_schedule(const Pipeline& pipeline, const nn::Schedule& original,
                                               std::int64_t epochs);

}  // namespace retrial::pruning::inline keys
