// Property: whatever happens to a file, its loader either gives a set of a shape that fits the file's size or one Error
// that names the file. Mutations are drawn from the project's generator, so a failure comes again.
#include <algorithm>
#include <functional>

#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/cifar.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/formats/npy.hpp"
#include "workloads/data/formats/table.hpp"

namespace retrial::tests::mutation_tests {

using namespace retrial;
using test::cifar10_record, test::gzipped, test::idx_images, test::idx_labels, test::npy, test::write_bytes;

namespace {

struct Format {
  std::string name, file, bytes;
  std::vector<std::pair<std::string, std::string>> others;
  /// True when what was loaded hangs together.
  std::function<bool(const std::filesystem::path&)> load;
};

bool sound(const data::ImageSet& set) {
  const auto below = [](const std::vector<std::uint16_t>& labels, int classes) {
    return std::all_of(labels.begin(), labels.end(), [&](std::uint16_t label) { return label < classes; });
  };
  return set.count > 0 && set.labels.size() == set.count && set.pixels.size() == set.count * set.shape.pixels() &&
         below(set.labels, set.classes) && set.published.train + set.published.test == set.count;
}

bool sound(const data::Table& table) {
  return std::all_of(table.columns.begin(), table.columns.end(), [&](const data::TableColumn& column) {
    return table.rows == (column.numeric ? column.values.size() : column.codes.size());
  });
}

std::vector<Format> formats() {
  const auto mnist = [](const std::filesystem::path& folder) {
    return sound(data::load_mnist("mnist", folder, "t10k"));
  };
  const auto cifar10_1 = [](const std::filesystem::path& folder) { return sound(data::load_cifar10_1(folder)); };
  const std::string images = idx_images({1, 2, 3}), labels = idx_labels("\x01\x02\x03");
  const std::string photos = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 32, 32, 3), }",
                                 std::string(6144, 'p')),
                    classes = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\x01\x09");
  std::string hundred;
  for (int i = 0; i < 3; ++i) hundred += std::string(1, static_cast<char>(i)) + cifar10_record(7 * i, i);
  return {
      {"CIFAR-10",
       "test_batch.bin",
       cifar10_record(1, 5) + cifar10_record(2, 6),
       {{"data_batch_1.bin", cifar10_record(3, 7)}},
       [](const auto& folder) { return sound(data::load_cifar10(folder)); }},
      {"CIFAR-100",
       "train.bin",
       hundred,
       {{"test.bin", hundred}},
       [](const auto& folder) { return sound(data::load_cifar100(folder)); }},
      {"IDX images", "t10k-images-idx3-ubyte", images, {{"t10k-labels-idx1-ubyte", labels}}, mnist},
      {"IDX labels", "t10k-labels-idx1-ubyte", labels, {{"t10k-images-idx3-ubyte", images}}, mnist},
      {"gzip", "t10k-images-idx3-ubyte.gz", gzipped(images), {{"t10k-labels-idx1-ubyte", labels}}, mnist},
      {"NPY images", "cifar10.1_v6_data.npy", photos, {{"cifar10.1_v6_labels.npy", classes}}, cifar10_1},
      {"NPY labels", "cifar10.1_v6_labels.npy", classes, {{"cifar10.1_v6_data.npy", photos}}, cifar10_1},
      {"CSV",
       "t.csv",
       "age,\"job, old\",x\n31,clerk,.5\n?,\"a \"\"b\"\"\",1e3\n7,\xc3\xa4,-2\n",
       {},
       [](const auto& folder) {
         return sound(data::load_table(folder / "t.csv", {.header = data::TableHeader::names}));
       }},
      {"gzip'd CSV",
       "t.csv",
       gzipped("1,a\n2,b\n3,c\n"),
       {},
       [](const auto& folder) { return sound(data::load_table(folder / "t.csv")); }},
  };
}

/// Cut somewhere, up to four bytes changed (most of them near the front, where headers are), or a piece doubled.
std::string mutated(std::string bytes, variance::Stream& draws) {
  const std::uint64_t kind = variance::bounded(draws.next(), 4), size = bytes.size();
  if (kind == 0) return bytes.substr(0, variance::bounded(draws.next(), size));
  if (kind == 1) return bytes + bytes.substr(variance::bounded(draws.next(), size));
  for (std::uint64_t flips = 1 + variance::bounded(draws.next(), 4); flips > 0; --flips) {
    const std::uint64_t reach = kind == 2 ? std::min<std::uint64_t>(size, 100) : size;
    bytes[variance::bounded(draws.next(), reach)] = static_cast<char>(variance::bounded(draws.next(), 256));
  }
  return bytes;
}

}  // namespace

TEST_CASE("a file cut or changed anywhere gives a sound set or one error that names it") {
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    const test::Folder folder;
    for (const auto& [name, bytes] : format.others) write_bytes(folder.path() / name, bytes);
    write_bytes(folder.path() / format.file, format.bytes);
    REQUIRE(format.load(folder.path()));
    int refused = 0;
    for (std::uint64_t i = 0; i < 150; ++i) {
      CAPTURE(i);
      variance::Stream draws(variance::derive(std::uint64_t{1}, format.name), i);
      write_bytes(folder.path() / format.file, mutated(format.bytes, draws));
      try {
        const bool is_sound = format.load(folder.path());
        CHECK(is_sound);
      } catch (const Error& wrong) {
        ++refused;
        // A file that stays whole may disagree with its partner, which is then the one named.
        CHECK_THAT(wrong.what(), has_text(folder.path().string()));
        CHECK(wrong.text.exit == Exit::usage);
      }
    }
    CHECK(refused > 20);
  }
}

}  // namespace retrial::tests::mutation_tests
