#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline sets {

/// Which files of a data set are read, and how.
struct Source {
  std::filesystem::path folder;  ///< the set's own folder or its parent; an embedded set ignores it
  bool hash = true;              ///< false (`verify = size`): sizes and contents are checked, digests are not taken
  std::string files = {};  ///< "": all of them; "t10k": the test images of MNIST alone, with a division of their own
  int downscale = 1;       ///< 1, 2 or 4: side of the blocks of pixels that are averaged
  bool operator==(const Source&) const = default;
};

/// One data set as `retrial data list` shows it.
struct DataSetInfo {
  std::string name, summary;
  std::string who, licence;  ///< who made it; what is known of its terms
  std::uint32_t count = 0;   ///< images
  Division published;
  Shape shape;
  int classes = 0;
  bool embedded = false;                    ///< compiled into the program: needs no folder
  std::optional<results::Digest> identity;  ///< nothing where a user's files decide
  std::string how_to_get;                   ///< one sentence
  /// Reads and checks the files. Throws Error naming the file: incomparable when it is missing, usage when its content
  /// is not what the format says. The last sets loaded are kept and given out again while their files are unchanged.
  std::function<std::shared_ptr<const ImageSet>(const Source&)> load;
};

/// In the order they are listed.
[[nodiscard]] const std::vector<DataSetInfo>& all_data_sets();
[[nodiscard]] const DataSetInfo* find_data_set(const std::string& name);
[[nodiscard]] std::vector<std::string> data_set_names();

}  // namespace retrial::data::inline sets
