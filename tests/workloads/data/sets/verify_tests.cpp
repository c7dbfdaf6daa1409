// Digests: the published files of CIFAR-10, CIFAR-100, MNIST and Fashion-MNIST. The folder of real files is taken from
// RETRIAL_TEST_DATA; the others are made here.
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/files/official.hpp"
#include "workloads/data/sets/verify.hpp"

namespace retrial::tests::verify_tests {

using namespace retrial;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

const data::FileCheck& named(const std::vector<data::FileCheck>& checks, const std::string& name) {
  for (const data::FileCheck& check : checks)
    if (check.name == name) return check;
  throw std::logic_error("no check of " + name);
}

std::string record(char label) {
  return std::string(1, label) + std::string(3072, 'x');
}

std::string idx_labels(const std::string& labels, char promised) {
  return std::string("\0\0\x08\x01\0\0\0", 7) + promised + labels;
}

}  // namespace

TEST_CASE("usable files that are not the published ones are unofficial and exit 1") {
  const test::Folder folder;
  write(folder.path() / "data_batch_1.bin", record(3) + record(9));
  write(folder.path() / "test_batch.bin", record(0));
  const auto checks = data::verify(folder.path());
  CHECK(named(checks, "data_batch_1.bin").verdict == data::Verdict::unofficial);
  CHECK(named(checks, "data_batch_1.bin").bytes == 6146);
  CHECK(named(checks, "data_batch_2.bin").verdict == data::Verdict::missing);
  CHECK(data::exit_of(checks) == Exit::different);
}

TEST_CASE("any training batch of CIFAR-10 will do, as for its loader, and none will not") {
  const test::Folder folder;
  write(folder.path() / "data_batch_3.bin", record(3));
  write(folder.path() / "test_batch.bin", record(0));
  CHECK(data::exit_of(data::verify(folder.path())) == Exit::different);
  fs::remove(folder.path() / "data_batch_3.bin");
  CHECK(data::exit_of(data::verify(folder.path())) == Exit::incomparable);
  CHECK(named(data::verify(folder.path()), "data_batch_1.bin").required);
}

TEST_CASE("a missing required file exits 4, a corrupt one 6") {
  const test::Folder folder;
  write(folder.path() / "cifar-10-batches-bin" / "data_batch_1.bin", record(3));
  CHECK(data::exit_of(data::verify(folder.path())) == Exit::incomparable);
  write(folder.path() / "cifar-10-batches-bin" / "test_batch.bin", record(3) + "short");
  const auto checks = data::verify(folder.path());
  CHECK(named(checks, "test_batch.bin").verdict == data::Verdict::corrupt);
  CHECK_THAT(named(checks, "test_batch.bin").note, has_text("not a whole number of 3073-byte records"));
  CHECK(data::exit_of(checks) == Exit::integrity);
}

TEST_CASE("a label out of range makes a file corrupt and names its record") {
  const test::Folder folder;
  write(folder.path() / "data_batch_1.bin", record(3) + record(10));
  const auto checks = data::verify(folder.path());
  CHECK(named(checks, "data_batch_1.bin").verdict == data::Verdict::corrupt);
  CHECK_THAT(named(checks, "data_batch_1.bin").note, has_text("label 10 in record 1"));
}

TEST_CASE("an IDX file whose payload is not what its header promises is corrupt") {
  const test::Folder folder;
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01\x02", 3));
  CHECK_THAT(named(data::verify(folder.path()), "t10k-labels-idx1-ubyte").note,
             has_text("declares 3 bytes after byte offset 8, found 2"));
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01\x02\x09", 3));
  CHECK(named(data::verify(folder.path()), "t10k-labels-idx1-ubyte").verdict == data::Verdict::unofficial);
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01\x02\x0a", 3));
  CHECK(named(data::verify(folder.path()), "t10k-labels-idx1-ubyte").verdict == data::Verdict::corrupt);
}

TEST_CASE("what a loader refuses is corrupt: a coarse label out of range, images of another size") {
  const test::Folder folder;
  write(folder.path() / "train.bin", std::string(1, 20) + record(3));
  CHECK_THAT(named(data::verify(folder.path()), "train.bin").note, has_text("label 20 in record 0"));
  write(folder.path() / "t10k-images-idx3-ubyte", std::string("\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1x", 17));
  CHECK_THAT(named(data::verify(folder.path()), "t10k-images-idx3-ubyte").note, has_text("expected 28 x 28"));
}

