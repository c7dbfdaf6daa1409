#pragma once

#include "workloads/nn/layers/model_torch.hpp"

namespace retrial::pruning::inline observations {

struct BackSelect {
  double share = .1;       ///< share of the blocks to keep
  std::int64_t block = 1;  ///< side of the squares that are removed together
};

/// Blocks of one image, (1, channels, height, width), in the order of removal: each time the block whose removal (every
/// channel set to 0) leaves the network with the highest confidence in the class that it predicted at first; ties to
/// the lowest index. Blocks are numbered row by row; P of them cost P (P + 1) / 2 forward passes (Carter, Mueller, Jain
/// and Gifford, "What made you do this?", AISTATS 2019).
[[nodiscard]] std::vector<std::int64_t> removal_order(const nn::Model& model, const at::Tensor& image,
                                                      std::int64_t block);

/// The images with all but the last share of their removal order set to 0.
[[nodiscard]] at::Tensor informative_pixels(const nn::Model& model, const at::Tensor& images,
                                            const BackSelect& options);

/// Mean probability of the true class.
[[nodiscard]] double mean_confidence(const nn::Model& model, const at::Tensor& images, const at::Tensor& labels);

/// P (P + 1) / 2.
[[nodiscard]] constexpr std::int64_t backselect_passes(std::int64_t blocks) {
  return blocks * (blocks + 1) / 2;
}

}  // namespace retrial::pruning::inline observations
