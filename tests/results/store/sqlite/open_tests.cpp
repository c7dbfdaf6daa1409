#include "tests/catch.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "results/store/sqlite/schema.hpp"
#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::store_open_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

Error error_of(const std::filesystem::path& file, Store::Access access) {
  try {
    const Store store(file, access);
  } catch (const Error& error) {
    return error;
  }
  return Error({.exit = Exit::ok, .problem = "opened"});
}

}  // namespace

TEST_CASE("a file that is not a store is an integrity error, for reading and for writing") {
  const TemporaryFolder folder;
  const auto access = GENERATE(Store::Access::read, Store::Access::write);
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  CHECK(error_of(folder / "text.db", access).text.exit == Exit::integrity);
  Raw(folder / "other.db").exec("CREATE TABLE t(x)");
  const Error other = error_of(folder / "other.db", access);
  CHECK(other.text.exit == Exit::integrity);
  CHECK_THAT(other.what(), has_text("other.db") && has_text("not a retrial store"));
  CHECK(Raw(folder / "other.db").one("PRAGMA journal_mode") == "delete");  // and it was left alone
}

TEST_CASE("the error about a newer store names its schema and the supported one") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write); }
  Raw(folder / "s.db").exec("PRAGMA user_version=7");
  const Error error = error_of(folder / "s.db", Store::Access::read);
  CHECK(error.text.exit == Exit::incomparable);
  CHECK_THAT(error.what(), has_text("store has schema 7, this retrial reads up to 2"));
}

TEST_CASE("a store whose schema was altered is refused") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write); }
  Raw(folder / "s.db").exec("DROP VIEW v_failure");
  const Error error = error_of(folder / "s.db", Store::Access::read);
  CHECK(error.text.exit == Exit::integrity);
  CHECK_THAT(error.what(), has_text("v_failure"));
}

TEST_CASE("a missing file, a missing folder and a folder are the user's mistake") {
  const TemporaryFolder folder;
  CHECK_THAT(error_of(folder / "no.db", Store::Access::read).what(), has_text("does not exist"));
  CHECK(error_of(folder / "no.db", Store::Access::read).text.exit == Exit::usage);
  CHECK_FALSE(std::filesystem::exists(folder / "no.db"));
  CHECK_THAT(error_of(folder / "a/b.db", Store::Access::write).what(), has_text("does not exist"));
  CHECK_THAT(error_of(folder / "", Store::Access::write).what(), has_text("is a folder"));
}

TEST_CASE("an empty file becomes a store when opened for writing, and is not one for reading") {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.db").flush();
  CHECK(error_of(folder / "s.db", Store::Access::read).text.exit == Exit::integrity);
  CHECK(error_of(folder / "s.db", Store::Access::write).text.exit == Exit::ok);
  CHECK(error_of(folder / "s.db", Store::Access::read).text.exit == Exit::ok);
}

TEST_CASE("network file systems are recognized by their type, and local ones are not reported") {
  // linux/magic.h
  for (const long type :
       {0x6969L, 0x5346414FL, 0x01021997L, 0x65735546L, 0x517BL, 0xFF534D42L, 0xFE534D42L, 0x00C36400L})
    CHECK(network_file_system(type));
  CHECK(network_file_system(static_cast<long>(static_cast<int>(0xFF534D42))).value() == "SMB");  // sign-extended
  for (const long type : {0xEF53L, 0x01021994L, 0x9123683EL, 0x58465342L, 0x794C7630L})
    CHECK_FALSE(network_file_system(type));
}

