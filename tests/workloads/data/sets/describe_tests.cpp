// MD5: the test suite of RFC 1321 (A.5). Sums of the digits: the specification's reference values of data.
#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/data/files/md5.hpp"
#include "workloads/data/files/official.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/sets/describe.hpp"
#include "workloads/data/sets/verify.hpp"

namespace retrial::tests::describe_tests {

using namespace retrial;
using test::cifar10_record, test::idx_images, test::idx_labels, test::write_bytes;

namespace {

std::string md5_of(const std::string& text) {
  return data::md5({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace

TEST_CASE("MD5 has the values of its standard") {
  CHECK(md5_of("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5_of("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(md5_of("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(md5_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "d174ab98d277d9f5a5611c2c9f419d9f");
  CHECK(md5_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("a folder is recognised by the names of its files, or of those in the archive's folder") {
  const test::Folder cifar, hundred, digits, npy;
  write_bytes(cifar.path() / "cifar-10-batches-bin" / "test_batch.bin", cifar10_record(0, 0));
  CHECK(data::recognise(cifar.path()).set == "cifar10");
  write_bytes(hundred.path() / "train.bin", "");
  CHECK(data::recognise(hundred.path()).set == "cifar100");
  write_bytes(npy.path() / "cifar10.1_v6_data.npy", "");
  CHECK(data::recognise(npy.path()).set == "cifar10.1");
  write_bytes(digits.path() / "t10k-labels-idx1-ubyte", "");
  CHECK(data::recognise(digits.path()).set == "mnist");
  CHECK(data::recognise(digits.path()).source.files == "t10k");
  write_bytes(digits.path() / "train-labels-idx1-ubyte", "");
  CHECK(data::recognise(digits.path()).source.files.empty());
}

TEST_CASE("a folder of nothing known says which files were looked for") {
  const test::Folder folder;
  write_bytes(folder.path() / "train.csv", "1,2");
  try {
    (void)data::recognise(folder.path());
    FAIL("recognised");
  } catch (const Error& wrong) {
    CHECK(wrong.text.exit == Exit::incomparable);
    CHECK_THAT(wrong.text.help, has_text("train.bin"));
  }
}

TEST_CASE("a description counts the rows of each class and sums the pixels exactly") {
  const data::Description found = data::describe(data::find_data_set("digits")->load({}));
  CHECK(found.class_counts == std::vector<std::uint32_t>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180});
  CHECK_THAT(found.pixels.mean[0], WithinULP(561718.0 / (64 * 1797) / 16, 2));
  CHECK(found.identity == data::digits_identity());
}

TEST_CASE("verification shows the MD5 where the authors publish one") {
  const test::Folder folder;
  write_bytes(folder.path() / "t10k-images-idx3-ubyte", idx_images({1}));
  write_bytes(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01"));
  write_bytes(folder.path() / "data_batch_1.bin", cifar10_record(1, 1));
  for (const data::FileCheck& check : data::verify(folder.path())) {
    if (check.verdict == data::Verdict::missing) continue;
    CHECK(check.md5.size() == (check.set == "cifar10" ? 0 : 32));
  }
}

TEST_CASE("published digests go with one set, and every file must have its own") {
  const auto digest = [](const std::string& name) {
    for (const data::OfficialFile& file : data::official_files())
      if (file.set == "cifar10" && file.name == name) return results::digest_from_hex(file.sha256, name);
    throw std::logic_error(name);
  };
  const data::FileDigest first{"data_batch_1.bin", 30730000, digest("data_batch_1.bin")},
      test{"test_batch.bin", 30730000, digest("test_batch.bin")};
  CHECK(data::official_or_not("cifar10", {first, test}) == "cifar10");
  data::FileDigest other = test;
  (*other.sha256)[5] ^= 1;
  CHECK(data::official_or_not("cifar10", {first, other}) == "cifar10-unofficial");
  other.sha256.reset();
  CHECK(data::official_or_not("cifar10", {first, other}) == "cifar10-unofficial");
  CHECK(data::official_or_not("cifar100", {first, test}) == "cifar100-unofficial");
  CHECK(data::official_or_not("cifar10", {{"data_batch_1.bin", 1, test.sha256}}) == "cifar10-unofficial");
}

TEST_CASE("the real MNIST test files have the published MD5", "[needs-data]") {
  const auto folder = test::real_data("mnist");
  if (!folder) return;
  for (const data::FileCheck& check : data::verify(*folder))
    if (check.verdict != data::Verdict::missing)
      CHECK(check.md5 == (check.name.starts_with("t10k-images") ? "9fb629c4189551a2d022fa330f9573f3"
                                                                : "ec29112dd5afa0611ce80d1b7f02629c"));
  CHECK(data::recognise(*folder).source.files == "t10k");
}

}  // namespace retrial::tests::describe_tests
