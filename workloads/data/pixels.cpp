#include "workloads/data/pixels.hpp"

#include <cmath>

namespace retrial::data {

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

PixelTable::PixelTable(const ImageSet& set, const Normalisation& normalisation)
    : channels_(normalisation.mean.size()), plane_(set.shape.pixels() / normalisation.mean.size()) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (int v = 0; v < 256; ++v)
      channels_[c][static_cast<std::size_t>(v)] =
          static_cast<float>((static_cast<double>(v) / set.scale - normalisation.mean[c]) / normalisation.sd[c]);
}

void PixelTable::convert(const std::uint8_t* image, float* to) const {
  for (const auto& values : channels_)
    for (std::size_t i = 0; i < plane_; ++i) *to++ = values[*image++];
}

}  // namespace retrial::data
