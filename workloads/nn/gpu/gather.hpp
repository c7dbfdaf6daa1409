#pragma once

#include <cstdint>

#include "determinism/kernels/parts.hpp"

namespace retrial::nn::inline gpu {

/// A batch out of the images that lie on a device: bytes become pixels by the table of data::PixelTable, so that a
/// batch has the bits of the CPU's.
struct Gather {
  const std::uint8_t* bytes;   ///< all images, one after the other, as data::ImageSet has them
  const float* table;          ///< 256 values for each channel
  const std::int64_t* places;  ///< of the images of the batch
  float* images;               ///< (count, pixels)
  std::uint64_t count, pixels, plane;
};

/// The body of its kernel.
RETRIAL_HD void gather_elements(const Gather& batch, const determinism::Where& at) {
  const std::uint64_t all = batch.count * batch.pixels;
  for (std::uint64_t e = at.block * at.threads + at.thread; e < all; e += at.blocks * at.threads) {
    const std::uint64_t image = e / batch.pixels, pixel = e % batch.pixels;
    const std::uint8_t byte = batch.bytes[static_cast<std::uint64_t>(batch.places[image]) * batch.pixels + pixel];
    batch.images[e] = batch.table[pixel / batch.plane * 256 + byte];
  }
}

}  // namespace retrial::nn::inline gpu
