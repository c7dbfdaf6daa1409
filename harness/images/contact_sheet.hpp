#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/data/corrupt/image.hpp"

namespace retrial::harness::inline images {

/// Images of one shape in rows and columns on white, each enlarged to at least 64 pixels a side. Every row has as many
/// images as the first.
struct ContactSheet {
  data::Shape shape;
  int scale = 255;  ///< of the bytes
  std::vector<std::vector<std::vector<std::uint8_t>>> rows;
};
/// As a PNG file, grey or RGB.
[[nodiscard]] std::string png_of(const ContactSheet& sheet);

}  // namespace retrial::harness::inline images
