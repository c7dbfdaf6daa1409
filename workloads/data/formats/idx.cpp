#include "workloads/data/formats/idx.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/files/official.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_idx_file = std::uint64_t{256} << 20;  // the largest published one opens to 47 MB
constexpr std::uint8_t unsigned_byte = 0x08;
constexpr int classes = 10;

struct Idx {
  FileDigest file;
  std::vector<std::uint32_t> sides;
  std::vector<std::uint8_t> bytes;  ///< header and payload
  [[nodiscard]] std::size_t header() const { return 4 + 4 * sides.size(); }
};

std::string hex_byte(std::uint8_t byte) {
  return "0x" + results::hex(std::span<const std::uint8_t>(&byte, 1));
}

std::uint32_t word(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return static_cast<std::uint32_t>(bytes[at]) << 24 | static_cast<std::uint32_t>(bytes[at + 1]) << 16 |
         static_cast<std::uint32_t>(bytes[at + 2]) << 8 | bytes[at + 3];
}

void check_magic(const fs::path& file, const std::vector<std::uint8_t>& bytes, std::size_t rank) {
  const std::size_t header = 4 + 4 * rank;
  if (bytes.size() < header)
    refuse_content(file, std::to_string(bytes.size()) + " bytes, expected a header of " + std::to_string(header));
  if (bytes[0] != 0 || bytes[1] != 0)
    refuse_content(file, "begins with " + hex_byte(bytes[0]) + " " + hex_byte(bytes[1]) + ", expected 0x00 0x00");
  if (bytes[2] != unsigned_byte)
    refuse_content(file, "IDX type " + hex_byte(bytes[2]) + " not supported, expected 0x08");
  if (bytes[3] != rank)
    refuse_content(file,
                   "IDX rank " + std::to_string(bytes[3]) + " at byte offset 3, expected " + std::to_string(rank));
}

void check_length(const fs::path& file, const Idx& idx) {
  constexpr std::uint64_t max = 4 * largest_idx_file;  // enough to be wrong; the product of three sides may overflow
  std::uint64_t expected = 1;
  for (const std::uint32_t side : idx.sides) expected = std::min(expected * side, max);  // < 2^62
  const std::uint64_t found = idx.bytes.size() - idx.header();
  if (found != expected)
    refuse_content(file, "its header declares " + std::string(expected == max ? "at least " : "") +
                             std::to_string(expected) + " bytes after byte offset " + std::to_string(idx.header()) +
                             ", found " + std::to_string(found));
  if (expected == 0) refuse_content(file, "holds no record");
}

Idx read_idx(const fs::path& file, std::size_t rank, bool hash) {
  std::vector<std::uint8_t> stored(file_bytes(file, largest_idx_file));
  read_into(file, stored);
  Idx idx{.file = {file.filename().string(), stored.size(),
                   hash ? std::optional(results::sha256(std::span<const std::uint8_t>(stored))) : std::nullopt},
          .sides = {},
          .bytes = {}};
  idx.bytes = opened(std::move(stored), file, largest_idx_file);
  check_magic(file, idx.bytes, rank);
  for (std::size_t i = 0; i < rank; ++i) idx.sides.push_back(word(idx.bytes, 4 + 4 * i));
  check_length(file, idx);
  return idx;
}

std::vector<std::uint16_t> labels_of(const fs::path& file, const Idx& idx) {
  std::vector<std::uint16_t> labels(idx.bytes.begin() + static_cast<std::ptrdiff_t>(idx.header()), idx.bytes.end());
  const auto wrong = std::find_if(labels.begin(), labels.end(), [](std::uint16_t label) { return label >= classes; });
  if (wrong == labels.end()) return labels;
  const auto record = static_cast<std::size_t>(wrong - labels.begin());
  refuse_content(file, "label " + std::to_string(*wrong) + " in record " + std::to_string(record) + ", byte offset " +
                           std::to_string(record + idx.header()) + ": expected 0 to 9");
}

std::string size_text(const Shape& shape) {
  return std::to_string(shape.height) + " x " + std::to_string(shape.width);
}

constexpr int max_side = 4096;

Shape shape_of(const fs::path& file, const Idx& images) {
  if (std::max(images.sides[1], images.sides[2]) > max_side)
    refuse_content(file, "images of " + std::to_string(images.sides[1]) + " x " + std::to_string(images.sides[2]) +
                             ", expected at most 4096 x 4096");
  return {1, static_cast<int>(images.sides[1]), static_cast<int>(images.sides[2])};
}

