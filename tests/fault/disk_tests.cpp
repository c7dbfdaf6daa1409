// Full, limited, read-only and vanishing places: one clear line, the right code, and nothing that was finished is lost.
#include <set>
#include <sstream>

#include "results/json/json.hpp"
#include "results/store/store.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/fault/captured.hpp"
#include "tests/fault/shell.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::disk_tests {

using namespace retrial;
using namespace retrial::tests;
using results::Store;

namespace {

const std::string mounts = "unshare -rm";
const std::string study = "$retrial run null --pairs 200 --seed 6 --jsonl --db ";

bool can_mount() {
  static const bool can = allowed(mounts, "mkdir m && mount -t tmpfs -o size=1m none m");
  if (!can) WARN("left out: this machine refuses unshare -rm, so no small or read-only file system can be mounted");
  return can;
}

std::set<std::string> acknowledged_in(const std::string& text) {
  std::set<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{")) continue;
    const Json json = results::parse_json(line, "jsonl");
    if (json.contains("event")) out.insert(json.at("attempt").get<std::string>());
  }
  return out;
}

std::string digest_in(const std::string& text) {
  const auto at = text.rfind("\"outcome_digest\":\"");
  REQUIRE(at != std::string::npos);
  return text.substr(at + 18, 64);
}

void check_one_line(const Ran& ran, int code, const std::string& says) {
  INFO(ran.out << ran.err);
  CHECK(ran.code == code);
  const bool json = ran.err.starts_with("{");
  CHECK(lines_with(ran.err, json ? "{\"error\":" : "retrial: error: ") == 1);
  CHECK(lines_with(ran.err, "help: ") == (json ? 0 : 1));
  CHECK_THAT(ran.err, has_text(says));
}

/// The same study where nothing is in its way.
std::string undisturbed() {
  const Folder folder;
  static const std::string digest = digest_in(shell(folder, study + "s.db").out);
  return digest;
}

/// `script` runs the study into a full place, frees space, moves the spilled file next to the store and runs it again;
/// it prints "then" between the two.
void check_nothing_lost(const Folder& folder, const Ran& ran, const std::string& store) {
  INFO(ran.out.substr(0, 2000) << ran.err);
  const auto then = ran.out.find("then");
  REQUIRE(then != std::string::npos);
  CHECK(ran.out.substr(then, 6) == "then 5");
  CHECK(ran.code == 0);
  CHECK(lines_with(ran.err, "retrial: error: ") == 1);
  CHECK_THAT(ran.err, has_text("cannot be written to disk") && has_text("help: free disk space"));
  CHECK(digest_in(ran.out) == undisturbed());
  const auto before = acknowledged_in(ran.out.substr(0, then)), after = acknowledged_in(ran.out.substr(then));
  CHECK(!before.empty());
  std::set<std::string> stored;
  const Store found(folder / store, Store::Access::write);
  for (const auto& trial : found.trials()) stored.insert(results::hex(trial.attempt));
  CHECK(std::includes(stored.begin(), stored.end(), before.begin(), before.end()));
  CHECK(std::includes(stored.begin(), stored.end(), after.begin(), after.end()));
  CHECK(stored.size() == 400);  // what was spilled was taken in, not run again
  CHECK(found.verify(true).empty());
}

}  // namespace

// Sizes: room for the plan (400 bodies of more than a quarter of a page, so a page each) and some commits, not for all.
TEST_CASE("a full file system: the run ends with 5, and with free space it continues without a loss",
          "[needs-mounts]") {
  if (!can_mount()) return;
  const Folder folder;
  const auto ran =
      shell(folder,
            "mkdir full kept && mount -t tmpfs -o size=2600k none full\n" + study + "full/s.db; echo then $?\n" +
                "mount -o remount,size=64m full; mv tmp/*.jsonl full/ 2>/dev/null\n" + study +
                "full/s.db; code=$?; cp full/s.db* kept/; exit $code",
            mounts);
  check_nothing_lost(folder, ran, "kept/s.db");
}

