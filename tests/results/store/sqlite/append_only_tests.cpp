#include "tests/catch.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "results/store/sqlite/connection.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::append_only_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

// SQL that changes or removes rows, with its target.
std::vector<std::string> changing_targets(const std::string& source) {
  static const std::regex pattern(
      R"((DO UPDATE|UPDATE\s+\w+\s+SET|DELETE\s+FROM\s+\w+|REPLACE\s+INTO\s+\w+|OR\s+REPLACE|DROP\s+\w+|ALTER\s+\w+))");
  std::vector<std::string> out;
  for (std::sregex_iterator at(source.begin(), source.end(), pattern), end; at != end; ++at) out.push_back(at->str());
  return out;
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> sources(const char* extension) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RETRIAL_SOURCE_DIR "/results"))
    if (entry.path().extension() == extension) out.push_back(entry.path());
  REQUIRE(out.size() > 10);
  return out;
}

}  // namespace

TEST_CASE("no SQL of the store changes or removes a row, but for leases and tallies") {
  std::vector<std::string> leases, tallies;
  for (const auto& file : sources(".cpp")) {
    INFO(file.string());
    if (file.filename() == "lease.cpp")
      leases = changing_targets(text_of_file(file));
    else if (file.filename() == "tally.cpp")
      tallies = changing_targets(text_of_file(file));
    else
      CHECK(changing_targets(text_of_file(file)).empty());
  }
  CHECK(leases == std::vector<std::string>{"DO UPDATE", "DELETE FROM lease"});
  CHECK(tallies == std::vector<std::string>{"DO UPDATE"});
  // Negative control: the search finds such SQL.
  CHECK(changing_targets("UPDATE trial SET status='ok'; DELETE FROM metric; INSERT OR REPLACE INTO x").size() == 3);
}

TEST_CASE("SQLite headers are included by source files of this folder only, never by a header") {
  for (const auto& file : sources(".hpp")) {
    INFO(file.string());
    CHECK(text_of_file(file).find("#include <SQLiteCpp") == std::string::npos);
    CHECK(text_of_file(file).find("#include <sqlite3") == std::string::npos);
  }
}

TEST_CASE("the connection itself rejects changes of stored rows and of the schema") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write).append(sample_record(0)); }
  const auto database = open_database(folder / "s.db", true);
  const auto sql =
      GENERATE(as<std::string>{}, "UPDATE trial SET wall_ns=1", "DELETE FROM metric", "DELETE FROM event",
               "DELETE FROM tally", "UPDATE document SET body='{}'", "DELETE FROM meta",
               "INSERT OR REPLACE INTO meta(key,value) VALUES('a','b') ON CONFLICT(key) DO UPDATE SET value='c'",
               "DROP TABLE trial", "CREATE TABLE x(y)", "CREATE TRIGGER t AFTER INSERT ON trial BEGIN SELECT 1; END",
               "ATTACH 'other.db' AS o", "ALTER TABLE trial ADD COLUMN z",
               "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=''");
  INFO(sql);
  CHECK_THROWS_AS(database->exec(sql), SQLite::Exception);
  CHECK_NOTHROW(database->exec("UPDATE lease SET expires_ns=1"));
  CHECK_NOTHROW(database->exec("DELETE FROM lease"));
  CHECK_NOTHROW(database->exec("UPDATE tally SET rows=1"));
}

TEST_CASE("every connection has the settings of the specification") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write); }
  const auto database = open_database(folder / "s.db", true);
  const auto value = [&](const std::string& pragma) { return database->execAndGet("PRAGMA " + pragma).getString(); };
  CHECK(value("foreign_keys") == "1");
  CHECK(value("journal_mode") == "wal");
  CHECK(value("synchronous") == "2");  // FULL
  CHECK(value("cell_size_check") == "1");
  CHECK(value("temp_store") == "2");  // MEMORY
  CHECK(value("wal_autocheckpoint") == "1000");
  CHECK(value("journal_size_limit") == "67108864");
  CHECK(value("trusted_schema") == "0");
  CHECK(value("busy_timeout") == "0");
  for (const int option : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_DQS_DML,
                           SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION}) {
    int now = -1;
    sqlite3_db_config(database->getHandle(), option, -1, &now);
    CHECK(now == (option == SQLITE_DBCONFIG_DEFENSIVE ? 1 : 0));
  }
}

}  // namespace retrial::tests::append_only_tests
