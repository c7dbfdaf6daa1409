#include "workloads/data/formats/cifar10c.hpp"

#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t images = 10000, severities = 5;
constexpr Shape photograph{3, 32, 32};

fs::path file_of(const fs::path& folder, const corrupt::Corruption& corruption) {
  return folder / (corruption.official_file + ".npy");
}

std::string shape_text(const NpyArray& array) {
  std::vector<std::string> sides;
  for (const std::uint64_t side : array.shape) sides.push_back(std::to_string(side));
  return "descr = " + array.descr + ", shape = (" + results::joined(sides) + ")";
}

std::uint16_t label_at(const fs::path& file, const NpyArray& labels, std::size_t row) {
  const std::int64_t label = labels.integer(row);
  if (label < 0 || label > 9)
    refuse_content(file, "label " + std::to_string(label) + " in record " + std::to_string(row) + ": expected 0 to 9");
  return static_cast<std::uint16_t>(label);
}

std::vector<std::uint16_t> read_labels(const fs::path& file) {
  if (!fs::exists(file)) refuse_missing(file, "give the folder of CIFAR-10-C, with labels.npy and fog.npy");
  const NpyArray stored = read_npy(file);
  if (stored.shape != std::vector<std::uint64_t>{images * severities} || !stored.whole_numbers())
    refuse_content(file, shape_text(stored) + ": expected 50,000 whole numbers");
  std::vector<std::uint16_t> labels;
  for (std::size_t row = 0; row < images * severities; ++row) {
    const std::uint16_t label = label_at(file, stored, row);
    if (row < images)
      labels.push_back(label);
    else if (label != labels[row % images])
      refuse_content(file, "record " + std::to_string(row) + " has another label than record " +
                               std::to_string(row % images) + ": the labels must repeat five times");
  }
  return labels;
}

NpyHeader checked_header(const fs::path& file) {
  NpyHeader header = read_npy_header(file);
  const NpyArray& array = header.array;
  if (array.descr != "|u1" || array.shape != std::vector<std::uint64_t>{images * severities, 32, 32, 3})
    refuse_content(file, shape_text(array) + ": expected descr = |u1, shape = (50000, 32, 32, 3)");
  return header;
}

}  // namespace

Cifar10C::Cifar10C(fs::path folder, std::span<const std::uint16_t> test_labels) : folder_(std::move(folder)) {
  const fs::path file = folder_ / "labels.npy";
  labels_ = read_labels(file);
  if (!test_labels.empty() && !std::equal(labels_.begin(), labels_.end(), test_labels.begin(), test_labels.end()))
    refuse_content(file, "these are not the labels of the given CIFAR-10 test images",
                   "the arrays must hold the 10,000 images of test_batch.bin in the same order");
  for (const auto& corruption : corrupt::table())
    if (fs::exists(file_of(folder_, corruption))) available_.push_back(corruption.name);
  if (available_.empty()) refuse_missing(folder_ / "*.npy", "the folder has no corruption, such as fog.npy");
}

void Cifar10C::require_arrays() const {
  for (const std::string& name : available_) (void)checked_header(file_of(folder_, corrupt::find(name)));
}

ImageSet Cifar10C::load(const std::string& name, int severity) const {
  const corrupt::Corruption& corruption = corrupt::find(name);
  corrupt::require_severity(severity);
  const fs::path file = file_of(folder_, corruption);
  if (!fs::exists(file))
    refuse_missing(file, "this corruption is missing; the folder has " + results::joined(available_));
  const auto [array, items_at] = checked_header(file);
  std::vector<std::uint8_t> bytes(images * photograph.pixels());
  read_into(file, bytes, items_at + static_cast<std::uint64_t>(severity - 1) * bytes.size());
  return {.name = "CIFAR-10-C, " + name + " " + std::to_string(severity),
          .count = images,
          .shape = photograph,
          .classes = 10,
          .pixels = by_planes(bytes, photograph),
          .labels = labels_,
          .class_names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"},
          .files = {array.file},
          .published = {.train = 0, .test = images}};
}

}  // namespace retrial::data::inline formats
