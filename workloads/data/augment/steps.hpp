#pragma once

#include "variance/random/rng.hpp"
#include "workloads/data/augment/photo.hpp"

/// The functions of the table of augmentations; augment.hpp describes their draws.
namespace retrial::data::inline augment::steps {

void shift1(const photo::Picture& picture, variance::Stream& draws);
void crop_flip(const photo::Picture& picture, variance::Stream& draws);
void autoaugment_both(const photo::Picture& picture, variance::Stream& draws);
void autoaugment_positive(const photo::Picture& picture, variance::Stream& draws);
void subpixel(const Shape& shape, const float* from, float* to, variance::Stream& draws);
void noise(const Shape& shape, const float* from, float* to, variance::Stream& draws);

}  // namespace retrial::data::inline augment::steps
