// The format of the published arrays: names, sizes and order of the severities as documented by their authors. The
// files made here have holes where nothing was written, so that they take no room.
#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/formats/cifar10c.hpp"

namespace retrial::tests::cifar10c_tests {

using namespace retrial;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t image_bytes = 32 * 32 * 3;

std::string header(const std::string& shape) {
  return test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }", "");
}

std::string labels() {
  std::string text;
  for (int row = 0; row < 50000; ++row) text.push_back(static_cast<char>(row % 10000 % 7));
  return text;
}

/// Image `row` of the file is filled with `pixel`, its first pixel with red, green, blue.
void write_array(const fs::path& file, std::size_t row, char pixel, const std::string& first) {
  const std::string begin = header("(50000, 32, 32, 3)");
  std::ofstream(file, std::ios::binary) << begin;
  fs::resize_file(file, begin.size() + 50000 * image_bytes);
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(begin.size() + row * image_bytes));
  out << first << std::string(image_bytes - first.size(), pixel);
}

struct Arrays {
  test::Folder folder;
  Arrays() {
    test::write_bytes(folder.path() / "labels.npy", header("(50000,)") + labels());
    write_array(folder.path() / "fog.npy", 20003, 9, "\x01\x02\x03");
  }
};

template <typename F>
Error refused(F&& f) {
  try {
    f();
  } catch (const Error& wrong) {
    return wrong;
  }
  return Error({});
}

}  // namespace

TEST_CASE("the files as NumPy writes them add up to the size of the published archive") {
  const Arrays arrays;
  const auto in_tar = [](std::uintmax_t bytes) { return 512 + (bytes + 511) / 512 * 512; };  // a header, whole blocks
  const auto size = [&](const char* name) { return in_tar(fs::file_size(arrays.folder.path() / name)); };
  CHECK(19 * size("fog.npy") + size("labels.npy") + in_tar(0) + 1024 == 2918471680);  // a folder, and the end
}

TEST_CASE("a severity is ten thousand rows of the array, by planes") {
  const Arrays arrays;
  const data::Cifar10C official(arrays.folder.path());
  const data::ImageSet three = official.load("fog", 3);
  CHECK(three.name == "CIFAR-10-C, fog 3");
  CHECK(three.count == 10000);
  CHECK(three.labels[3] == 3);
  CHECK(three.labels[9] == 2);
  CHECK(three.image(3)[0] == 1);
  CHECK(three.image(3)[1024] == 2);
  CHECK(three.image(3)[2048] == 3);
  CHECK(three.image(3)[1] == 9);
  CHECK(three.image(2)[0] == 0);
  CHECK(official.load("fog", 2).image(3)[0] == 0);
}

TEST_CASE("a missing file leaves its corruption out") {
  Arrays arrays;
  write_array(arrays.folder.path() / "elastic_transform.npy", 0, 1, "");
  const data::Cifar10C official(arrays.folder.path());
  CHECK(official.available() == std::vector<std::string>{"fog", "elastic"});
  const Error missing = refused([&] { (void)official.load("snow", 1); });
  CHECK(missing.text.exit == Exit::incomparable);
  CHECK_THAT(missing.text.where, has_text("snow.npy"));
  CHECK(missing.text.help == "this corruption is missing; the folder has fog, elastic");
  CHECK_THROWS_AS(official.load("fog", 6), InvalidInput);
  CHECK_THROWS_AS(official.load("mist", 1), Error);
}

TEST_CASE("no labels, or no corruption at all, ends with what is missing") {
  const test::Folder empty;
  CHECK(refused([&] { data::Cifar10C x(empty.path()); }).text.exit == Exit::incomparable);
  test::write_bytes(empty.path() / "labels.npy", header("(50000,)") + labels());
  const Error none = refused([&] { data::Cifar10C x(empty.path()); });
  CHECK(none.text.exit == Exit::incomparable);
  CHECK_THAT(none.text.help, has_text("the folder has no corruption"));
}

TEST_CASE("labels that do not repeat, or are not those of the test images, are refused") {
  Arrays arrays;
  std::vector<std::uint16_t> test_labels;
  for (std::uint16_t row = 0; row < 10000; ++row) test_labels.push_back(row % 7);
  CHECK_NOTHROW(data::Cifar10C(arrays.folder.path(), test_labels));
  test_labels[5000] = 9;
  CHECK_THAT(refused([&] { data::Cifar10C x(arrays.folder.path(), test_labels); }).text.problem,
             has_text("not the labels of the given CIFAR-10 test images"));
  std::string wrong = labels();
  wrong[30001] = 5;
  test::write_bytes(arrays.folder.path() / "labels.npy", header("(50000,)") + wrong);
  CHECK_THAT(refused([&] { data::Cifar10C x(arrays.folder.path()); }).text.problem,
             has_text("record 30001 has another label than record 1"));
}

TEST_CASE("an array of another shape or type is refused with what was found") {
  Arrays arrays;
  test::write_bytes(arrays.folder.path() / "fog.npy", header("(2, 32, 32, 3)    ") + std::string(2 * image_bytes, 'a'));
  const data::Cifar10C official(arrays.folder.path());
  const Error wrong = refused([&] { (void)official.load("fog", 1); });
  CHECK(wrong.text.exit == Exit::usage);
  CHECK_THAT(wrong.text.problem, has_text("descr = |u1, shape = (2, 32, 32, 3): expected"));
  CHECK_THROWS_WITH(official.require_arrays(), has_text("fog.npy") && has_text("shape = (2, 32, 32, 3): expected"));
  test::write_bytes(arrays.folder.path() / "fog.npy", header("(50000, 32, 32, 3)") + "short");
  CHECK_THAT(refused([&] { (void)official.load("fog", 1); }).text.problem, has_text("declares 153600000 bytes"));
}

}  // namespace retrial::tests::cifar10c_tests
