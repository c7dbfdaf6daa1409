#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <stdexcept>
#include <string_view>

#include "results/store/sqlite/connection.hpp"
#include "results/store/sqlite/schema.hpp"
#include "results/text/file_system.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store::inline sqlite {
namespace {

namespace fs = std::filesystem;

constexpr int longest_value = 16 << 20;  // four times the longest document

struct Setting {
  int option, value;
};
constexpr Setting settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1}, {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},   {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0}};

bool is(const char* table, std::string_view name) {
  return table != nullptr && table == name;
}

int authorize(void*, int action, const char* first, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_UPDATE:
      return is(first, "lease") || is(first, "tally") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_DELETE:
      return is(first, "lease") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_INSERT:
    case SQLITE_READ:
    case SQLITE_SELECT:
    case SQLITE_FUNCTION:
    case SQLITE_PRAGMA:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
      return SQLITE_OK;
    default:
      return SQLITE_DENY;  // CREATE, DROP, ALTER, ATTACH, ...
  }
}

/// Settings that apply before the schema is read: extended error codes, defensive mode, no triggers, no extensions, no
/// untrusted schema, no double-quoted strings, and a limit on the length of a value in a damaged file.
void harden(SQLite::Database& database) {
  sqlite3* const handle = database.getHandle();
  sqlite3_extended_result_codes(handle, 1);
  for (const auto& [option, value] : settings) {
    int now = -1;
    database.check(sqlite3_db_config(handle, option, value, &now));
    if (now != value) throw std::logic_error("SQLite rejected setting " + std::to_string(option));
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

/// The settings of every connection: foreign keys; cell checks; if writable, the write-ahead log with a full sync per
/// commit; else no statement that writes.
void configure(SQLite::Database& database, bool writable) {
  database.exec("PRAGMA foreign_keys=ON");
  database.exec(writable ? "PRAGMA journal_mode=WAL" : "PRAGMA query_only=ON");
  database.exec("PRAGMA synchronous=FULL");
  database.exec("PRAGMA cell_size_check=ON");
  database.exec("PRAGMA temp_store=MEMORY");
  database.exec("PRAGMA cache_size=-32768");  // 32 MiB: verify goes through the file several times
  database.exec("PRAGMA wal_autocheckpoint=1000");
  database.exec("PRAGMA journal_size_limit=67108864");
}

/// From here on, statements that change the schema, or a row of any table but lease and tally, cannot be prepared.
void forbid_changes(SQLite::Database& database) {
  database.check(sqlite3_set_authorizer(database.getHandle(), authorize, nullptr));
}

int pragma(SQLite::Database& database, const char* sql) {
  return database.execAndGet(sql).getInt();
}

bool empty(SQLite::Database& database) {
  return pragma(database, "PRAGMA application_id") == 0 && pragma(database, "PRAGMA user_version") == 0 &&
         pragma(database, "SELECT count(*) FROM sqlite_schema") == 0;
}

void create_schema(SQLite::Database& database) {
  database.exec("PRAGMA page_size=4096");
  database.exec("PRAGMA encoding='UTF-8'");
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (!empty(database)) return;  // another process was faster; the transaction rolls back
  for (const SchemaObject& object : schema_objects()) database.exec(std::string(object.sql));
  database.exec("PRAGMA application_id=" + std::to_string(application_id));
  database.exec("PRAGMA user_version=" + std::to_string(schema_version));
  transaction.commit();
}

int checked_version(SQLite::Database& database, const fs::path& file) {
  if (pragma(database, "PRAGMA application_id") != application_id)
    throw damaged(file, "is not a retrial store but a database of another program");
  const int version = pragma(database, "PRAGMA user_version");
  if (version > schema_version)
    throw Error({.exit = Exit::incomparable,
                 .code = "store.newer_schema",
                 .where = file.string(),
                 .problem = "store has schema " + std::to_string(version) + ", this retrial reads up to " +
                            std::to_string(schema_version)});
  if (version < 1) throw damaged(file, "has no schema version");
  return version;
}

// Exactly this schema: an added index, view or trigger could change the result of a query. Only the tables that ANALYZE
// creates are allowed in addition.
void check_schema(SQLite::Database& database, const fs::path& file, int version) {
  std::set<std::string> found, known;
  SQLite::Statement rows(database,
                         "SELECT type || ' ' || name || ' ' || sql FROM sqlite_schema "
                         "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'");
  while (rows.executeStep()) found.insert(rows.getColumn(0).getString());
  const std::string schema = "schema " + std::to_string(version);
  for (const SchemaObject& object : schema_objects(version)) {
    const std::string text = std::string(object.type) + " " + std::string(object.name) + " " + std::string(object.sql);
    if (!found.contains(text))
      throw damaged(file,
                    "does not have the " + std::string(object.type) + " " + std::string(object.name) + " of " + schema);
    known.insert(text);
  }
  for (const std::string& text : found)
    if (!known.contains(text))
      throw damaged(file, "has an object that is not in " + schema + ": " + one_line(text, 120));
}

constexpr const char* elsewhere = "choose a store in a writable folder with --db FILE";

Error unusable(const fs::path& file, const std::string& code, const std::string& problem,
               const std::string& help = "") {
  return Error({.code = code, .where = file.string(), .problem = problem, .help = help});
}

// Bytes 18 and 19 are 2 in a file with a write-ahead log and 1 in an exported file (SQLite file format, 1.3).
bool write_ahead(const fs::path& file) {
  char header[20] = {};
  std::ifstream(file, std::ios::binary).read(header, sizeof header);
  return header[18] == 2;
}

[[noreturn]] void explain(const SQLite::Exception& exception, const fs::path& file, bool writable) {
  const int code = exception.getErrorCode() & 0xff;
  const bool shut = code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM;
  if (shut && writable)
    throw unusable(file, "store.not_writable", "cannot be written: " + std::string(exception.what()), elsewhere);
  translate(exception, file, writable);
}

void check_place(const fs::path& file, bool writable) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (fs::is_directory(status)) throw unusable(file, "store.directory", "is a folder, not a store");
  if (!writable && !fs::exists(status)) throw unusable(file, "store.missing", "this store does not exist");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw unusable(file, "store.not_a_file", "is a device or a pipe, but a store must be a regular file");
  if (fs::exists(status) && ::access(file.c_str(), R_OK) != 0)
    throw unusable(file, "store.unreadable",
                   "cannot be read: " + std::error_code(errno, std::generic_category()).message());
  // A log lies beside each name: what goes into one of them is not seen, or lost, under the other.
  if (fs::exists(status) && fs::hard_link_count(file, error) > 1)
    throw unusable(file, "store.hard_link", "has a second name (a hard link), and a store must have one",
                   "remove the other name, or make a copy: cp FILE COPY");
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw unusable(file, "store.no_folder", "the folder " + folder.string() + " does not exist",
                   "create it, or choose another store with --db FILE");
  const auto network = network_file_system_of(file);
  if (network && (writable || write_ahead(file)))
    throw unusable(file, "store.network",
                   "store is on " + std::string(*network) +
                       "; use --scratch DIR on a local disk (the result is copied here at the end)");
}

std::unique_ptr<SQLite::Database> opened(const fs::path& file, bool writable) {
  // A connection is used by one thread; without its mutex, reading 100,000 rows takes 10 % less time.
  // A reader also opens for writing, and then forbids itself to write (query_only): the last connection that closes
  // removes the log and the shared memory next to the store, and only one that may write can. Where the file cannot be
  // written SQLite opens it for reading alone.
  const int flags = SQLite::OPEN_NOMUTEX | SQLite::OPEN_READWRITE | (writable ? SQLite::OPEN_CREATE : 0);
  auto database = std::make_unique<SQLite::Database>(file.string(), flags);
  harden(*database);
  if (writable && sqlite3_db_readonly(database->getHandle(), "main") == 1)
    throw unusable(file, "store.not_writable", "cannot be written", elsewhere);
  if (writable && empty(*database)) create_schema(*database);
  const int version = checked_version(*database, file);
  configure(*database, writable);
  check_schema(*database, file, version);
  forbid_changes(*database);
  return database;
}

}  // namespace

std::unique_ptr<SQLite::Database> open_database(const fs::path& file, bool writable) {
  check_place(file, writable);
  std::unique_ptr<SQLite::Database> database;
  // There is no launch id yet, and two processes that open the store at once must not wait in lockstep.
  retry_busy(file, static_cast<std::uint64_t>(::getpid()), [&] {
    try {
      database = opened(file, writable);
    } catch (const SQLite::Exception& exception) {
      explain(exception, file, writable);
    }
  });
  return database;
}

}  // namespace retrial::results::inline store::inline sqlite
