#pragma once

namespace SQLite {
class Database;
}

namespace retrial::results::inline store {

/// Settings from before the schema is read: extended codes, defensive mode, no triggers, no extensions, no untrusted
/// schema, no double-quoted strings, and a bound on the length of a value in a damaged file.
void harden(SQLite::Database& database);

enum class Journal { as_it_is, write_ahead };
/// The settings of every connection: foreign keys; write-ahead log with a full sync per commit; cell checks.
void configure(SQLite::Database& database, Journal journal);

/// From here on, statements that change a row of another table than lease, or the schema, do not even prepare.
void forbid_changes(SQLite::Database& database);

}  // namespace retrial::results::inline store