TEST_CASE("labels without images are incomplete") {
  const test::Folder folder;
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01", 1));
  const auto checks = data::verify(folder.path());
  CHECK(named(checks, "t10k-images-idx3-ubyte").required);
  CHECK_FALSE(named(checks, "train-images-idx3-ubyte").required);
  CHECK(data::exit_of(checks) == Exit::incomparable);
}

TEST_CASE("labels of another number than the images are corrupt, as no loader takes the two together") {
  const test::Folder folder;
  const std::string images("\0\0\x08\x03\0\0\0\2\0\0\0\x1c\0\0\0\x1c", 16);
  write(folder.path() / "t10k-images-idx3-ubyte", images + std::string(2 * 28 * 28, 'x'));
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01\x02", 2));
  CHECK(data::exit_of(data::verify(folder.path())) == Exit::different);
  write(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01", 1));
  const auto checks = data::verify(folder.path());
  CHECK(data::exit_of(checks) == Exit::integrity);
  CHECK_THAT(named(checks, "t10k-labels-idx1-ubyte").note, has_text("1 labels, expected 2, one for each image"));
}

TEST_CASE("an archive that is cut short is corrupt") {
  const test::Folder folder;
  const fs::path file = folder.path() / "t10k-labels-idx1-ubyte.gz";
  const gzFile to = gzopen(file.c_str(), "wb");
  const std::string text = idx_labels(std::string(100, '\x01'), 100);
  gzwrite(to, text.data(), static_cast<unsigned>(text.size()));
  gzclose(to);
  CHECK(named(data::verify(folder.path()), "t10k-labels-idx1-ubyte.gz").verdict == data::Verdict::unofficial);
  fs::resize_file(file, fs::file_size(file) - 10);
  CHECK(named(data::verify(folder.path()), "t10k-labels-idx1-ubyte.gz").verdict == data::Verdict::corrupt);
}

TEST_CASE("a folder without any known file is refused with what was looked for") {
  const test::Folder folder;
  CHECK_THROWS_WITH(data::verify(folder.path()), has_text("holds no file of CIFAR-10"));
}

TEST_CASE("the Python version of CIFAR, and an archive that is still packed, are distinguished from an empty folder") {
  const auto help = [](const fs::path& folder) {
    try {
      static_cast<void>(data::verify(folder));
    } catch (const Error& error) {
      CHECK(error.text.exit == Exit::incomparable);
      return error.text.help;
    }
    return std::string("nothing was refused");
  };
  const test::Folder folder;
  CHECK_THAT(help(folder.path()), has_text("name the folder with data_batch_1.bin"));
  write(folder.path() / "data_batch_1", "pickle");
  CHECK_THAT(help(folder.path()), has_text("this is the Python version"));
  write(folder.path() / "cifar-100-binary.tar.gz", "packed");
  CHECK_THAT(help(folder.path()), has_text("unpack cifar-100-binary.tar.gz"));
}

TEST_CASE("a file that is not there is named with the system's message") {
  CHECK_THROWS_WITH(data::file_bytes("/nowhere/at-all.bin", 10),
                    has_text("/nowhere/at-all.bin") && has_text("No such file"));
}

TEST_CASE("every official digest is 64 hex digits and occurs once") {
  std::vector<std::string> seen;
  for (const data::OfficialFile& file : data::official_files()) {
    CHECK(file.sha256.size() == 64);
    CHECK(std::count(seen.begin(), seen.end(), file.sha256) == 0);
    seen.push_back(file.sha256);
  }
  CHECK(seen.size() == 16);
}

TEST_CASE("the MNIST test files of the folder of real data are official", "[needs-data]") {
  const auto mnist = test::real_data("mnist");
  if (!mnist) return;
  const auto checks = data::verify(*mnist);
  CHECK(checks.front().set == "mnist");
  CHECK(data::exit_of(checks) == Exit::ok);
}

}  // namespace retrial::tests::verify_tests
