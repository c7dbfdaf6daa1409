#include "harness/run/program/read_watch.hpp"

#include <fstream>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::read_watch_tests {

using namespace retrial;
using harness::ReadWatch;
using Names = std::vector<std::string>;

namespace {

/// FIPS 180-4, example of one block: "abc".
const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// Trials of variant `a` and `b` in one folder.
struct Watched {
  test::Folder folder;
  results::FileDigests digests;
  ReadWatch watch;
  std::size_t trials = 0;
  Watched() {
    for (const char* name : {"conf", "notes", "sub/data", "known"}) folder.write(name, "abc");
    for (const char* variant : {"a", "b"})
      watch.add(variant, folder.path(), {folder.path(), folder.path() / "sub"},
                [](const std::string& name) { return name == "known"; });
  }
  void read(const Names& names) const {
    for (const auto& name : names) {
      std::string text;
      std::ifstream(folder.path() / name) >> text;
    }
  }
  void trial(const std::string& variant, const Names& names, bool counts = true) {
    watch.begin(++trials, variant, digests);
    read(names);
    watch.end(trials, counts, digests);
  }
  Names changes(const std::string& variant) { return watch.changes(variant, digests); }
};

}  // namespace

TEST_CASE("what every trial of a variant reads belongs to its program, and an edit of it is named") {
  Watched of;
  of.trial("a", {"conf", "notes", "sub/data", "known"});
  of.folder.write("conf", "edited");
  CHECK(of.changes("a").empty());  // one trial is no evidence
  of.folder.write("conf", "abc");
  of.trial("b", {"notes"});
  of.trial("a", {"conf", "sub/data"});
  CHECK(of.watch.files("a") == Json{{"conf", abc}, {"sub/data", abc}});
  CHECK(of.watch.files("b") == Json{{"notes", abc}});
  of.folder.write("notes", "edited");
  CHECK(of.changes("a").empty());
  of.folder.write("sub/data", "edited");
  const auto changes = of.changes("a");
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].starts_with("sub/data changed (sha256 ba7816bf8f01 -> "));
  CHECK(of.changes("b").empty());
}

TEST_CASE("an edit between the first two trials is named once both have read the file") {
  Watched of;
  of.trial("a", {"conf"});
  of.folder.write("conf", "edited");
  of.trial("a", {"conf"});
  CHECK(of.changes("a").size() == 1);
}

TEST_CASE("files that two trials saw written are results, failed trials are no evidence, and late files do not count") {
  Watched of;
  of.trial("a", {"conf", "notes"});
  of.trial("a", {}, false);
  of.watch.begin(100, "a", of.digests);
  of.read({"conf", "notes", "sub/data"});
  of.folder.write("notes", "more");
  of.watch.end(100, true, of.digests);
  CHECK(of.changes("a").size() == 1);
  of.watch.begin(101, "a", of.digests);
  of.read({"conf", "notes"});
  of.folder.write("notes", "still more");
  of.watch.end(101, true, of.digests);
  CHECK(of.changes("a").empty());
  CHECK(of.watch.files("a") == Json{{"conf", abc}});
}

TEST_CASE("what earlier launches saw is compared: at once with two trials, after the next one with one") {
  for (const std::size_t trials : {1U, 2U}) {
    Watched of;
    harness::ReadFiles before{.files = {}, .trials = trials};
    before.files["conf"] = {{.digest = results::sha256("abd"), .trial = "a/0"}};
    of.watch.expect("a", before);
    CHECK(of.changes("a").size() == trials - 1);
    of.trial("a", {"conf", "notes"});
    CHECK(of.changes("a").size() == 1);
    CHECK(of.watch.files("a").size() == 1);
  }
}

TEST_CASE("a file that was written while the only trial ran is in doubt, and the trial of the next launch decides") {
  Watched of;
  of.trial("a", {"notes"});
  CHECK(of.watch.doubts("a", of.digests).empty());
  of.watch.begin(100, "b", of.digests);
  of.read({"conf"});
  of.watch.listen(of.digests);
  of.folder.write("conf", "edited");
  of.watch.end(100, true, of.digests);
  const auto doubts = of.watch.doubts("b", of.digests);
  REQUIRE(doubts.size() == 1);
  CHECK(doubts[0].starts_with("conf changed (sha256 ba7816bf8f01 -> "));
  CHECK(of.changes("b").empty());
  CHECK(of.watch.files("b") == Json{{"conf", abc}});
  CHECK(of.watch.written("b") == Json{"conf"});
  CHECK(of.watch.written("a").empty());
  for (const bool writes_again : {false, true}) {
    CAPTURE(writes_again);
    Watched next;
    harness::ReadFiles before{.files = {}, .trials = 1, .written = {"conf"}};
    before.files["conf"] = {{.digest = results::sha256("abc"), .trial = "b/0"}};
    next.folder.write("conf", "edited");
    next.watch.expect("b", before);
    next.watch.begin(1, "b", next.digests);
    next.read({"conf"});
    if (writes_again) next.folder.write("conf", "once more");
    next.watch.end(1, true, next.digests);
    CHECK(next.changes("b").size() == (writes_again ? 0 : 1));
  }
}

TEST_CASE("trials side by side share what was read, and what we read ourselves is nobody's") {
  Watched of;
  of.watch.begin(1, "a", of.digests);
  of.watch.begin(2, "b", of.digests);
  of.read({"conf"});
  of.watch.end(1, true, of.digests);
  of.trial("b", {});
  of.watch.end(2, true, of.digests);
  CHECK(of.watch.files("a") == Json{{"conf", abc}});
  CHECK(of.watch.files("b").empty());
}

}  // namespace retrial::tests::read_watch_tests
