#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/nn/shape/architecture.hpp"

namespace retrial::nn::inline shape {

/// Size of one image's feature map.
struct MapShape {
  std::int64_t channels = 0, height = 0, width = 0;
  friend bool operator==(const MapShape&, const MapShape&) = default;
};

/// The maps around the ReLU that closes a stage. A cnn pools after it, so its two maps differ in size.
struct StageOutline {
  MapShape map, before;
  bool normed = false;  ///< a batch norm feeds that ReLU
};

/// Sizes of the features that a network returns, known without building it.
struct Outline {
  std::optional<MapShape> stem;      ///< residual networks only: a cnn's first convolution is its first stage
  std::vector<StageOutline> stages;  ///< none for mlp
  std::int64_t pooled = 0;
};

/// Throws InvalidInput as tensors_of does.
[[nodiscard]] Outline outline_of(const Architecture& architecture, const data::Shape& input);

/// True if a batch norm sees a single value of a channel in a batch of one image: its variance is divided by 0, the
/// running statistics become NaN, and the training continues with a finite loss to a useless network.
[[nodiscard]] bool norms_single_values(const Outline& outline);

}  // namespace retrial::nn::inline shape
