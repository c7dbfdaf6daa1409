#pragma once

#include "variance/random/rng.hpp"
#include "workloads/data/augment/photo.hpp"

/// The functions behind the table of augmentations; what they draw, in which order, stands in augment.hpp.
namespace retrial::data::inline augment::steps {

void shift1(const photo::Picture& picture, variance::Stream& draws);
void crop_flip(const photo::Picture& picture, variance::Stream& draws);
void autoaugment_both(const photo::Picture& picture, variance::Stream& draws);
void autoaugment_positive(const photo::Picture& picture, variance::Stream& draws);
void subpixel(const Shape& shape, const float* from, float* to, variance::Stream& draws);
void noise(const Shape& shape, const float* from, float* to, variance::Stream& draws);

}  // namespace retrial::data::inline augment::steps
