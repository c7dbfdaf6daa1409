// Files of the data sets that are not built in, with drawn pixels: enough images for trials of a few steps.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "variance/random/rng.hpp"
#include "workloads/data/formats/records.hpp"
#include "workloads/data/sets/registry.hpp"

namespace retrial::test {

/// Classes in turn, and as many coarse classes as cifar100 has.
inline data::ImageSet drawn_images(const std::string& set, std::uint32_t count, std::uint64_t key) {
  const data::DataSetInfo& info = *data::find_data_set(set);
  data::ImageSet images{.name = set,
                        .count = count,
                        .shape = info.shape,
                        .classes = info.classes,
                        .pixels = {},
                        .labels = {},
                        .class_names = {},
                        .files = {},
                        .published = {}};
  variance::Stream stream(key, 0);
  for (std::size_t i = 0; i < count * info.shape.pixels(); ++i)
    images.pixels.push_back(static_cast<std::uint8_t>(variance::bounded(stream.next(), 256)));
  for (std::uint32_t i = 0; i < count; ++i) {
    images.labels.push_back(static_cast<std::uint16_t>(i % static_cast<std::uint32_t>(info.classes)));
    if (set == "cifar100") images.coarse.push_back(static_cast<std::uint16_t>(i % 20));
  }
  return images;
}

/// cifar10, cifar100, mnist and fashion; the last two have files of the same names, which are the same here.
inline void write_drawn_images(const std::filesystem::path& folder) {
  struct Part {
    std::string set;
    std::array<std::string, 2> files;  ///< in the order of records_of
    std::uint32_t count;
  };
  const std::array<Part, 6> parts{{{"cifar10", {"data_batch_1.bin"}, 20},
                                   {"cifar10", {"test_batch.bin"}, 10},
                                   {"cifar100", {"train.bin"}, 20},
                                   {"cifar100", {"test.bin"}, 10},
                                   {"mnist", {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"}, 20},
                                   {"mnist", {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}, 25}}};
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto records = data::records_of(parts[i].set, drawn_images(parts[i].set, parts[i].count, i));
    for (std::size_t file = 0; file < records.size(); ++file)
      std::ofstream(folder / parts[i].files[file], std::ios::binary) << records[file].bytes;
  }
}

}  // namespace retrial::test
