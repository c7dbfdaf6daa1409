#include "workloads/data/corrupt/corrupt.hpp"

namespace retrial::corrupt {
namespace {

Corruption with_jpeg(Corruption row) {
  if (*digital::jpeg_library() != '\0') return row;
  row.op = nullptr;
  row.missing = "this program was built without libjpeg";
  return row;
}

std::array<Constants, 5> single(double a, double b, double c, double d, double e) {
  return {{{a}, {b}, {c}, {d}, {e}}};
}

}  // namespace

// Constants: hendrycks/robustness, make_cifar_c.py. Zoom counts are the lengths of its ranges: 7 and 12 are one more
// than the nominal maxima 1.06 and 1.11 suggest. Lengths of elastic are shares of the side.
const std::vector<Corruption>& table() {
  using enum Made;
  static const std::vector<Corruption> rows{
      {"gaussian_noise", "gaussian_noise", "normal noise on every value", portable, noise::gaussian,
       single(.04, .06, .08, .09, .10)},
      {"shot_noise", "shot_noise", "counts of light: Poisson noise", portable, noise::shot,
       single(500, 250, 100, 75, 50)},
      {"impulse_noise", "impulse_noise", "a share of the values set to black or white", portable, noise::impulse,
       single(.01, .02, .03, .05, .07)},
      {"defocus_blur",
       "defocus_blur",
       "a lens out of focus",
       portable,
       blur::defocus,
       {{{.3, .4}, {.4, .5}, {.5, .6}, {1, .2}, {1.5, .1}}}},
      {"glass_blur",
       "glass_blur",
       "pixels displaced as if seen through frosted glass",
       own,
       blur::glass,
       {{{.05, 1, 1}, {.25, 1, 1}, {.4, 1, 1}, {.25, 1, 2}, {.4, 1, 2}}}},
      {"motion_blur",
       "motion_blur",
       "a camera moving at a random angle",
       own,
       blur::motion,
       {{{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}}}},
      {"zoom_blur", "zoom_blur", "a camera moving closer", portable, blur::zoom, single(7, 12, 16, 21, 26)},
      {"snow",
       "snow",
       "flakes falling at a random angle",
       own,
       weather::snow,
       {{{.1, .2, 1, .6, 8, 3, .95},
         {.1, .2, 1, .5, 10, 4, .9},
         {.15, .3, 1.75, .55, 10, 4, .9},
         {.25, .3, 2.25, .6, 12, 6, .85},
         {.3, .3, 1.25, .65, 14, 12, .8}}}},
      {"frost",
       "frost",
       "ice crystals over the image",
       library,
       nullptr,
       {{{1, .2}, {1, .3}, {.9, .4}, {.85, .4}, {.75, .45}}},
       "it needs six photographs of ice that are not distributed with the program: name their folder (--set "
       "frost_dir=DIR)",
       "frost_dir"},
      {"fog",
       "fog",
       "mist, a plasma fractal",
       portable,
       weather::fog,
       {{{.2, 3}, {.5, 3}, {.75, 2.5}, {1, 2}, {1.5, 1.75}}}},
      {"brightness", "brightness", "every pixel lighter", portable, colour::brightness, single(.05, .1, .15, .2, .3)},
      {"contrast", "contrast", "values pulled toward their mean", portable, colour::contrast,
       single(.75, .5, .4, .3, .15)},
      {"elastic",
       "elastic_transform",
       "stretched and wrinkled like rubber",
       own,
       digital::elastic,
       {{{0, 0, .08}, {.05, .2, .07}, {.08, .06, .06}, {.1, .04, .05}, {.1, .03, .03}}}},
      {"pixelate", "pixelate", "fewer and larger pixels", portable, digital::pixelate, single(.95, .9, .85, .75, .65)},
      with_jpeg({"jpeg_compression", "jpeg_compression", "JPEG artifacts", library, digital::jpeg,
                 single(80, 65, 58, 50, 40)}),
      {"speckle_noise", "speckle_noise", "normal noise proportional to the value", portable, noise::speckle,
       single(.06, .1, .12, .16, .2)},
      {"gaussian_blur", "gaussian_blur", "a Gaussian blur", portable, blur::gaussian, single(.4, .6, .7, .8, 1)},
      {"spatter",
       "spatter",
       "drops of water (1 to 3) or mud (4, 5) on the lens",
       own,
       weather::spatter,
       {{{.62, .1, .7, .7, .5, 0},
         {.65, .1, .8, .7, .5, 0},
         {.65, .3, 1, .69, .5, 0},
         {.65, .1, .7, .69, .6, 1},
         {.65, .1, .5, .68, .6, 1}}}},
      {"saturate",
       "saturate",
       "colors paler (1, 2) or stronger (3 to 5)",
       portable,
       colour::saturate,
       {{{.3, 0}, {.1, 0}, {1.5, 0}, {2, .1}, {2.5, .2}}}},
  };
  return rows;
}

}  // namespace retrial::corrupt
