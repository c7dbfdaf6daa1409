#pragma once

#include <vector>

#include "workloads/data/pixels.hpp"
#include "workloads/nn/model_torch.hpp"

namespace retrial::prune {

/// Which noise two networks are compared under.
struct NoiseOptions {
  std::vector<double> levels;  ///< each draw adds 2 level (u - 1/2) to a value; nothing is clipped
  std::int64_t draws = 1;      ///< an image
  std::int64_t images = 1;     ///< the first of permutation(derive(seed, "images")); all if there are fewer
  bool pixel_units = true;     ///< of values between 0 and 1; false: of normalised ones
  std::uint64_t seed = 0;      ///< source seed of test-noise
};

/// How far two networks are apart at one level: means over draws, then over images; sd over images. `match` is the
/// share of equal answers.
struct Distance {
  double level = 0;
  double match = 0, softmax_l2 = 0, softmax_linf = 0, logit_l2 = 0, logit_linf = 0;
  double softmax_l2_sd = 0;
};

/// Noise similarity (Liebenwein et al., "Lost in Pruning", 2021). Draw r of an image takes uniform numbers from
/// Stream(derive(derive(seed, "draw"), r), image index) in the order row, column, channel, the same at every level and
/// for every network.
[[nodiscard]] std::vector<Distance> functional_distance(const nn::Model& a, const nn::Model& b,
                                                        const at::Tensor& images,
                                                        const data::Normalisation& normalisation,
                                                        const NoiseOptions& options);

/// Of two logit vectors.
struct LogitDistance {
  bool match = false;
  double softmax_l2 = 0, softmax_linf = 0, logit_l2 = 0, logit_linf = 0;
};
[[nodiscard]] LogitDistance logit_distance(const float* a, const float* b, std::int64_t classes);

}  // namespace retrial::prune
