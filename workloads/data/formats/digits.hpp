#pragma once

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// 1,797 gray images of 8x8 with values 0 to 16: the test part of "Optical recognition of handwritten digits"
/// (Alpaydin and Kaynak, UCI 1998), as scikit-learn ships it. Compiled into the program; without
/// RETRIAL_EMBED_DIGITS throws Error{incomparable} naming that option.
[[nodiscard]] const ImageSet& digits();

/// identity(digits()), a constant: known even if the rows are not compiled in.
[[nodiscard]] results::Digest digits_identity();

}  // namespace retrial::data::inline formats
