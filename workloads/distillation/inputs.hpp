#pragma once

#include <cstdint>
#include <optional>

#include "workloads/data/augment.hpp"
#include "workloads/data/pixels.hpp"
#include "workloads/data/registry.hpp"
#include "workloads/data/split.hpp"
#include "workloads/distillation/methods.hpp"
#include "workloads/nn/architecture.hpp"

namespace retrial::distillation {

/// What the keys say about the data, without a torch type.
[[nodiscard]] const data::DataSetInfo& data_set_of(const Values& values);
/// The set itself, read from the folder data_dir unless it is built in. Throws Error when there is no such folder, or
/// when its files are missing or wrong.
[[nodiscard]] std::shared_ptr<const data::ImageSet> loaded_set(const Values& values);
/// The keys with data_dir set to the folder that a worker was handed, where they name none and the set needs one.
[[nodiscard]] Values located(Values values, const std::filesystem::path& folder);
/// One image as the networks see it.
[[nodiscard]] data::Shape image_shape(const Values& values);
/// The model of the key `student`, `teacher` or `assistant` under the key `ablation`. Throws InvalidInput naming the
/// key.
[[nodiscard]] nn::Architecture architecture_of(const Values& values, const std::string& key);
[[nodiscard]] data::PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed);

/// `normalise`: "default" is none for digits and computed elsewhere; the statistics are those of `rows`.
[[nodiscard]] data::Normalisation normalisation_of(const Values& values, const data::ImageSet& set,
                                                   std::span<const std::uint32_t> rows);

/// The operator of the key `augment` or `teacher_augment` under rotate_sign; null for none. Method uda brings its own
/// in the place of `augment`.
[[nodiscard]] const data::Operator* augmentation_of(const Values& values, const std::string& key);

}  // namespace retrial::distillation
