#pragma once

#include <array>
#include <functional>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/data/images/image.hpp"

/// The functions of the table of corruptions, one file per family. Each takes values from 0 to 1 and may leave that
/// range; clipping and truncation to bytes come after it. u is uniform_open and z normal of the next word of `draws`;
/// draws for every value are in the order row, column, channel. Hendrycks and Dietterich, "Benchmarking Neural Network
/// Robustness to Common Corruptions and Perturbations", ICLR 2019; written from scratch, from formulas.
namespace retrial::corrupt {

/// The numbers of one severity; each operator reads as many as it needs.
using Constants = std::array<double, 7>;
struct Textures;
using Operator = Image (*)(const Image& image, const Constants& c, variance::Stream& draws);

namespace noise {
Image gaussian(const Image& image, const Constants& c, variance::Stream& draws);  ///< x + c0 z
Image shot(const Image& image, const Constants& c, variance::Stream& draws);      ///< Poisson(x c0) / c0, by tables
/// A share c0 of the values (not of the pixels): u0 < c0 takes it, u1 < 1/2 makes it 1, else 0. Two draws per value.
Image impulse(const Image& image, const Constants& c, variance::Stream& draws);
Image speckle(const Image& image, const Constants& c, variance::Stream& draws);  ///< x + x c0 z
}  // namespace noise

namespace blur {
Image gaussian(const Image& image, const Constants& c, variance::Stream& draws);  ///< sigma c0
Image defocus(const Image& image, const Constants& c, variance::Stream& draws);   ///< disk: radius c0, alias c1
/// Smoothed by sigma c0, truncated to bytes; c2 times, from the lower right, each pixel c1 and more from the border
/// takes the value of one at 0 or 1 up and left (dx, then dy: -1 when u < 1/2); smoothed again.
Image glass(const Image& image, const Constants& c, variance::Stream& draws);
Image motion(const Image& image, const Constants& c, variance::Stream& draws);  ///< radius c0, sigma c1, -45 + 90 u
Image zoom(const Image& image, const Constants& c,
           variance::Stream& draws);  ///< mean of x and zooms of np.arange(1, ..., .01), c0 of them
}  // namespace blur

namespace weather {
/// Layer c0 + c1 z, enlarged c2 times, below c3 nothing, in bytes, moved (radius c4, sigma c5, -135 + 90 u degrees) and
/// added with its half turn to an image that keeps c6 of itself and fades to a bright gray.
Image snow(const Image& image, const Constants& c, variance::Stream& draws);
/// c0 x + c1 F, F a piece of one of the first five photographs of ice, scaled by a fifth: u0 picks it, u1 the first row
/// and u2 the first column, each floor(u n) of the n differences between its side and the image's. Grey images take its
/// luma. Sides of at most 63.
Image frost(const Image& image, const Constants& c, const Textures& textures, variance::Stream& draws);
/// (x + c0 F) M / (M + c0), F a plasma fractal of decay c1, M the largest value of the image.
Image fog(const Image& image, const Constants& c, variance::Stream& draws);
/// Layer c0 + c1 z smoothed by c2, below c3 nothing. c5 = 1, mud: the part above c3, smoothed by c4, below .8 nothing,
/// covers the image with brown. c5 = 0, water: see water.hpp; added in pale turquoise, at most c4.
Image spatter(const Image& image, const Constants& c, variance::Stream& draws);
}  // namespace weather

namespace colour {
Image brightness(const Image& image, const Constants& c, variance::Stream& draws);  ///< HSV: value + c0
Image contrast(const Image& image, const Constants& c, variance::Stream& draws);  ///< (x - mean) c0 + mean, by channel
/// HSV: saturation c0 + c1; grays take hue 0, red. One channel has no saturation: nothing changes.
Image saturate(const Image& image, const Constants& c, variance::Stream& draws);
}  // namespace colour

namespace digital {
/// Area resize of the bytes to floor(c0 side) and back, bit-equal with Pillow 9.4 (BOX), rounded to bytes after each
/// pass.
Image pixelate(const Image& image, const Constants& c, variance::Stream& draws);
/// In units of the side: an affine map of three anchors, each moved by up to c2, then displacements of up to c0
/// smoothed by c1; bilinear, mirrored at the border. Draws: x and y of the anchors, the field of x, the field of y.
Image elastic(const Image& image, const Constants& c, variance::Stream& draws);
/// Through libjpeg at quality c0, chroma halved.
Image jpeg(const Image& image, const Constants& c, variance::Stream& draws);
/// "libjpeg-turbo 2.1.5"; empty if the program was built without it.
[[nodiscard]] const char* jpeg_library();
}  // namespace digital

/// side^2 values from 0 to 1, side a power of two of at least 2: squares and diamonds, each the mean of its four
/// neighbors (wrapping) plus w (w (2u - 1)), where w is 100 and falls by `decay` per octave. side^2 - 1 draws.
[[nodiscard]] std::vector<double> plasma(int side, double decay, const std::function<double()>& u);
[[nodiscard]] std::vector<double> plasma(int side, double decay, variance::Stream& draws);

}  // namespace retrial::corrupt
