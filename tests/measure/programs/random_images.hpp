#pragma once

#include "variance/random/rng.hpp"
#include "workloads/data/files/image_set.hpp"

namespace retrial::bench {

/// Images of ten classes that teach nothing.
inline data::ImageSet random_images(data::Shape shape, std::uint32_t count) {
  data::ImageSet set{.name = "random", .count = count, .shape = shape, .classes = 10};
  variance::Stream stream(variance::derive(20210403, "training-bench"));
  set.pixels.resize(count * shape.pixels());
  for (auto& pixel : set.pixels) pixel = static_cast<std::uint8_t>(variance::bounded(stream.next(), 256));
  for (std::uint32_t i = 0; i < count; ++i) set.labels.push_back(static_cast<std::uint16_t>(i % 10));
  return set;
}

}  // namespace retrial::bench
