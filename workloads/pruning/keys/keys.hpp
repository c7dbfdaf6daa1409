#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/data/inputs/keys.hpp"
#include "workloads/pruning/keys/pipeline.hpp"
#include "workloads/pruning/steps/step.hpp"

namespace retrial::pruning::inline keys {

inline constexpr const char* workload_name = "pruning";

/// The keys of the workload.
[[nodiscard]] std::vector<workloads::Parameter> parameters();
/// Keys that are read under these values; a variant's own table may name no other.
[[nodiscard]] std::vector<std::string> reads(const Values& values);
/// Keys that contradict each other.
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);

/// The values of the keys, without a torch type.
[[nodiscard]] const Method& method_of(const Values& values);
[[nodiscard]] const Pipeline& pipeline_of(const Values& values);
[[nodiscard]] nn::Architecture architecture_of(const Values& values);
[[nodiscard]] bool is_script(const Values& values);  ///< the model is a network of the user's own
[[nodiscard]] Network network_of(const Values& values);
[[nodiscard]] std::vector<double> grid_of(const Values& values);         ///< empty for pipelines that do not prune
[[nodiscard]] std::vector<double> retrained_grid(const Values& values);  ///< of these, the retrained ones: they count
[[nodiscard]] Lengths lengths_of(const Values& values);
[[nodiscard]] StepOptions step_options(const Values& values);
/// Whether `min_keep` is read: if weights of all layers are compared, and their number is exact.
[[nodiscard]] bool enforces_min_keep(const Values& values);
[[nodiscard]] const data::Operator* augmentation_of(const Values& values);  ///< null for none
/// The source that training images draw from: corrupt for mix1, augmentation for the others, empty for none.
[[nodiscard]] std::string augmentation_source(const Values& values);
/// The margins of the key `deltas`, in percentage points; the first gives the judged metric. Throws InvalidInput.
[[nodiscard]] std::vector<double> deltas_of(const Values& values);
/// The levels of the key `noise_levels`. Throws InvalidInput.
[[nodiscard]] std::vector<double> noise_levels_of(const Values& values);

/// The noise levels as test distributions: "noise_0.15"; none if `noise_images` is 0.
[[nodiscard]] std::vector<std::string> noise_names(const Values& values);
/// Name of a metric of one noise level: "distance_match_0.15".
[[nodiscard]] std::string noise_metric(const std::string& name, double level);

}  // namespace retrial::pruning::inline keys
