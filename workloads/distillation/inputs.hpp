#pragma once

#include <cstdint>
#include <optional>

#include "workloads/data/pixels.hpp"
#include "workloads/data/registry.hpp"
#include "workloads/data/split.hpp"
#include "workloads/distillation/methods.hpp"

namespace retrial::distillation {

/// What the keys say about the data, without a torch type.
[[nodiscard]] const data::DataSetInfo& data_set_of(const Values& values);
[[nodiscard]] data::PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed);

/// `normalise`: "default" is none for digits and computed elsewhere; the statistics are those of `rows`.
[[nodiscard]] data::Normalisation normalisation_of(const Values& values, const data::ImageSet& set,
                                                   std::span<const std::uint32_t> rows);

/// Whether the trial trains a teacher: a method without one reads no teacher key.
[[nodiscard]] bool has_teacher(const Values& values);

}  // namespace retrial::distillation
