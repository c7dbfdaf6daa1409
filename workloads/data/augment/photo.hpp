#pragma once

#include <cstdint>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline augment::photo {

/// Operators on byte images by planes, bit-equal with Pillow 9.4 on 32 x 32 RGB. Each reads `from` and writes `to`,
/// which must not overlap, both of shape.pixels() bytes. Greys are L = (19595 R + 38470 G + 7471 B + 32768) >> 16.
/// An enhancer blends a degenerate image d with x in float32: t = d + factor (x - d), truncated, and first clamped to
/// [0, 255] if factor is outside [0, 1].

struct Picture {
  const Shape& shape;
  const std::uint8_t* from;
  std::uint8_t* to;
};

void copy(const Picture& picture);
void invert(const Picture& picture);                      ///< 255 - v
void solarize(const Picture& picture, double threshold);  ///< v where v < threshold, else 255 - v
void posterize(const Picture& picture, int bits);         ///< keeps the upper bits
void autocontrast(const Picture& picture);                ///< each channel stretched from its extremes to 0 and 255
void equalize(const Picture& picture);                    ///< each channel: histogram made flat

/// These four need three channels, red, green and blue.
void color(const Picture& picture, float factor);     ///< d: the gray image
void contrast(const Picture& picture, float factor);  ///< d: the mean of the grays, rounded half up
[[nodiscard]] std::uint8_t mean_grey(const Shape& shape, const std::uint8_t* image);
void brightness(const Picture& picture, float factor);  ///< d: black
/// d: x smoothed by (1 1 1; 1 5 1; 1 1 1) / 13, rounded half up, border pixels unchanged.
void sharpness(const Picture& picture, float factor);

/// Output pixel (x, y) reads (a (x + .5) + b (y + .5) + c, d (x + .5) + e (y + .5) + f); 128 outside the image.
struct Affine {
  double a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;
};
void nearest(const Picture& picture, const Affine& map);
/// The same with coefficients rounded to 16 fractional bits, as Pillow computes a rotation: at 20 degrees the exact
/// formula picks another pixel in 1 of 1,024.
void nearest_fixed(const Picture& picture, const Affine& map);
/// Cubic convolution, a = -1 (Keys 1981), rows and columns repeated at the border, clamped and truncated.
void bicubic(const Picture& picture, const Affine& map);

/// About the center, counter-clockwise for positive degrees; sine and cosine rounded to 15 decimals, so that every libm
/// gives the same.
[[nodiscard]] Affine rotation(const Shape& shape, double degrees);

}  // namespace retrial::data::inline augment::photo
