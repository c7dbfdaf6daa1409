#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_side = 1 << 16, most_channels = 1024, most_classes = 65535;

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
  return "(" + text + ")";
}

/// N x H x W x C with few planes first: the channels of other libraries come before the rows.
bool has_planes_first(const std::vector<std::uint64_t>& shape) {
  const auto few = [](std::uint64_t side) { return side == 1 || side == 3; };
  return shape.size() == 4 && few(shape[1]) && !few(shape[3]) && shape[2] > 4 && shape[3] > 4;
}

Shape shape_of(const fs::path& file, const NpyArray& images) {
  const auto& s = images.shape;
  if (images.descr != "|u1")
    refuse_content(file, "key descr = " + images.descr + ": images are bytes (|u1, numpy.uint8) of 0 to 255");
  if (s.size() < 2 || s.size() > 4)
    refuse_content(file, "key shape = " + shape_text(s) +
                             ", expected (n, height, width), (n, height, width, channels) "
                             "or (n, values)");
  if (has_planes_first(s))
    refuse_content(file, "key shape = " + shape_text(s) +
                             ": channels are the last side, as numpy.moveaxis(images, 1, "
                             "3) makes them");
  const std::uint64_t height = s.size() == 2 ? 1 : s[1], width = s.size() == 2 ? s[1] : s[2],
                      channels = s.size() == 4 ? s[3] : 1;
  if (s[0] < 1 || height < 1 || height > longest_side || width < 1 || width > longest_side || channels < 1 ||
      channels > most_channels)
    refuse_content(file, "key shape = " + shape_text(s) +
                             ", expected at least one image, sides of 1 to 65536 and 1 to " +
                             std::to_string(most_channels) + " channels");
  return {.channels = static_cast<int>(channels), .height = static_cast<int>(height), .width = static_cast<int>(width)};
}

std::vector<std::uint16_t> own_labels(const fs::path& file, const NpyArray& labels, std::uint64_t count) {
  if (labels.shape.size() != 1)
    refuse_content(file, "key shape = " + shape_text(labels.shape) + ", expected (n): one label for each image");
  if (!labels.whole_numbers()) refuse_content(file, "key descr = " + labels.descr + ": labels are whole numbers");
  if (labels.items() != count)
    refuse_content(file, std::to_string(labels.items()) + " labels, but " + std::to_string(count) + " images");
  std::vector<std::uint16_t> found;
  for (std::size_t row = 0; row < count; ++row) {
    const std::int64_t label = labels.integer(row);
    if (label < 0 || label >= static_cast<std::int64_t>(most_classes))
      refuse_content(file, "label " + std::to_string(label) + " in row " + std::to_string(row) +
                               ": labels are 0 to classes - 1, at most 65534");
    found.push_back(static_cast<std::uint16_t>(label));
  }
  return found;
}

/// One more than the largest label; every smaller one occurs.
int classes_of(const fs::path& file, const std::vector<std::uint16_t>& labels) {
  const std::size_t classes = 1U + *std::max_element(labels.begin(), labels.end());
  if (classes < 2) refuse_content(file, "one class: every label is 0");
  std::vector<bool> seen(classes, false);
  for (const std::uint16_t label : labels) seen[label] = true;
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end())
    refuse_content(file, "no image has label " + std::to_string(missing - seen.begin()) + ", but one has label " +
                             std::to_string(classes - 1) + ": labels are 0 to classes - 1");
  return static_cast<int>(classes);
}

/// Without a number of test rows a fifth, rounded down but at least one, drawn by one constant permutation: files are
/// often sorted by class.
Division division_of(std::uint32_t count, std::uint32_t test) {
  if (test == 0) return {.train = count - std::max(count / 5, 1U), .test = std::max(count / 5, 1U), .base = "npy-base"};
  if (test >= count)
    throw InvalidInput("npy_test", std::to_string(test),
                       "0 (a fifth), or less than the " + std::to_string(count) + " images");
  return {.train = count - test, .test = test};
}

}  // namespace

ImageSet load_npy(const fs::path& folder, const NpyNames& names, bool hash) {
  const fs::path images_file = folder / names.images, labels_file = folder / names.labels;
  for (const fs::path& file : {images_file, labels_file})
    if (!fs::exists(file))
      refuse_missing(file, "numpy.save makes it; the keys npy_images and npy_labels name files of the folder");
  const NpyArray images = read_npy(images_file, hash), labels = read_npy(labels_file, hash);
  const Shape shape = shape_of(images_file, images);
  const auto count = static_cast<std::uint32_t>(images.shape[0]);  // at most 2^30
  std::vector<std::uint16_t> classes_by_row = own_labels(labels_file, labels, count);
  const int classes = classes_of(labels_file, classes_by_row);
  return {.name = "npy",
          .count = count,
          .shape = shape,
          .shape_in_identity = true,
          .classes = classes,
          .pixels = by_planes(images.bytes, shape),
          .labels = std::move(classes_by_row),
          .class_names = {},
          .files = {images.file, labels.file},
          .published = division_of(count, names.test)};
}

}  // namespace retrial::data::inline formats
