#include "workloads/data/files/image_set.hpp"

#include <array>

namespace retrial::data::inline files {

std::size_t Shape::pixels() const {
  return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
}

results::Digest identity(const ImageSet& set) {
  results::Sha256 hash;
  if (set.shape_in_identity) {
    const std::string text = "shape " + std::to_string(set.shape.channels) + "x" + std::to_string(set.shape.height) +
                             "x" + std::to_string(set.shape.width) + "\n";
    hash.update({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  const std::size_t pixels = set.shape.pixels(), label_bytes = set.classes > 256 ? 2 : 1;
  for (std::uint32_t row = 0; row < set.count; ++row) {
    const std::uint16_t label = set.labels[row];
    const std::array<std::uint8_t, 2> bytes{static_cast<std::uint8_t>(label & 0xff),
                                            static_cast<std::uint8_t>(label >> 8)};
    hash.update({set.image(row), pixels});
    hash.update({bytes.data(), label_bytes});
  }
  return hash.finish();
}

}  // namespace retrial::data::inline files