TEST_CASE("a limit on the size of a file: the run ends with 5, and without the limit it continues without a loss") {
  const Folder folder;
  const auto ran = shell(
      folder, "(ulimit -f 1500; " + study + "s.db); echo then $?; mv tmp/*.jsonl . 2>/dev/null\n" + study + "s.db");
  check_nothing_lost(folder, ran, "s.db");
}

TEST_CASE("a read-only file system takes no store, and an exported one can be read there", "[needs-mounts]") {
  if (!can_mount()) return;
  const Folder folder;
  REQUIRE(shell(folder, "$retrial run null --pairs 3 --seed 1 --db s.db").code == 0);
  results::Raw(folder / "s.db").exec("VACUUM INTO '" + (folder / "exported.db") + "'");
  const std::string mount = "mkdir ro && mount -t tmpfs none ro && cp s.db exported.db ro/ && mount -o remount,ro ro\n";
  check_one_line(shell(folder, mount + "$retrial run null --pairs 3 --seed 1 --db ro/new.db", mounts), 2,
                 "cannot be written");
  check_one_line(shell(folder, "rm -rf ro; " + mount + "$retrial run null --pairs 3 --seed 1 --db ro/s.db", mounts), 2,
                 "cannot be written");
  check_one_line(shell(folder, "rm -rf ro; " + mount + "$retrial show ro/s.db", mounts), 2,
                 "cannot be read in a read-only folder");
  CHECK(shell(folder, "rm -rf ro; " + mount + "$retrial show ro/exported.db && $retrial verify ro/exported.db --full",
              mounts)
            .code == 0);
}

TEST_CASE("a look at a store that cannot be written is shown, said to be uncounted, and passes no requirement",
          "[needs-mounts]") {
  if (!can_mount()) return;
  const Folder folder;
  REQUIRE(shell(folder, "$retrial run null --pairs 40 --seed 1 --db s.db").code == 0);
  results::Raw(folder / "s.db").exec("VACUUM INTO '" + (folder / "exported.db") + "'");
  const std::string file = "mount --bind s.db s.db && mount -o remount,ro,bind s.db || exit 9\n$retrial ";
  const std::string place =
      "mkdir -p ro && mount -t tmpfs none ro && cp s.db exported.db ro/ && mount -o remount,ro ro && cd ro || exit 9\n"
      "$retrial ";
  for (const auto& [before, store] : {std::pair{file, " s.db"}, std::pair{place, " exported.db"}}) {
    INFO(before);
    const auto shown = shell(folder, before + "compare" + store, mounts);
    CHECK(shown.code == 0);
    CHECK_THAT(shown.out, has_text("shifted is BETTER than base") && has_text("look not recorded"));
    CHECK_THAT(shown.err, has_text("the look was not recorded:") && has_text("cannot be written"));
    const auto required = shell(folder, before + "compare" + store + " --require better", mounts);
    CHECK(required.code == 4);
    CHECK_THAT(required.err, has_text("so it could not be counted"));
    const auto report = shell(folder, before + "report" + store, mounts);
    CHECK(report.code == 0);
    CHECK_THAT(report.out, has_text("look not recorded"));
  }
  check_one_line(shell(folder, place + "compare s.db", mounts), 2, "cannot be read in a read-only folder");
  CHECK(shell(folder, "$retrial compare s.db --require better").code == 0);
}

TEST_CASE("a store whose folder vanishes during a run ends it with 5, and finished trials are kept") {
  const Folder folder;
  std::filesystem::create_directories(folder / "gone");
  std::filesystem::create_directories(folder / "tmp");
  const std::vector<std::string> line{"run",         "null", "--pairs", "20",   "--seed",    "6",      "--set",
                                      "epoch_ms=60", "-j",   "1",       "--db", "gone/s.db", "--jsonl"};
  Program program(folder, line, {{"TMPDIR", folder / "tmp"}});
  REQUIRE(program.until_stdout("\"event\":\"done\""));
  std::filesystem::remove_all(folder / "gone");
  const auto ran = program.wait();
  check_one_line(ran, 5, "was removed or replaced");
  std::vector<std::filesystem::path> kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "tmp"))
    if (entry.path().extension() == ".jsonl") kept.push_back(entry.path());
  REQUIRE(kept.size() == 1);
  CHECK_THAT(ran.err, has_text(kept.front().string()) && has_text("move that file next to the store"));
  std::filesystem::create_directory(folder / "gone");
  const bool moved = GENERATE(false, true);
  if (moved) std::filesystem::rename(kept.front(), std::filesystem::path(folder / "gone") / kept.front().filename());
  const auto again = run_retrial(folder, line, {{"TMPDIR", folder / "tmp"}});
  INFO("moved " << moved << again.err);
  CHECK(again.code == 0);
  CHECK_THAT(again.out, has_text("\"finished\":39,"));  // one of the 40 came from the spilled file
}

