// Arrays written by hand in the format of NumPy enhancement proposal 1; digests by sha256sum of the same bytes.
#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/formats/npy.hpp"
#include "workloads/data/sets/describe.hpp"

namespace retrial::tests::npy_images_tests {

using namespace retrial;
using test::npy, test::write_bytes;

namespace {

std::string header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
}

std::string counting(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>(i % 251));
  return text;
}

std::string labels_i8(const std::vector<std::int64_t>& labels) {
  std::string bytes;
  for (const std::int64_t label : labels)
    for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(label >> shift & 0xff));
  return npy(header("<i8", std::to_string(labels.size()) + ","), bytes);
}

struct Own {
  test::Folder folder;
  void images(const std::string& shape, std::size_t bytes, const std::string& descr = "|u1") const {
    write_bytes(folder.path() / "images.npy", npy(header(descr, shape), counting(bytes)));
  }
  void labels(const std::vector<std::int64_t>& given) const {
    write_bytes(folder.path() / "labels.npy", labels_i8(given));
  }
  [[nodiscard]] data::ImageSet load(const data::NpyNames& names = {}) const {
    return data::load_npy(folder.path(), names);
  }
  [[nodiscard]] std::string problem(const data::NpyNames& names = {}) const {
    try {
      (void)load(names);
    } catch (const Error& wrong) {
      CHECK(wrong.text.exit == Exit::usage);
      CHECK(std::string(wrong.what()).find('\n') == std::string::npos);
      return wrong.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("own images are read by planes, whatever their sides and channels, and classes are counted") {
  const Own own;
  own.labels({0, 2, 1, 2, 0});
  own.images("5, 2, 3", 30);
  const data::ImageSet gray = own.load();
  CHECK(gray.name == "npy");
  CHECK(gray.shape == data::Shape{1, 2, 3});
  CHECK(gray.classes == 3);
  CHECK(gray.labels == std::vector<std::uint16_t>{0, 2, 1, 2, 0});
  CHECK(gray.image(1)[0] == 6);
  own.images("5, 2, 3, 2", 60);
  const data::ImageSet two = own.load();
  CHECK(two.shape == data::Shape{2, 2, 3});
  // Item (row, y, x, c) is byte ((row 2 + y) 3 + x) 2 + c of the file.
  CHECK(std::vector<int>(two.image(0), two.image(0) + 12) == std::vector<int>{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
  own.images("5, 7", 35);
  CHECK(own.load().shape == data::Shape{1, 1, 7});
  REQUIRE(own.load().files.size() == 2);
  CHECK(own.load().files[0].sha256 == results::sha256_file(own.folder.path() / "images.npy"));
  CHECK(own.load().files[1].sha256 == results::sha256_file(own.folder.path() / "labels.npy"));
}

TEST_CASE("the identity of own images has their shape, and no name of a file") {
  const Own own;
  own.labels({0, 1});
  own.images("2, 2, 8", 32);
  const results::Digest wide = data::identity(own.load());
  // printf 'shape 1x2x8\n'; then image, label, image, label: sha256sum.
  CHECK(results::hex(wide).substr(0, 16) == "103c31695ee8aae9");
  own.images("2, 4, 4", 32);
  CHECK(data::identity(own.load()) != wide);
  own.images("2, 2, 8", 32);
  std::filesystem::rename(own.folder.path() / "images.npy", own.folder.path() / "x.npy");
  CHECK(data::identity(own.load({.images = "x.npy"})) == wide);
  own.labels({1, 0});
  CHECK(data::identity(own.load({.images = "x.npy"})) != wide);
}

TEST_CASE("a fifth of own rows is for tests, or the last ones") {
  const Own own;
  own.labels({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  own.images("11, 3", 33);
  CHECK(own.load().published.train == 9);
  CHECK(own.load().published.test == 2);
  CHECK_FALSE(own.load().published.base.empty());
  CHECK(own.load({.test = 4}).published.train == 7);
  CHECK(own.load({.test = 4}).published.base.empty());
  CHECK_THROWS_AS(own.load({.test = 11}), InvalidInput);
}

TEST_CASE("what is wrong with own files is said in one line") {
  const Own own;
  own.labels({0, 1});
  own.images("2, 3", 48, "<f8");
  CHECK_THAT(own.problem(), has_text("images.npy") && has_text("key descr = <f8: images are bytes (|u1, numpy.uint8)"));
  own.images("6,", 6);
  CHECK_THAT(own.problem(), has_text("key shape = (6), expected (n, height, width)"));
  own.images("2, 3, 8, 8", 384);
  CHECK_THAT(own.problem(), has_text("channels are the last side") && has_text("numpy.moveaxis(images, 1, 3)"));
  own.images("0, 3", 0);
  CHECK_THAT(own.problem(), has_text("at least one image"));
  own.images("2, 3", 6);
  CHECK(own.problem().empty());
  own.labels({0, 1, 1});
  CHECK_THAT(own.problem(), has_text("labels.npy") && has_text("3 labels, but 2 images"));
  own.labels({0, 2});
  CHECK_THAT(own.problem(), has_text("no image has label 1, but one has label 2"));
  own.labels({0, 0});
  CHECK_THAT(own.problem(), has_text("one class"));
  own.labels({0, -1});
  CHECK_THAT(own.problem(), has_text("label -1 in row 1"));
  own.labels({0, 70000});
  CHECK_THAT(own.problem(), has_text("label 70000 in row 1"));
  write_bytes(own.folder.path() / "labels.npy", npy(header("<f4", "2,"), std::string(8, '\0')));
  CHECK_THAT(own.problem(), has_text("key descr = <f4: labels are whole numbers"));
  write_bytes(own.folder.path() / "labels.npy", npy(header("|u1", "2, 1"), std::string("\0\1", 2)));
  CHECK_THAT(own.problem(), has_text("key shape = (2, 1), expected (n)"));
  write_bytes(own.folder.path() / "labels.npy", npy(header("|u1", "2,"), std::string("\0\1", 2)));
  CHECK(own.problem().empty());
  std::filesystem::remove(own.folder.path() / "images.npy");
  CHECK_THROWS_WITH(own.load(), has_text("images.npy"));
}

TEST_CASE("a folder with images.npy and labels.npy is recognized") {
  const Own own;
  own.labels({0, 1});
  own.images("2, 3", 6);
  CHECK(data::recognise(own.folder.path()).set == "npy");
}

}  // namespace retrial::tests::npy_images_tests
