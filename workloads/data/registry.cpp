#include "workloads/data/registry.hpp"

#include <algorithm>

#include "variance/error.hpp"
#include "workloads/data/cache.hpp"
#include "workloads/data/cifar.hpp"
#include "workloads/data/digits.hpp"

namespace retrial::data {
namespace {

using Loaded = std::shared_ptr<const ImageSet>;

void require_all_files(const Source& source) {
  if (!source.files.empty()) throw InvalidInput("files", source.files, "only MNIST and Fashion-MNIST have parts");
}

Loaded load_digits(const Source& source) {
  require_all_files(source);
  return {Loaded(), &digits()};  // lives as long as the program
}

Loaded load_cifar10_from(const Source& source) {
  require_all_files(source);
  return cached("cifar10", source, [&] { return load_cifar10(source.folder, source.hash); });
}

}  // namespace

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
       .load = load_digits},
      {.name = "cifar10",
       .summary =
           "small colour photographs; loaded under the name cifar10-unofficial when a file is not the published one",
       .who = "A. Krizhevsky, Learning multiple layers of features from tiny images, 2009",
       .licence = "none stated; the authors ask to be cited",
       .count = 60000,
       .published = {.train = 50000, .test = 10000},
       .shape = {3, 32, 32},
       .classes = 10,
       .identity = {},
       .how_to_get = "unpack cifar-10-binary.tar.gz from www.cs.toronto.edu/~kriz/cifar.html and give the folder "
                     "cifar-10-batches-bin; the program downloads nothing",
       .load = load_cifar10_from},
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
