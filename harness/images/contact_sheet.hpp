#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/data/images/image.hpp"

namespace retrial::harness::inline images {

/// Images of one shape in rows and columns on white, each enlarged to at least 64 pixels per side. All rows have the
/// same number of images.
struct ContactSheet {
  data::Shape shape;
  int scale = 255;  ///< largest value of a byte
  std::vector<std::vector<std::vector<std::uint8_t>>> rows;
};
/// As a PNG file, gray or RGB.
[[nodiscard]] std::string png_of(const ContactSheet& sheet);

}  // namespace retrial::harness::inline images
