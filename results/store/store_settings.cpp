#include "results/store/store_settings.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace retrial::results::inline store {
namespace {

constexpr int longest_value = 16 << 20;  // four times the longest document

struct Setting {
  int option, value;
};
constexpr Setting settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1}, {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},   {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0}};

int verdict_on_table(const char* table) {
  return table != nullptr && std::string_view(table) == "lease" ? SQLITE_OK : SQLITE_DENY;
}

int authorize(void*, int action, const char* first, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      return verdict_on_table(first);
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

}  // namespace

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

void configure(SQLite::Database& database, bool writable) {
  database.exec("PRAGMA foreign_keys=ON");
  if (writable) database.exec("PRAGMA journal_mode=WAL");
  database.exec("PRAGMA synchronous=FULL");
  database.exec("PRAGMA cell_size_check=ON");
  database.exec("PRAGMA temp_store=MEMORY");
  database.exec("PRAGMA wal_autocheckpoint=1000");
  database.exec("PRAGMA journal_size_limit=67108864");
}

void forbid_changes(SQLite::Database& database) {
  database.check(sqlite3_set_authorizer(database.getHandle(), authorize, nullptr));
}

}  // namespace retrial::results::inline store
