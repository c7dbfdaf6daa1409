#include "workloads/data/files/unknown_folder.hpp"

#include <string>

#include "results/text/error.hpp"

namespace retrial::data::inline files {
namespace {

namespace fs = std::filesystem;

std::string advice_for(const fs::path& folder) {
  for (const char* archive : {"cifar-10-binary.tar.gz", "cifar-100-binary.tar.gz"})
    if (fs::exists(folder / archive)) return std::string("unpack ") + archive + " there: tar xzf " + archive;
  if (holds_python_version(folder))
    return "this is the Python version of CIFAR, but only the binary version can be read: fetch cifar-10-binary.tar.gz "
           "or "
           "cifar-100-binary.tar.gz";
  return "name the folder with data_batch_1.bin, train.bin, cifar10.1_v6_data.npy or t10k-images-idx3-ubyte.gz";
}

}  // namespace

bool holds_python_version(const fs::path& folder) {
  for (const char* name : {"data_batch_1", "batches.meta", "cifar-10-batches-py", "cifar-100-python", "meta",
                           "cifar-10-python.tar.gz", "cifar-100-python.tar.gz"})
    if (fs::exists(folder / name)) return true;
  return false;
}

void refuse_unknown_folder(const fs::path& folder) {
  throw Error(
      ErrorText{.exit = Exit::incomparable,
                .code = "data.nothing_known",
                .where = folder.string(),
                .problem = "holds no file of CIFAR-10, CIFAR-100 (binary version), CIFAR-10.1, MNIST or Fashion-MNIST",
                .help = advice_for(folder)});
}

}  // namespace retrial::data::inline files
