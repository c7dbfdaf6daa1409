#include "workloads/data/registry.hpp"

#include <algorithm>

#include "workloads/data/digits.hpp"

namespace retrial::data {

const std::vector<DataSetInfo>& all_data_sets() {
  static const std::vector<DataSetInfo> table{
      {.name = "digits",
       .summary = "handwritten digits, grey, values 0 to 16",
       .who = "E. Alpaydin and C. Kaynak, UCI machine learning repository, 1998 (test part), as scikit-learn ships it",
       .licence = "said to be CC BY 4.0; not confirmed, so no copy is kept in the repository",
       .count = 1797,
       .published = {.train = 1000, .test = 797, .base = "digits-base"},
       .shape = {1, 8, 8},
       .classes = 10,
       .embedded = true,
       .identity = digits_identity(),
       .how_to_get = "compiled into the programs; scripts/setup takes digits.csv.gz from the scikit-learn wheel",
       .load = []() -> const ImageSet& { return digits(); }},
  };
  return table;
}

const DataSetInfo* find_data_set(const std::string& name) {
  const auto& table = all_data_sets();
  const auto found = std::find_if(table.begin(), table.end(), [&](const DataSetInfo& set) { return set.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> data_set_names() {
  std::vector<std::string> names;
  for (const DataSetInfo& set : all_data_sets()) names.push_back(set.name);
  return names;
}

}  // namespace retrial::data
