#pragma once

#include <vector>

#include "workloads/data/split/pixels.hpp"
#include "workloads/nn/layers/model_torch.hpp"

namespace retrial::pruning::inline observations {

/// The noise under which two networks are compared.
struct NoiseOptions {
  std::vector<double> levels;  ///< each draw adds 2 level (u - 1/2) to a value; nothing is clipped
  std::int64_t draws = 1;      ///< per image
  std::int64_t images = 1;     ///< the first of permutation(derive(seed, "images")); all if there are fewer
  bool pixel_units = true;     ///< true: values between 0 and 1; false: normalized ones
  std::uint64_t seed = 0;      ///< source seed of test-noise
};

/// A mean over images, and the standard deviation between them; 0 for one image. NaN if a logit is not finite.
struct Spread {
  double mean = 0, sd = 0;
};

/// The distance of two networks at one level: means over the draws of an image, then over images. `match` is the share
/// of equal answers.
struct Distance {
  double level = 0;
  Spread match, softmax_l2, softmax_linf, logit_l2, logit_linf;
  std::int64_t images = 0, wrong = 0;  ///< noisy images, and errors of the first network on them
};

/// Noise similarity (Liebenwein et al., "Lost in Pruning", 2021). Draw r of an image takes uniform numbers from
/// Stream(derive(derive(seed, "draw"), r), image index) in the order row, column, channel, the same at every level and
/// for every network.
[[nodiscard]] std::vector<Distance> functional_distance(const nn::Model& network, const nn::Model& reference,
                                                        const at::Tensor& images, const at::Tensor& labels,
                                                        const data::Normalisation& normalisation,
                                                        const NoiseOptions& options);

/// For two logit vectors.
struct LogitDistance {
  bool match = false;
  double softmax_l2 = 0, softmax_linf = 0, logit_l2 = 0, logit_linf = 0;
};
[[nodiscard]] LogitDistance logit_distance(const float* a, const float* b, std::int64_t classes);

}  // namespace retrial::pruning::inline observations
