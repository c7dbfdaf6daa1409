// The format: NumPy enhancement proposal 1, version 1.0.
#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/data/formats/npy.hpp"
#include "workloads/data/sets/verify.hpp"

namespace retrial::tests::npy_tests {

using namespace retrial;
using test::npy, test::write_bytes;

namespace {

const std::string four_bytes = "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }";

std::string problem_of(const std::string& bytes) {
  const test::Folder folder;
  write_bytes(folder.path() / "a.npy", bytes);
  try {
    (void)data::read_npy(folder.path() / "a.npy");
  } catch (const Error& wrong) {
    CHECK(wrong.text.exit == Exit::usage);
    CHECK_THAT(wrong.what(), has_text("a.npy"));
    return wrong.what();
  }
  return "";
}

std::string little_endian(std::vector<std::int32_t> values) {
  std::string bytes;
  for (const std::int32_t value : values)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xff));
  return bytes;
}

}  // namespace

TEST_CASE("an NPY array has the shape and the items of its file") {
  const test::Folder folder;
  write_bytes(folder.path() / "a.npy",
              npy("{\"shape\": (2, 1), 'fortran_order': False, 'descr': '<i4'}", little_endian({7, -2})));
  const data::NpyArray array = data::read_npy(folder.path() / "a.npy");
  CHECK(array.descr == "<i4");
  CHECK(array.shape == std::vector<std::uint64_t>{2, 1});
  CHECK(array.items() == 2);
  CHECK(array.integer(0) == 7);
  CHECK(array.integer(1) == -2);
  CHECK(array.file.sha256 == results::sha256_file(folder.path() / "a.npy"));
  CHECK(problem_of(npy(four_bytes, "abcd")).empty());
  CHECK(problem_of(npy("{'descr': '|u1', 'fortran_order': False, 'shape': ()}", "a")).empty());
}

TEST_CASE("a header of labels of 2,000 images takes 80 bytes, as that of CIFAR-10.1 does") {
  // 8,080 = 80 + 4 * 2,000: the measured size of cifar10.1_v6_labels.npy.
  const std::string file = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2000,), }", std::string(8000, '\0'));
  CHECK(file.size() == 8080);
  CHECK(problem_of(file).empty());
}

TEST_CASE("a key of an NPY header with a value that is not read is named with it") {
  const auto header = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return npy("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }", "abcd");
  };
  CHECK_THAT(problem_of(header("'<f2'", "False", "(4,)")),
             has_text("key descr = <f2, expected |u1, <i4, <i8, <f4 or <f8"));
  CHECK_THAT(problem_of(header("'|u1'", "True", "(4,)")), has_text("key fortran_order = True, expected False"));
  CHECK_THAT(problem_of(header("'|u1'", "False", "(4)")), has_text("key shape: expected a comma"));
  CHECK_THAT(problem_of(header("'|u1'", "False", "(-4,)")), has_text("key shape: expected a whole number"));
  CHECK_THAT(problem_of(header("'|u1'", "False", "(5,)")), has_text("declares 5 bytes"));
  CHECK_THAT(problem_of(header("'|u1'", "False", "(3,)")), has_text("declares 3 bytes"));
  CHECK_THAT(problem_of(header("'|u1'", "False", "(4294967296, 4294967297)")), has_text("more than 2^64 bytes"));
  CHECK_THAT(problem_of(npy("{'descr': '|u1', 'descr': '|u1', 'shape': (4,)}", "abcd")),
             has_text("descr occurs twice"));
  CHECK_THAT(problem_of(npy("{'descr': '|u1', 'shape': (4,)}", "abcd")), has_text("key fortran_order is missing"));
  CHECK_THAT(problem_of(npy("{'descr': '|u1', 'order': 'C', 'shape': (4,)}", "abcd")),
             has_text("key order is unknown"));
}

TEST_CASE("an NPY file of another version, or cut anywhere, is refused") {
  const std::string good = npy(four_bytes, "abcd");
  std::string version = good;
  version[6] = 2;
  CHECK_THAT(problem_of(version), has_text("NPY version 2.0, expected 1.0"));
  for (std::size_t length = 0; length < good.size(); ++length) CHECK_FALSE(problem_of(good.substr(0, length)).empty());
  CHECK_FALSE(problem_of(good + "e").empty());
}

TEST_CASE("the files of CIFAR-10.1 are verified by reading them, as no digest of them is published") {
  const test::Folder folder;
  const auto labels = [&](const std::vector<std::int32_t>& values) {
    write_bytes(folder.path() / "cifar10.1_v6_labels.npy",
                npy("{'descr': '<i4', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }",
                    little_endian(values)));
  };
  write_bytes(folder.path() / "cifar10.1_v6_data.npy",
              npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 32, 32, 3), }", std::string(6144, 'x')));
  CHECK(data::exit_of(data::verify(folder.path())) == Exit::incomparable);  // labels are missing
  labels({3, 9});
  const auto usable = data::verify(folder.path());
  CHECK(data::exit_of(usable) == Exit::different);
  CHECK(usable.size() == 2);
  CHECK(usable[0].verdict == data::Verdict::unofficial);
  CHECK_THAT(usable[0].note, has_text("no digest is published"));
  labels({3, 10});
  const auto wrong = data::verify(folder.path());
  CHECK(data::exit_of(wrong) == Exit::integrity);
  CHECK(wrong[1].verdict == data::Verdict::corrupt);
  CHECK_THAT(wrong[1].note, has_text("label 10 in record 1"));
  CHECK(wrong[0].verdict == data::Verdict::unofficial);
}

TEST_CASE("CIFAR-10.1 is stored by rows, columns and channels and kept by planes") {
  const test::Folder folder;
  std::string pixels;
  for (int i = 0; i < 2 * 1024; ++i)
    pixels += {static_cast<char>(i % 100), static_cast<char>(100), static_cast<char>(i % 7)};
  write_bytes(folder.path() / "cifar10.1_v6_data.npy",
              npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 32, 32, 3), }", pixels));
  write_bytes(folder.path() / "cifar10.1_v6_labels.npy",
              npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", little_endian({3, 9})));
  const data::ImageSet set = data::load_cifar10_1(folder.path());
  CHECK(set.labels == std::vector<std::uint16_t>{3, 9});
  CHECK(set.published.train == 0);
  CHECK(set.published.test == 2);
  for (std::uint32_t i = 0; i < 1024; ++i) {
    CHECK(set.image(1)[i] == (1024 + i) % 100);
    CHECK(set.image(1)[1024 + i] == 100);
    CHECK(set.image(1)[2048 + i] == (1024 + i) % 7);
  }
  write_bytes(folder.path() / "cifar10.1_v6_labels.npy",
              npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", little_endian({3, -1})));
  CHECK_THROWS_WITH(data::load_cifar10_1(folder.path()), has_text("label -1 in record 1: expected 0 to 9"));
}

TEST_CASE("numbers of a float matrix come back to the bit") {
  const test::Folder folder;
  const auto first_of = [&](const std::string& descr, const std::string& bytes) {
    write_bytes(folder.path() / "a.npy",
                npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,), }", bytes));
    return data::read_npy(folder.path() / "a.npy").number(0);
  };
  CHECK(first_of("<f8", std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8)) == 0.1);
  CHECK(first_of("<f4", std::string("\xcd\xcc\xcc\x3d", 4)) == static_cast<double>(0.1F));
  CHECK(first_of("<i4", little_endian({-3})) == -3.0);
}

}  // namespace retrial::tests::npy_tests
