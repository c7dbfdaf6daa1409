#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/image_set.hpp"

namespace retrial::data {

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
  std::function<const ImageSet&()> load;
};

/// In the order they are listed.
[[nodiscard]] const std::vector<DataSetInfo>& all_data_sets();
[[nodiscard]] const DataSetInfo* find_data_set(const std::string& name);
[[nodiscard]] std::vector<std::string> data_set_names();

}  // namespace retrial::data
