#include "workloads/data/files/official.hpp"

#include <algorithm>

namespace retrial::data::inline files {

// Digests of the files as their authors distribute them. Three sizes of Fashion-MNIST are not confirmed and left out.
const std::vector<OfficialFile>& official_files() {
  using enum Layout;
  static const std::vector<OfficialFile> table{
      {"cifar10", "data_batch_1.bin", 30730000, "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5",
       cifar10, "train 1", true},
      {"cifar10", "data_batch_2.bin", 30730000, "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed",
       cifar10, "train 2", false},
      {"cifar10", "data_batch_3.bin", 30730000, "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67",
       cifar10, "train 3", false},
      {"cifar10", "data_batch_4.bin", 30730000, "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48",
       cifar10, "train 4", false},
      {"cifar10", "data_batch_5.bin", 30730000, "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add",
       cifar10, "train 5", false},
      {"cifar10", "test_batch.bin", 30730000, "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b",
       cifar10, "test", true},
      {"cifar100", "train.bin", 153700000, "f31298fc616915fa142368359df1c4ca2ae984d6915ca468b998a5ec6aeebf29", cifar100,
       "train", true},
      {"cifar100", "test.bin", 30740000, "d8b1e6b7b3bee4020055f0699b111f60b1af1e262aeb93a0b659061746f8224a", cifar100,
       "test", true},
      {"mnist", "train-images-idx3-ubyte", 9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
       idx_images, "train", false, "f68b3c2dcbeaaa9fbdd348bbdeb94873"},
      {"mnist", "train-labels-idx1-ubyte", 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
       idx_labels, "train", false, "d53e105ee54ea40749a09fcbcd1e9432"},
      {"mnist", "t10k-images-idx3-ubyte", 1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
       idx_images, "test", true, "9fb629c4189551a2d022fa330f9573f3"},
      {"mnist", "t10k-labels-idx1-ubyte", 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
       idx_labels, "test", true, "ec29112dd5afa0611ce80d1b7f02629c"},
      {"fashion", "train-images-idx3-ubyte", 26421880,
       "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84", idx_images, "train", false,
       "8d4fb7e6c68d591d4c3dfef9ec88bf0d"},
      {"fashion", "train-labels-idx1-ubyte", std::nullopt,
       "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845", idx_labels, "train", false,
       "25c81989df183df01b3e8a0aad5dffbe"},
      {"fashion", "t10k-images-idx3-ubyte", std::nullopt,
       "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073", idx_images, "test", true,
       "bef4ecab320f06d8554ea6380940ec79"},
      {"fashion", "t10k-labels-idx1-ubyte", std::nullopt,
       "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5", idx_labels, "test", true,
       "bb300cfdad3c16e7a12a480ee83cd310"},
  };
  return table;
}

const OfficialFile* published_as(const FileDigest& file) {
  if (!file.sha256) return nullptr;
  const std::string digest = results::hex(*file.sha256);
  for (const OfficialFile& known : official_files())
    if (known.sha256 == digest) return &known;
  return nullptr;
}

std::string official_or_not(const std::string& set, const std::vector<FileDigest>& files) {
  const auto own = [&](const FileDigest& file) {
    const OfficialFile* known = published_as(file);
    return known != nullptr && known->set == set && file.name.starts_with(known->name);
  };
  return std::all_of(files.begin(), files.end(), own) ? set : set + "-unofficial";
}

}  // namespace retrial::data::inline files
