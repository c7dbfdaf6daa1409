#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t side = 32, channels = 3;

void check_images(const fs::path& file, const NpyArray& images) {
  const bool fits = images.descr == "|u1" && images.shape.size() == 4 && images.shape[0] > 0 &&
                    images.shape[1] == side && images.shape[2] == side && images.shape[3] == channels;
  std::string shape;
  for (const auto side_length : images.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(side_length);
  if (!fits)
    refuse_content(file, "key descr = " + images.descr + " and shape = (" + shape +
                             "), expected |u1 and (n, 32, 32, 3), n at least 1");
}

std::vector<std::uint16_t> labels_of(const fs::path& file, const NpyArray& labels, std::uint64_t count) {
  if (labels.shape.size() != 1 || labels.shape[0] != count)
    refuse_content(file, std::to_string(labels.items()) + " labels, expected " + std::to_string(count) +
                             " in one dimension, one for each image");
  if (!labels.whole_numbers()) refuse_content(file, "key descr = " + labels.descr + ": labels are whole numbers");
  std::vector<std::uint16_t> found;
  for (std::size_t row = 0; row < count; ++row) {
    const std::int64_t label = labels.integer(row);
    if (label < 0 || label > 9)
      refuse_content(file,
                     "label " + std::to_string(label) + " in record " + std::to_string(row) + ": expected 0 to 9");
    found.push_back(static_cast<std::uint16_t>(label));
  }
  return found;
}

}  // namespace

ImageSet load_cifar10_1(const fs::path& folder, bool hash) {
  const fs::path images_file = folder / "cifar10.1_v6_data.npy", labels_file = folder / "cifar10.1_v6_labels.npy";
  for (const fs::path& file : {images_file, labels_file})
    if (!fs::exists(file)) refuse_missing(file, "give the folder with the two files of CIFAR-10.1 version 6");
  const NpyArray images = read_npy(images_file, hash), labels = read_npy(labels_file, hash);
  check_images(images_file, images);
  const auto count = static_cast<std::uint32_t>(images.shape[0]);  // at most 2^30 / 3072
  return {.name = "cifar10.1",
          .count = count,
          .shape = {3, 32, 32},
          .classes = 10,
          .pixels = by_planes(images.bytes, {3, 32, 32}),
          .labels = labels_of(labels_file, labels, count),
          .class_names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"},
          .files = {images.file, labels.file},
          .published = {.train = 0, .test = count}};
}

}  // namespace retrial::data::inline formats
