#include "workloads/data/augment/autoaugment.hpp"

#include <algorithm>
#include <vector>

namespace retrial::data::inline augment {
namespace {

using photo::Picture;

/// The value of a magnitude index on a linear scale from 0.
double evenly(int magnitude, double max) {
  return magnitude * (max / 9);
}

int bits_kept(int magnitude) {
  constexpr std::array<int, 10> bits{8, 8, 7, 7, 6, 6, 5, 5, 4, 4};
  return bits[static_cast<std::size_t>(magnitude)];
}

}  // namespace

const std::array<SubPolicy, 25>& cifar10_policy() {
  using enum Op;
  static constexpr std::array<SubPolicy, 25> policy{{
      {{{invert, .1, 7}, {contrast, .2, 6}}},          {{{rotate, .7, 2}, {translate_x, .3, 9}}},
      {{{sharpness, .8, 1}, {sharpness, .9, 3}}},      {{{shear_y, .5, 8}, {translate_y, .7, 9}}},
      {{{autocontrast, .5, 8}, {equalize, .9, 2}}},    {{{shear_y, .2, 7}, {posterize, .3, 7}}},
      {{{color, .4, 3}, {brightness, .6, 7}}},         {{{sharpness, .3, 9}, {brightness, .7, 9}}},
      {{{equalize, .6, 5}, {equalize, .5, 1}}},        {{{contrast, .6, 7}, {sharpness, .6, 5}}},
      {{{color, .7, 7}, {translate_x, .5, 8}}},        {{{equalize, .3, 7}, {autocontrast, .4, 8}}},
      {{{translate_y, .4, 3}, {sharpness, .2, 6}}},    {{{brightness, .9, 6}, {color, .2, 8}}},
      {{{solarize, .5, 2}, {invert, 0, 3}}},           {{{equalize, .2, 0}, {autocontrast, .6, 0}}},
      {{{equalize, .2, 8}, {equalize, .8, 4}}},        {{{color, .9, 9}, {equalize, .6, 6}}},
      {{{autocontrast, .8, 4}, {solarize, .2, 8}}},    {{{brightness, .1, 3}, {color, .7, 0}}},
      {{{solarize, .4, 5}, {autocontrast, .9, 3}}},    {{{translate_y, .9, 9}, {translate_y, .7, 9}}},
      {{{autocontrast, .9, 2}, {solarize, .8, 3}}},    {{{equalize, .8, 8}, {invert, .1, 3}}},
      {{{translate_y, .7, 9}, {autocontrast, .9, 1}}},
  }};
  return policy;
}

void apply(const Picture& picture, Op op, int magnitude, bool negative) {
  constexpr double widest_shift = 150.0 / 331;  // share of the side
  const double sign = negative ? -1 : 1;
  const auto factor = static_cast<float>(1 + sign * evenly(magnitude, .9));
  switch (op) {
    case Op::shear_y:
      return photo::bicubic(picture, {.d = sign * evenly(magnitude, .3)});
    case Op::translate_x:
      return photo::nearest(picture, {.c = sign * evenly(magnitude, widest_shift) * picture.shape.width});
    case Op::translate_y:
      return photo::nearest(picture, {.f = sign * evenly(magnitude, widest_shift) * picture.shape.height});
    case Op::rotate:
      return photo::nearest_fixed(picture, photo::rotation(picture.shape, sign * evenly(magnitude, 30)));
    case Op::color:
      return photo::color(picture, factor);
    case Op::contrast:
      return photo::contrast(picture, factor);
    case Op::brightness:
      return photo::brightness(picture, factor);
    case Op::sharpness:
      return photo::sharpness(picture, factor);
    case Op::invert:
      return photo::invert(picture);
    case Op::solarize:
      return photo::solarize(picture, 256 - evenly(magnitude, 256));
    case Op::posterize:
      return photo::posterize(picture, bits_kept(magnitude));
    case Op::autocontrast:
      return photo::autocontrast(picture);
    case Op::equalize:
      return photo::equalize(picture);
  }
}

void autoaugment(const Picture& picture, variance::Stream& draws, RotateSign sign) {
  const SubPolicy& pair = cifar10_policy()[variance::bounded(draws.next(), cifar10_policy().size())];
  std::vector<std::uint8_t> between(picture.from, picture.from + picture.shape.pixels());
  for (const PolicyStep& step : pair) {
    const bool happens = variance::uniform(draws.next()) < step.probability;
    const bool drawn_negative = variance::bounded(draws.next(), 2) == 1;
    const bool negative = drawn_negative && !(step.op == Op::rotate && sign == RotateSign::positive);
    if (!happens) continue;
    apply({picture.shape, between.data(), picture.to}, step.op, step.magnitude, negative);
    between.assign(picture.to, picture.to + picture.shape.pixels());
  }
  std::copy(between.begin(), between.end(), picture.to);
}

}  // namespace retrial::data::inline augment