TEST_CASE("a full device under the output is one line and code 5; the store has everything") {
  const Folder folder;
  const auto ran = shell(folder, "$retrial run null --pairs 3 --seed 1 --db s.db --jsonl >/dev/full");
  check_one_line(ran, 5, "standard output: cannot be written");
  CHECK(Store(folder / "s.db", Store::Access::read).trials().size() == 6);
  for (const std::string line : {"show s.db", "show s.db --json", "compare s.db", "compare s.db --json", "verify s.db",
                                 "status s.db", "list", "list --json", "plan null --seed 1", "run --help", "--version"})
    check_one_line(shell(folder, "$retrial " + line + " >/dev/full"), 5, "standard output: cannot be written");
  CHECK(shell(folder, "$retrial nonsense 2>/dev/full").code == 2);
}

// Through a link, so that a program which puts a file in its place replaces the link and not the machine's device.
TEST_CASE("a device or a pipe named for the output is written to, never replaced by a file") {
  const Folder folder;
  REQUIRE(shell(folder, "printf 'a,b\\n1,2\\n3,5\\n' > s.csv && ln -s /dev/full full.md && mkfifo pipe").code == 0);
  REQUIRE(shell(folder, "$retrial run null --pairs 3 --seed 1 --db s.db").code == 0);
  for (const std::string line :
       {"import s.csv -o full.md --force", "import s.csv -o full.md", "report s.db -o full.md"})
    check_one_line(shell(folder, "$retrial " + line), 5, "cannot be written");
  CHECK(std::filesystem::is_symlink(folder / "full.md"));
  CHECK(shell(folder, "cat pipe > read & $retrial import s.csv -o pipe; wait; test -p pipe && test -s read").code == 0);
}

TEST_CASE("a log without its index, and a log that belongs to another file, are taken in, refused or reported") {
  const Folder folder;
  const auto file = std::filesystem::path(folder / "s.db");
  const std::string line = "$retrial run null --pairs 3 --db s.db --seed ";
  REQUIRE(shell(folder, line + "1").code == 0);
  std::filesystem::copy_file(file, folder / "old.db");
  {
    // A reader keeps the log from being folded into the file when the writer ends.
    results::Raw reader(file);
    reader.exec("BEGIN; SELECT count(*) FROM trial");
    REQUIRE(shell(folder, line + "2").code == 0);
    for (const char* suffix : {"", "-wal", "-shm"})
      std::filesystem::copy_file(file.string() + suffix, (folder / "live.db") + suffix);
  }
  REQUIRE(std::filesystem::file_size(folder / "live.db-wal") > 0);
  // The reader below folds the log into its file.
  std::filesystem::copy_file(folder / "live.db-wal", folder / "kept.log");
  std::filesystem::remove(folder / "live.db-shm");
  CHECK(Store(folder / "live.db", Store::Access::read).trials().size() == 12);

  SECTION("the backup of before, with the log of afterwards") {
    CHECK(std::filesystem::copy_file(folder / "old.db", folder / "mixed.db"));
  }
  SECTION("an exported file with someone else's log") {
    results::Raw(folder / "old.db").exec("VACUUM INTO '" + (folder / "mixed.db") + "'");
    CHECK(std::filesystem::exists(folder / "mixed.db"));
  }
  std::filesystem::copy_file(folder / "kept.log", folder / "mixed.db-wal");
  const auto ran = captured({"verify", folder / "mixed.db", "--full"});
  INFO(ran.out << ran.err);
  CHECK((ran.code == 0 || ran.code == 6));
}

}  // namespace retrial::tests::disk_tests
