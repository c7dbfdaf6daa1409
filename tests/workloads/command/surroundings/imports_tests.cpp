#include "workloads/command/surroundings/imports.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::imports_tests {

using namespace retrial;
using namespace retrial::workloads::command;

namespace {

/// The header of byte code (PEP 552): a magic number, flags, seconds and size of the source, least byte first.
std::string header(std::uint32_t flags, std::uint32_t seconds, std::uint32_t size) {
  std::string bytes = "\xa7\r\r\n";
  for (const auto word : {flags, seconds, size})
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  return bytes;
}

}  // namespace

TEST_CASE("byte code means its source, that of another Python, an editor's file or a lost source means nothing") {
  const test::Folder folder;
  folder.write("pkg/m.py", "x = 1\n");
  const auto source = folder.path() / "pkg/m.py";
  const timespec times[2] = {{1'700'000'000, 5}, {1'700'000'000, 5}};
  REQUIRE(::utimensat(AT_FDCWD, source.c_str(), times, 0) == 0);
  const auto cache = folder.path() / "pkg/__pycache__";
  const auto import_of = [&](const std::string& name, const std::string& bytes) {
    folder.write("pkg/__pycache__/" + name, bytes);
    return python_import(cache / name, "cpython-311");
  };
  const auto found = import_of("m.cpython-311.pyc", header(0, 1'700'000'000, 6));
  REQUIRE(found);
  CHECK(found->source == source);
  CHECK_FALSE(found->edited);
  CHECK(import_of("m.cpython-311.opt-1.pyc", header(0, 1'700'000'000, 6)).has_value());
  CHECK(import_of("m.cpython-311.pyc", header(0, 1'699'999'999, 6))->edited);
  CHECK(import_of("m.cpython-311.pyc", header(0, 1'700'000'000, 7))->edited);
  CHECK_FALSE(import_of("m.cpython-311.pyc", header(1, 1, 1))->edited);  // checked by a hash
  CHECK_FALSE(import_of("m.cpython-310.pyc", ""));
  CHECK_FALSE(import_of("m.cpython-311-pytest-7.pyc", ""));
  CHECK_FALSE(import_of("m.cpython-311.pyc.140231", ""));
  CHECK_FALSE(import_of("lost.cpython-311.pyc", ""));
  CHECK_FALSE(python_import(source, "cpython-311"));
}

TEST_CASE("folders of packages are found, hidden ones, virtual environments and installed packages are not") {
  const test::Folder folder;
  for (const char* file : {"a/b/m.py", ".git/x", "venv/pyvenv.cfg", "venv/lib/m.py", "site-packages/p/m.py",
                           "node_modules/n/m.py", "a/__pycache__/m.pyc"})
    folder.write(file, "");
  const auto& base = folder.path();
  const auto found = source_folders(base);
  CHECK(found.all);
  CHECK(found.folders == std::vector<std::filesystem::path>{base, base / "a", base / "a/b"});
  CHECK(found.entries == std::vector<std::size_t>{5, 2, 1});
  for (std::size_t i = 0; i < max_source_folders; ++i) folder.write("many/" + std::to_string(i) + "/x", "");
  CHECK_FALSE(source_folders(base).all);
}

}  // namespace retrial::tests::imports_tests
