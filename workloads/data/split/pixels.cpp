#include "workloads/data/split/pixels.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::data::inline split {
namespace {

struct Printed {
  std::string how, set;
  Normalisation values;
};

/// `paper`: "The State of Knowledge Distillation for Classification" (Ruffy, Chahal 2019); `common`: most recipes.
const std::vector<Printed>& printed() {
  static const std::vector<Printed> table{
      {"paper", "cifar10", {.mean = {.4914, .4822, .4465}, .sd = {.2023, .1994, .2010}}},
      {"common", "cifar10", {.mean = {.4914, .4822, .4465}, .sd = {.2470, .2435, .2616}}},
      {"paper", "cifar100", {.mean = {.507, .487, .441}, .sd = {.267, .256, .276}}},
      {"common", "cifar100", {.mean = {.5071, .4867, .4408}, .sd = {.2675, .2565, .2761}}},
  };
  return table;
}

/// cifar10-unofficial and cifar10.1 are cifar10.
std::string family(const std::string& set) {
  return set.substr(0, set.find_first_of("-."));
}

}  // namespace

Normalisation no_normalisation(const ImageSet& set) {
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  return {.mean = std::vector<double>(channels, 0.0), .sd = std::vector<double>(channels, 1.0)};
}

Normalisation computed_normalisation(const ImageSet& set, std::span<const std::uint32_t> rows) {
  Normalisation found = no_normalisation(set);
  const std::size_t plane = set.shape.pixels() / found.mean.size();
  for (std::size_t c = 0; c < found.mean.size(); ++c) {
    std::uint64_t sum = 0, squares = 0;
    for (const std::uint32_t row : rows)
      for (const std::uint8_t v : std::span(set.image(row) + c * plane, plane)) {
        sum += v;
        squares += std::uint64_t{v} * v;
      }
    const double n = static_cast<double>(rows.size() * plane), mean = static_cast<double>(sum) / n;
    const double variance = static_cast<double>(squares) / n - mean * mean;
    found.mean[c] = mean / set.scale;
    found.sd[c] = variance > 0 ? std::sqrt(variance) / set.scale : 1.0;
  }
  return found;
}

const std::vector<std::string>& normalisation_names() {
  static const std::vector<std::string> names{"default", "none", "computed", "paper", "common"};
  return names;
}

Normalisation make_normalisation(const std::string& how, const ImageSet& set, std::span<const std::uint32_t> rows) {
  if (how == "none" || (how == "default" && set.name == "digits")) return no_normalisation(set);
  if (how == "computed" || how == "default") return computed_normalisation(set, rows);
  for (const Printed& row : printed())
    if (row.how == how && row.set == family(set.name)) return row.values;
  const auto& names = normalisation_names();
  const bool known = std::find(names.begin(), names.end(), how) != names.end();
  throw InvalidInput("normalise", how,
                     known ? "default, none, computed; " + how + " is available only for CIFAR-10 and CIFAR-100"
                           : results::joined(names));
}

PixelTable::PixelTable(const ImageSet& set, const Normalisation& normalisation)
    : channels_(normalisation.mean.size()),
      plane_(set.shape.pixels() / normalisation.mean.size()),
      scale_(set.scale),
      normalisation_(normalisation) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (int v = 0; v < 256; ++v)
      channels_[c][static_cast<std::size_t>(v)] =
          static_cast<float>((static_cast<double>(v) / set.scale - normalisation.mean[c]) / normalisation.sd[c]);
}

void PixelTable::convert(const std::uint8_t* image, float* to) const {
  for (const auto& values : channels_)
    for (std::size_t i = 0; i < plane_; ++i) *to++ = values[*image++];
}

void PixelTable::unit(const std::uint8_t* image, float* to) const {
  const auto scale = static_cast<float>(scale_);
  std::transform(image, image + channels_.size() * plane_, to,
                 [&](std::uint8_t v) { return static_cast<float>(v) / scale; });
}

void PixelTable::normalise(const float* values, float* to) const {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (std::size_t i = 0; i < plane_; ++i)
      *to++ = static_cast<float>((static_cast<double>(*values++) - normalisation_.mean[c]) / normalisation_.sd[c]);
}

}  // namespace retrial::data::inline split
