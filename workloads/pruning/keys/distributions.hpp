#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"
#include "workloads/data/files/image_set.hpp"
#include "workloads/data/operators/textures.hpp"

namespace retrial::pruning::inline keys {

inline constexpr const char* nominal = "nominal";

/// Folder of the published arrays of CIFAR-10-C, relative to the folder of the data set.
inline constexpr const char* official_folder = "CIFAR-10-C";

/// A test distribution: the unchanged test images, a shift of values, a corruption of bytes, or a published array of
/// CIFAR-10-C.
struct Distribution {
  enum class Kind { plain, shift, corruption, official };
  Kind kind = Kind::plain;
  std::string name;        ///< in the names of metrics: "nominal", "uniform_2", "fog", "fog_3" with several severities
  std::string corruption;  ///< for a corruption
  int severity = 0;
};

/// The distributions that the keys `corruptions` and `severities` name, the nominal one first. default: the shifts of
/// small images for the digits, the portable corruptions for other sets; official: all nineteen, even without their
/// files; frost is listed even without its photographs. Throws InvalidInput naming the key, and Error for an unknown
/// name, with the nearest one, or for a corruption that this program cannot make.
[[nodiscard]] std::vector<Distribution> distributions_of(const Values& values);
[[nodiscard]] std::vector<std::string> distribution_names(const Values& values);

/// Origin of the corruptions: the table for test images and for training images under mix1 (the same one, so that equal
/// names are equal operators), or the published arrays; null without corruptions.
[[nodiscard]] Json distribution_document(const Values& values);
/// Notes on the distributions for images of this shape, a sentence each: one has no effect, for example.
[[nodiscard]] std::vector<std::string> distribution_notes(const Values& values, const data::Shape& shape);
/// Whether a corruption needs the photographs of the key `frost_dir`: frost, but not its official array.
[[nodiscard]] bool needs_textures(const Distribution& distribution);
/// Whether one of them does.
[[nodiscard]] bool wants_textures(const Values& values);
/// The photographs, if a corruption needs them and they exist. Throws Error naming a file that is not the expected one.
[[nodiscard]] std::shared_ptr<const corrupt::Textures> textures_of(const Values& values);

}  // namespace retrial::pruning::inline keys
