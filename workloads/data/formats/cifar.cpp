#include "workloads/data/formats/cifar.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "workloads/data/files/files.hpp"
#include "workloads/data/files/official.hpp"
#include "workloads/data/files/unknown_folder.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;
constexpr Shape shape{3, 32, 32};

/// Records of `labels` label bytes, the last of which is the class, and the pixels.
struct Format {
  std::string set, inner;
  std::size_t labels;
  int classes, coarse_classes;
  std::string help;
  [[nodiscard]] std::size_t record() const { return labels + shape.pixels(); }
};

const Format& cifar10_format() {
  static const Format format{.set = "cifar10",
                             .inner = "cifar-10-batches-bin",
                             .labels = 1,
                             .classes = 10,
                             .coarse_classes = 0,
                             .help = "give the folder of the unpacked cifar-10-binary.tar.gz, or its parent"};
  return format;
}

const Format& cifar100_format() {
  static const Format format{.set = "cifar100",
                             .inner = "cifar-100-binary",
                             .labels = 2,
                             .classes = 100,
                             .coarse_classes = 20,
                             .help = "give the folder of the unpacked cifar-100-binary.tar.gz, or its parent"};
  return format;
}

struct Part {
  fs::path file;
  std::uint64_t bytes;
};

bool has_any(const fs::path& folder, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return fs::exists(folder / name); });
}

/// The folder itself, or the archive's folder in it.
fs::path folder_of(const fs::path& given, const Format& format, const std::vector<std::string>& names) {
  if (has_any(given, names)) return given;
  if (has_any(given / format.inner, names)) return given / format.inner;
  refuse_missing(given / names.front(),
                 holds_python_version(given)
                     ? "this is the Python version, but only the binary version can be read: " + format.help
                     : format.help);
}

Part part_of(const fs::path& file, const Format& format) {
  if (!fs::exists(file)) refuse_missing(file, format.help);
  const std::uint64_t bytes = file_bytes(file, largest_file);
  if (bytes == 0 || bytes % format.record() != 0)
    refuse_content(file, std::to_string(bytes) + " bytes is not a whole number of " + std::to_string(format.record()) +
                             "-byte records");
  return {file, bytes};
}

void check_label(const fs::path& file, const Format& format, std::uint64_t record, std::size_t place,
                 std::uint8_t label, int classes) {
  if (label < classes) return;
  refuse_content(file, "label " + std::to_string(label) + " in record " + std::to_string(record) + ", byte offset " +
                           std::to_string(record * format.record() + place) + ": expected 0 to " +
                           std::to_string(classes - 1));
}

/// Removes the labels from the records that begin at `row` and closes the gaps between the pixels.
void unpack(const Part& part, const Format& format, ImageSet& set, std::uint8_t* records) {
  std::uint8_t* pixels = records;
  for (std::uint64_t record = 0; record < part.bytes / format.record(); ++record) {
    const std::uint8_t* from = records + record * format.record();
    const std::uint8_t label = from[format.labels - 1];
    if (format.coarse_classes > 0) check_label(part.file, format, record, 0, from[0], format.coarse_classes);
    check_label(part.file, format, record, format.labels - 1, label, format.classes);
    if (format.coarse_classes > 0) set.coarse.push_back(from[0]);
    set.labels.push_back(label);
    std::memmove(pixels, from + format.labels, shape.pixels());
    pixels += shape.pixels();
  }
}

/// One read per file, directly into the final pixels: the label bytes are removed in place.
void read_parts(const std::vector<Part>& parts, const Format& format, bool hash, ImageSet& set) {
  std::uint64_t records = 0, largest = 0;
  for (const Part& part : parts) {
    records += part.bytes / format.record();
    largest = std::max(largest, part.bytes / format.record());
  }
  set.pixels.resize(records * shape.pixels() + largest * format.labels);
  set.labels.reserve(records);
  for (const Part& part : parts) {
    std::uint8_t* at = set.pixels.data() + set.labels.size() * shape.pixels();
    read_into(part.file, {at, part.bytes});
    set.files.push_back({part.file.filename().string(), part.bytes,
                         hash ? std::optional(results::sha256({at, part.bytes})) : std::nullopt});
    unpack(part, format, set, at);
  }
  set.pixels.resize(records * shape.pixels());
  set.count = static_cast<std::uint32_t>(records);
}

ImageSet load(const Format& format, const std::vector<Part>& train, const Part& test, bool hash,
              std::vector<std::string> class_names) {
  ImageSet set{.name = format.set,
               .shape = shape,
               .classes = format.classes,
               .pixels = {},
               .labels = {},
               .class_names = std::move(class_names),
               .files = {},
               .published = {}};
  std::vector<Part> parts = train;
  parts.push_back(test);
  read_parts(parts, format, hash, set);
  set.published.test = static_cast<std::uint32_t>(test.bytes / format.record());
  set.published.train = set.count - set.published.test;
  set.name = official_or_not(format.set, set.files);
  return set;
}

/// One name per line, as many as there are classes; nothing if the file does not exist.
std::vector<std::string> names_in(const fs::path& file, std::size_t classes) {
  if (!fs::exists(file)) return {};
  constexpr std::uint64_t largest_list = 1 << 16;
  std::vector<std::uint8_t> bytes(file_bytes(file, largest_list));
  read_into(file, bytes);
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) names.push_back(std::move(line));
  }
  if (names.size() != classes)
    refuse_content(file, std::to_string(names.size()) + " names, expected " + std::to_string(classes));
  return names;
}

}  // namespace

ImageSet load_cifar10(const fs::path& folder, bool hash) {
  const Format& format = cifar10_format();
  std::vector<std::string> names;
  for (int batch = 1; batch <= 5; ++batch) names.push_back("data_batch_" + std::to_string(batch) + ".bin");
  const fs::path found = folder_of(folder, format, names);
  std::vector<Part> train;
  for (const std::string& name : names)
    if (fs::exists(found / name)) train.push_back(part_of(found / name, format));
  return load(format, train, part_of(found / "test_batch.bin", format), hash,
              {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"});
}

ImageSet load_cifar100(const fs::path& folder, bool hash) {
  const Format& format = cifar100_format();
  const fs::path found = folder_of(folder, format, {"train.bin", "test.bin"});
  const Part train = part_of(found / "train.bin", format), test = part_of(found / "test.bin", format);
  ImageSet set = load(format, {train}, test, hash, names_in(found / "fine_label_names.txt", 100));
  set.coarse_names = names_in(found / "coarse_label_names.txt", 20);
  return set;
}

void check_cifar_file(const std::string& set, const fs::path& file) {
  const Format& format = set == "cifar10" ? cifar10_format() : cifar100_format();
  const Part part = part_of(file, format);
  std::vector<std::uint8_t> records(part.bytes);
  read_into(file, records);
  ImageSet labels;
  unpack(part, format, labels, records.data());
}

}  // namespace retrial::data::inline formats
