#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline sets {

/// Selection of the files of a data set.
struct Source {
  std::filesystem::path folder;  ///< the set's own folder or its parent; an embedded set ignores it
  bool hash = true;              ///< false (`verify = size`): check sizes and contents, compute no digests
  std::string files = {};        ///< "": all of them; "t10k": only the test images of MNIST, with their own division
  int downscale = 1;             ///< 1, 2 or 4: side of the averaged blocks of pixels
  std::string images = {}, labels = {};  ///< files of the set npy in the folder; "": their usual names
  std::uint32_t test = 0;                ///< last rows of npy that are test rows; 0: a fifth, drawn once and for all
  bool operator==(const Source&) const = default;
};

/// One data set as `retrial data list` shows it.
struct DataSetInfo {
  std::string name, summary;
  std::string who, licence;  ///< its authors; the known terms
  std::uint32_t count = 0;   ///< images
  Division published;
  Shape shape;
  int classes = 0;
  bool embedded = false;                    ///< compiled into the program: needs no folder
  std::optional<results::Digest> identity;  ///< nothing if a user's files decide
  std::string how_to_get;                   ///< one sentence
  /// Whether count, division, shape and classes are those of the user's files: they are 0 here.
  [[nodiscard]] bool sized_by_files() const { return classes == 0; }
  /// Reads and checks the files. Throws Error naming the file: incomparable if it is missing, usage if its content does
  /// not have the format. The last loaded sets are kept and reused while their files are unchanged.
  std::function<std::shared_ptr<const ImageSet>(const Source&)> load;
};

/// In the order of the listing.
[[nodiscard]] const std::vector<DataSetInfo>& all_data_sets();
[[nodiscard]] const DataSetInfo* find_data_set(const std::string& name);
[[nodiscard]] std::vector<std::string> data_set_names();

}  // namespace retrial::data::inline sets