void require_size_of_digits(const fs::path& file, const Shape& shape) {
  if (!(shape == Shape{1, 28, 28})) refuse_content(file, "images of " + size_text(shape) + ", expected 28 x 28");
}

/// The plain file or its .gz.
fs::path located(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz"})
    if (const fs::path candidate = folder / (name + ending); fs::exists(candidate)) return candidate;
  const bool test_alone = name.starts_with("train") && (fs::exists(folder / "t10k-images-idx3-ubyte") ||
                                                        fs::exists(folder / "t10k-images-idx3-ubyte.gz"));
  refuse_missing(folder / (name + ".gz"), "give the folder with the four files of the set, plain or gzip'd" +
                                              std::string(test_alone ? "; or set files = t10k to divide the test "
                                                                       "images, which exist"
                                                                     : ""));
}

ImageSet load_part(const fs::path& folder, const std::string& part, bool hash) {
  const fs::path images = located(folder, part + "-images-idx3-ubyte"),
                 labels = located(folder, part + "-labels-idx1-ubyte");
  ImageSet set = load_idx(images, labels, hash);
  require_size_of_digits(images, set.shape);
  return set;
}

/// The files of both sets have the same names.
void refuse_other_set(const std::string& set, const fs::path& folder, const std::vector<FileDigest>& files) {
  for (const FileDigest& file : files)
    if (const OfficialFile* known = published_as(file); known != nullptr && known->set != set)
      refuse_content(folder / file.name, "this is the file " + known->name + " of " + known->set + ", expected " + set,
                     "dataset = " + known->set);
}

void append(ImageSet& set, const ImageSet& more) {
  set.pixels.insert(set.pixels.end(), more.pixels.begin(), more.pixels.end());
  set.labels.insert(set.labels.end(), more.labels.begin(), more.labels.end());
  set.files.insert(set.files.end(), more.files.begin(), more.files.end());
  set.count += more.count;
  set.published.test = more.count;
}

std::vector<std::string> class_names_of(const std::string& set) {
  if (set == "mnist") return {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
}

}  // namespace

ImageSet load_idx(const fs::path& images_file, const fs::path& labels_file, bool hash) {
  Idx images = read_idx(images_file, 3, hash);
  const Idx labels = read_idx(labels_file, 1, hash);
  if (images.sides[0] != labels.sides[0])
    refuse_content(labels_file, std::to_string(labels.sides[0]) + " labels, expected " +
                                    std::to_string(images.sides[0]) + ", one for each image of " +
                                    images_file.filename().string());
  ImageSet set{.name = images_file.stem().string(),
               .count = images.sides[0],
               .shape = shape_of(images_file, images),
               .classes = classes,
               .pixels = {},
               .labels = labels_of(labels_file, labels),
               .class_names = {},
               .files = {images.file, labels.file},
               .published = {.train = images.sides[0]}};
  images.bytes.erase(images.bytes.begin(), images.bytes.begin() + static_cast<std::ptrdiff_t>(images.header()));
  set.pixels = std::move(images.bytes);
  return set;
}

ImageSet load_mnist(const std::string& name, const fs::path& folder, const std::string& files, bool hash) {
  if (!files.empty() && files != "t10k") throw InvalidInput("files", files, "t10k, or nothing for all files");
  const bool test_only = files == "t10k";
  ImageSet set = load_part(folder, test_only ? "t10k" : "train", hash);
  if (test_only) {
    const std::uint32_t train = set.count - set.count / 5;
    set.published = {.train = train, .test = set.count - train, .base = "mnist-base"};
  } else {
    append(set, load_part(folder, "t10k", hash));
  }
  refuse_other_set(name, folder, set.files);
  set.name = official_or_not(name, set.files);
  set.class_names = class_names_of(name);
  return set;
}

void check_idx_file(IdxKind kind, const fs::path& file) {
  const bool images = kind == IdxKind::images;
  const Idx idx = read_idx(file, images ? 3 : 1, false);
  if (images)
    require_size_of_digits(file, shape_of(file, idx));
  else
    (void)labels_of(file, idx);
}

}  // namespace retrial::data::inline formats
