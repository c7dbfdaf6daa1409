#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"
#include "workloads/data/corrupt/textures.hpp"
#include "workloads/data/files/image_set.hpp"

namespace retrial::pruning::inline keys {

inline constexpr const char* nominal = "nominal";

/// Where the published arrays of CIFAR-10-C stand, seen from the folder of the data set.
inline constexpr const char* official_folder = "CIFAR-10-C";

/// What a network is tested on: the test images as they are, under a shift of values, under a corruption of bytes, or
/// the arrays of CIFAR-10-C as they were published.
struct Distribution {
  enum class Kind { plain, shift, corruption, official };
  Kind kind = Kind::plain;
  std::string name;        ///< in the names of metrics: "nominal", "uniform_2", "fog", "fog_3" where severities differ
  std::string corruption;  ///< of a corruption
  int severity = 0;
};

/// The distributions that the keys `corruptions` and `severities` name, the nominal one first. default: the shifts of
/// small images for the digits, the portable corruptions for other sets; official: all nineteen, whether their files
/// are there or not; frost is named whether its photographs are there or not. Throws InvalidInput naming the key, and
/// Error for an unknown name, with the nearest one, or for a corruption that this program cannot make.
[[nodiscard]] std::vector<Distribution> distributions_of(const Values& values);
[[nodiscard]] std::vector<std::string> distribution_names(const Values& values);

/// Whose corruptions they are: the table that test images are corrupted by, and training images under mix1 (one and the
/// same, so that equal names are equal operators), or the published arrays; null where there are none.
[[nodiscard]] Json distribution_document(const Values& values);
/// What a reader should know of the distributions on images of this shape, a sentence each: one changes nothing, say.
[[nodiscard]] std::vector<std::string> distribution_notes(const Values& values, const data::Shape& shape);
/// Whether a corruption is made with the photographs of the key `frost_dir`: frost, but not its official array.
[[nodiscard]] bool needs_textures(const Distribution& distribution);
/// Whether one among them is.
[[nodiscard]] bool wants_textures(const Values& values);
/// The photographs, where a corruption wants them and they are there. Throws Error naming a file that is none of them.
[[nodiscard]] std::shared_ptr<const corrupt::Textures> textures_of(const Values& values);

}  // namespace retrial::pruning::inline keys
