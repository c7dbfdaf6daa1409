#include "workloads/data/sets/describe.hpp"

#include <algorithm>
#include <numeric>

#include "results/text/error.hpp"
#include "workloads/data/files/official.hpp"
#include "workloads/data/files/unknown_folder.hpp"

namespace retrial::data::inline sets {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& folder, const std::string& name) {
  return fs::exists(folder / name) || fs::exists(folder / (name + ".gz"));
}

bool has_any(const fs::path& folder, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_there(folder, name); });
}

bool has_batches(const fs::path& folder) {
  return has_any(folder, {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                          "data_batch_5.bin", "test_batch.bin"});
}

bool is_fashion(const fs::path& folder) {
  for (const char* part : {"t10k-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"}) {
    if (!fs::is_regular_file(folder / part)) continue;
    const FileDigest file{part, fs::file_size(folder / part), results::sha256_file(folder / part)};
    if (const OfficialFile* known = published_as(file)) return known->set == "fashion";
  }
  return false;
}

/// Counts of each label, for at least `classes` labels, or up to the largest label that occurs.
std::vector<std::uint32_t> counts_of(const std::vector<std::uint16_t>& labels, std::size_t classes) {
  std::vector<std::uint32_t> counts(classes, 0);
  for (const std::uint16_t label : labels) {
    counts.resize(std::max<std::size_t>(counts.size(), label + 1U));
    ++counts[label];
  }
  return counts;
}

}  // namespace

Recognised recognise(const fs::path& folder) {
  if (has_batches(folder) || has_batches(folder / "cifar-10-batches-bin")) return {"cifar10", {.folder = folder}};
  for (const fs::path& inner : {folder, folder / "cifar-100-binary"})
    if (has_any(inner, {"train.bin", "test.bin"})) return {"cifar100", {.folder = folder}};
  if (has_any(folder, {"cifar10.1_v6_data.npy", "cifar10.1_v6_labels.npy"})) return {"cifar10.1", {.folder = folder}};
  const bool train = has_any(folder, {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"});
  if (train || has_any(folder, {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}))
    return {is_fashion(folder) ? "fashion" : "mnist", {.folder = folder, .files = train ? "" : "t10k"}};
  if (fs::exists(folder / "images.npy") && fs::exists(folder / "labels.npy")) return {"npy", {.folder = folder}};
  refuse_unknown_folder(folder);
}

Description describe(std::shared_ptr<const ImageSet> set) {
  Description found{.set = set,
                    .class_counts = counts_of(set->labels, static_cast<std::size_t>(set->classes)),
                    .coarse_counts = counts_of(set->coarse, set->coarse_names.size()),
                    .pixels = {},
                    .identity = identity(*set)};
  std::vector<std::uint32_t> rows(set->count);
  std::iota(rows.begin(), rows.end(), 0U);
  found.pixels = computed_normalisation(*set, rows);
  return found;
}

}  // namespace retrial::data::inline sets
