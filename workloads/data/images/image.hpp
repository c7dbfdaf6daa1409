#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::corrupt {

/// An image as it is stored: planes of bytes, value = byte / scale.
struct ImageView {
  data::Shape shape;
  const std::uint8_t* bytes = nullptr;
  int scale = 255;
};

/// An image in doubles, plane by plane, 0 to 1 except inside an operator.
struct Image {
  data::Shape shape;
  std::vector<double> values;
  int scale = 255;  ///< scale of the original bytes

  [[nodiscard]] std::size_t plane_size() const { return values.size() / static_cast<std::size_t>(shape.channels); }
  [[nodiscard]] double* plane(int channel) { return values.data() + static_cast<std::size_t>(channel) * plane_size(); }
  [[nodiscard]] const double* plane(int channel) const {
    return values.data() + static_cast<std::size_t>(channel) * plane_size();
  }
  /// Calls f(value) for every value in the order of draws: row, column, channel.
  template <typename F>
  void for_each(F&& f) {
    for (std::size_t at = 0; at < plane_size(); ++at)
      for (std::size_t v = at; v < values.size(); v += plane_size()) f(values[v]);
  }
};

[[nodiscard]] Image image_of(const ImageView& view);
/// One plane of this height and width, all 0.
[[nodiscard]] Image layer_of(const data::Shape& shape);

/// Clipped to 0 .. 1, times 255, truncated. A byte v that came in as v / 255 goes out as v.
[[nodiscard]] std::uint8_t byte_of(double value);
void write_bytes(const Image& image, std::span<std::uint8_t> to);
/// Rounds each value with byte_of, as byte / 255.
void truncate_to_bytes(Image& image);

}  // namespace retrial::corrupt
