#include "harness/run/program/import_watch.hpp"

#include <unistd.h>

#include <fstream>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::import_watch_tests {

using namespace retrial;
using harness::ImportWatch;
using Texts = std::vector<std::string>;

namespace {

/// Of a language whose x.mod is compiled to cache/x.bin; "old" in it stands for byte code of an older source.
workloads::ImportTrace trace_of(const test::Folder& folder) {
  const auto base = folder.path();
  return {.base = base, .folders = {base / "cache"}, .import_of = [base](const std::filesystem::path& opened) {
            std::string text;
            std::ifstream(opened) >> text;
            const auto name = opened.stem().string() + ".mod";
            return opened.extension() == ".bin"
                       ? std::optional(workloads::Import{.source = base / name, .edited = text == "old"})
                       : std::nullopt;
          }};
}

void import(const test::Folder& folder, const std::string& name) {
  std::string text;
  std::ifstream(folder.path() / "cache" / (name + ".bin")) >> text;
}

}  // namespace

TEST_CASE("what is imported is known by name and digest, and an edit of it is named; what is not imported is not") {
  const test::Folder folder;
  for (const char* name : {"a", "b", "c"}) {
    folder.write(std::string(name) + ".mod", "abc");
    folder.write(std::string("cache/") + name + ".bin", "new");
  }
  results::FileDigests digests;
  ImportWatch watch;
  const auto trace = watch.add(trace_of(folder));
  CHECK(watch.add(trace_of(folder)) == trace);
  import(folder, "a");
  import(folder, "b");
  watch.listen(digests);
  // FIPS 180-4, example of one block.
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  CHECK(watch.modules(trace) == Json{{"a.mod", abc}, {"b.mod", abc}});
  CHECK(watch.changes(trace, digests).empty());
  folder.write("c.mod", "edited");
  folder.write("a.mod", "edited");
  std::filesystem::remove(folder.path() / "b.mod");
  const auto changes = watch.changes(trace, digests);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].starts_with("a.mod changed (sha256 ba7816bf8f01 -> "));
  CHECK(changes[1] == "b.mod is gone (sha256 ba7816bf8f01)");
  CHECK(watch.complete());
}

TEST_CASE("a source that was written before its import was seen is changed, unless its byte code is only out of date") {
  const test::Folder folder;
  folder.write("stale.mod", "abc");
  folder.write("cache/stale.bin", "old");
  folder.write("cache/fresh.bin", "new");
  std::filesystem::last_write_time(folder.path() / "stale.mod", {});
  results::FileDigests digests;
  ::usleep(20'000);  // the clock of a file system is coarser than that of the system
  ImportWatch watch;
  const auto trace = watch.add(trace_of(folder));
  import(folder, "stale");
  watch.listen(digests);
  CHECK(watch.changes(trace, digests).empty());
  ::usleep(20'000);
  folder.write("late.mod", "abd");
  folder.write("cache/late.bin", "old");
  import(folder, "late");
  watch.listen(digests);
  CHECK(watch.changes(trace, digests) == Texts{"late.mod changed since it was imported"});
  // It was compiled again: the program imported the source as it is.
  folder.write("cache/late.bin", "new");
  CHECK(watch.changes(trace, digests).empty());
  CHECK(watch.modules(trace).contains("late.mod"));
}

TEST_CASE("modules of earlier trials are compared from the start") {
  const test::Folder folder;
  folder.write("a.mod", "abd");
  results::FileDigests digests;
  ImportWatch watch;
  const auto trace = watch.add(trace_of(folder));
  watch.expect(trace, "a.mod", results::sha256("abd"));
  CHECK(watch.changes(trace, digests).empty());
  watch.expect(trace, "a.mod", results::sha256("abc"));
  CHECK(watch.changes(trace, digests).size() == 1);
}

}  // namespace retrial::tests::import_watch_tests
