#pragma once

namespace SQLite {
class Database;
}

namespace retrial::results::inline store {

/// Settings that apply before the schema is read: extended error codes, defensive mode, no triggers, no extensions, no
/// untrusted schema, no double-quoted strings, and a limit on the length of a value in a damaged file.
void harden(SQLite::Database& database);

/// The settings of every connection: foreign keys; cell checks; if writable, the write-ahead log with a full sync per
/// commit.
void configure(SQLite::Database& database, bool writable);

/// From here on, statements that change the schema, or a row of any table but lease, cannot be prepared.
void forbid_changes(SQLite::Database& database);

}  // namespace retrial::results::inline store