TEST_CASE("the stored schema is the one of the specification and has nothing that runs by itself") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write); }
  Raw raw(folder / "s.db");
  CHECK(raw.one("PRAGMA application_id") == "1381256241");
  CHECK(raw.one("PRAGMA user_version") == "2");
  CHECK(raw.one("PRAGMA page_size") == "4096");
  CHECK(raw.one("PRAGMA encoding") == "UTF-8");
  CHECK(raw.one("PRAGMA journal_mode") == "wal");
  CHECK(raw.one("SELECT count(*) FROM sqlite_schema WHERE type='table' AND sql NOT LIKE '%STRICT%'") == "0");
  CHECK(
      raw.one("SELECT count(*) FROM sqlite_schema WHERE type='trigger' OR sql LIKE '%json%' OR sql LIKE '%VIRTUAL%'") ==
      "0");
  CHECK(raw.one("SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL") == std::to_string(schema_objects().size()));
  CHECK(raw.one("SELECT count(*) FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'") == "17");
}

TEST_CASE("the views for people show the planned, measured and failed trials") {
  const TemporaryFolder folder;
  {
    Store store(folder / "s.db", Store::Access::write);
    store.put_study("s", sample_study("s"), sample_plan(3), {});
    store.append(sample_record(0));
    TrialRecord failed = sample_record(1);
    failed.status = Status::failed;
    failed.metrics.clear();
    store.append(failed);
  }
  Raw raw(folder / "s.db");
  using Rows = std::vector<std::vector<std::string>>;
  CHECK(raw.rows("SELECT study, variant, pair_index, status, identity FROM v_trial ORDER BY trial_id") ==
        Rows{{"s", "scratch", "0", "ok", hex(identity_of(0))}, {"s", "kd", "0", "failed", hex(identity_of(1))}});
  CHECK(raw.rows("SELECT metric, value FROM v_summary ORDER BY metric") ==
        Rows{{"accuracy", "92.0"}, {"wall_s", "1.25"}});
  CHECK(raw.one("SELECT count(*) FROM v_metric") == "5");
  CHECK(raw.rows("SELECT variant, status, message FROM v_failure") == Rows{{"kd", "failed", "fine"}});
  CHECK(raw.rows("SELECT ordinal, attempts, finished FROM v_plan_status ORDER BY ordinal") ==
        Rows{{"0", "1", "1"}, {"1", "1", "0"}, {"2", "0", "0"}});
}

TEST_CASE("a store in a read-only folder gets an error with advice, and an exported one opens there") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "ro");
  { Store(folder / "ro/wal.db", Store::Access::write).append(sample_record(0)); }
  Raw(folder / "ro/wal.db").exec("VACUUM INTO '" + (folder / "ro/exported.db").string() + "'");
  std::filesystem::remove(folder / "ro/wal.db-shm");
  std::filesystem::remove(folder / "ro/wal.db-wal");
  for (const char* name : {"", "ro"}) ::chmod((folder / name).c_str(), 0555);
  const pid_t child = ::fork();
  if (child == 0) {  // root may write everywhere, so another user tries
    if (::getuid() == 0 && ::setuid(65534) != 0) ::_exit(9);
    const Error error = error_of(folder / "ro/wal.db", Store::Access::read);
    const bool told = error.text.exit == Exit::usage &&
                      error.text.problem.find("cannot be read in a read-only folder") != std::string::npos;
    const bool exported = error_of(folder / "ro/exported.db", Store::Access::read).text.exit == Exit::ok;
    const bool shut = error_of(folder / "ro/new.db", Store::Access::write).text.exit == Exit::usage;
    ::_exit((told ? 0 : 1) | (exported ? 0 : 2) | (shut ? 0 : 4));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  for (const char* name : {"", "ro"}) ::chmod((folder / name).c_str(), 0755);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("two processes that create one store at once both get it") {
  const TemporaryFolder folder;
  for (std::uint32_t round = 0; round < 10; ++round) {
    const auto file = folder / ("race" + std::to_string(round) + ".db");
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        Store(file, Store::Access::write).append(sample_record(1));
      } catch (const std::exception&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    { Store(file, Store::Access::write).append(sample_record(2)); }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
    const Store store(file, Store::Access::read);
    REQUIRE(store.info().trials == 2);
    REQUIRE(store.verify(true).empty());
  }
}

}  // namespace retrial::tests::store_open_tests
