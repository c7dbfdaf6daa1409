#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <string_view>

#include "results/store/sqlite/connection.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store::inline sqlite {
namespace {

Error refused(const std::filesystem::path& file, const std::string& message) {
  return Error({.code = "store.constraint",
                .where = file.string(),
                .problem = "the store does not accept this row: " + message});
}

/// An attempt that is appended has a new number, so no row can be there under it.
bool belongs_to_missing_trial(std::string_view message) {
  constexpr std::string_view keys[] = {"manifest.trial_id", "metric.trial_id", "series.trial_id", "digest.trial_id",
                                       "artifact.trial_id"};
  return message.find("UNIQUE") != std::string_view::npos &&
         std::ranges::any_of(keys, [&](std::string_view key) { return message.find(key) != std::string_view::npos; });
}

Error in_wal_on_read_only_media(const std::filesystem::path& file, const std::string& message) {
  return Error({.code = "store.read_only_folder",
                .where = file.string(),
                .problem = "a store with a write-ahead log cannot be read in a read-only folder (" + message + ")",
                .help = "copy it to a writable folder and read it there"});
}

Error unfinished_on_read_only_media(const std::filesystem::path& file, const std::string& message) {
  return Error({.code = "store.read_only_folder",
                .where = file.string(),
                .problem = "the file -journal next to it has to be applied first, and nothing can be written there (" +
                           message + ")",
                .help = "copy both to a writable folder and read it there"});
}

DiskRefused disk(const std::filesystem::path& file, const std::string& message) {
  return DiskRefused({.exit = Exit::measurement,
                      .code = "store.disk",
                      .where = file.string(),
                      .problem = "cannot be written to disk: " + message,
                      .help = "free disk space there or choose another store, then run the same command again"});
}

ErrorText no_memory(const std::filesystem::path& file) {
  return {.exit = Exit::measurement,
          .code = "store.memory",
          .where = file.string(),
          .problem = "not enough memory",
          .help = "nothing is damaged: free memory and run the same command again"};
}

/// Causes of a failed read outside the file itself. Failing to read the file is not one of them: a page that is
/// unreadable or truncated is damage.
std::string_view cause_outside_file(int code) {
  switch (code) {
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_SHMLOCK:
      return "the index of its write-ahead log (the file -shm next to it, 32 KiB) could not be created or locked";
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
      return "it could not be locked";
    case SQLITE_IOERR_WRITE:
    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_DIR_FSYNC:
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_DELETE:
    case SQLITE_IOERR_GETTEMPPATH:
    case SQLITE_FULL:
      return "a file that SQLite needs next to it or for sorting could not be written";
    default:
      return {};
  }
}

Error no_room_to_read(const std::filesystem::path& file, std::string_view what, const std::string& message) {
  return Error({.exit = Exit::measurement,
                .code = "store.disk",
                .where = file.string(),
                .problem = "cannot be read here: " + std::string(what) + " (" + message + ")",
                .help = "nothing is damaged: free space on its disk, raise the limit on file sizes (ulimit -f), or "
                        "copy it elsewhere"});
}

bool is_memory(int code) {
  return code == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM;
}

}  // namespace

Error damaged(const std::filesystem::path& file, const std::string& problem) {
  return Error({.exit = Exit::integrity,
                .code = "store.damaged",
                .where = file.string(),
                .problem = problem,
                .help = "restore it from a copy, or use another store"});
}

void translate(const SQLite::Exception& exception, const std::filesystem::path& file, bool writing) {
  const std::string message = one_line(exception.what());
  if (is_memory(exception.getExtendedErrorCode()) || is_memory(exception.getErrorCode())) {
    if (writing) throw DiskRefused(no_memory(file));
    throw Error(no_memory(file));
  }
  switch (exception.getErrorCode() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      throw Busy(message);
    case SQLITE_FULL:
    case SQLITE_IOERR:
      if (writing) throw disk(file, message);
      if (const auto what = cause_outside_file(exception.getExtendedErrorCode()); !what.empty())
        throw no_room_to_read(file, what, message);
      throw damaged(file, "cannot be read: " + message);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      if (writing) throw disk(file, message);
      if (exception.getExtendedErrorCode() == SQLITE_READONLY_ROLLBACK)
        throw unfinished_on_read_only_media(file, message);
      throw in_wal_on_read_only_media(file, message);
    case SQLITE_CONSTRAINT:
      if (belongs_to_missing_trial(message))
        throw damaged(file, "has rows of trials that are not there (" + message + "); retrial verify lists them");
      throw refused(file, message);
    case SQLITE_AUTH:
      throw std::logic_error("a statement that the append-only store forbids: " + message);
    case SQLITE_NOTADB:
      throw Error(
          {.exit = Exit::integrity,
           .code = "store.damaged",
           .where = file.string(),
           .problem = "is not a retrial store: " + message,
           .help = "name a store, or restore it from a copy; a table of scores is read by retrial compare --scores"});
    default:
      throw damaged(file, "is damaged: " + message);
  }
}

}  // namespace retrial::results::inline store::inline sqlite
