#pragma once

#include <string>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/data/files/image_set.hpp"

/// Robust training (Liebenwein et al. 2021): corruptions a network is trained on, and others it is tested on.
namespace retrial::corrupt {

/// Seen in training: contrast, elastic, gaussian_blur, impulse_noise, motion_blur, pixelate, shot_noise, snow,
/// zoom_blur.
[[nodiscard]] const std::vector<std::string>& mix1();
/// Only for tests, never seen in training: brightness, defocus_blur, fog, frost, gaussian_noise, glass_blur,
/// jpeg_compression, saturate, spatter, speckle_noise.
[[nodiscard]] const std::vector<std::string>& mix2();
/// The names of a list that this program can make; `left_out` has the others, for one warning.
struct Usable {
  std::vector<std::string> names, left_out;
};
[[nodiscard]] Usable usable(const std::vector<std::string>& names);

/// The choice for one image.
struct Choice {
  std::string name;  ///< empty: clean
  int severity = 0;
};
/// Word 0: bounded(6) = 0 leaves the image clean; word 1: bounded picks of the usable names of mix1; word 2: severity
/// 1 + bounded(5). Words from 3 on are for the corruption, also after a clean choice.
[[nodiscard]] Choice choose(variance::Stream& draws);

/// Converts one image of bytes to values from 0 to 1: byte / scale if it stays clean, else byte / 255 after corruption.
/// A step of an augmentation: its stream is that of the epoch and the sample (augment.hpp), under the name "mix".
void corrupt_mix(const data::Shape& shape, int scale, const std::uint8_t* from, float* to, variance::Stream& draws);

}  // namespace retrial::corrupt
