#include "results/store/sqlite/connection.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <thread>

namespace retrial::results::inline store::inline sqlite {

namespace {

/// Logs, locks and spilled trials lie beside the file itself, not beside a link to it.
std::filesystem::path behind_links(std::filesystem::path file) {
  std::error_code error;
  if (!std::filesystem::is_symlink(file, error)) return file;
  const auto real = std::filesystem::weakly_canonical(file, error);
  return error ? file : real;
}

int version_of(SQLite::Database& database, const std::filesystem::path& file) {
  int version = 0;
  retry_busy(file, 0, [&] {
    try {
      version = database.execAndGet("PRAGMA user_version").getInt();
    } catch (const SQLite::Exception& exception) {
      translate(exception, file, false);
    }
  });
  return version;
}

}  // namespace

Connection::Connection(std::filesystem::path file, bool writable)
    : file_(behind_links(std::move(file))),
      writable_(writable),
      database_(open_database(file_, writable)),
      schema_(version_of(*database_, file_)) {}

Connection::~Connection() = default;

bool Connection::changed() const {
  return sqlite3_changes(database_->getHandle()) > 0;
}

void retry_busy(const std::filesystem::path& file, std::uint64_t launch_key, const std::function<void()>& attempt) {
  for (BusyRetry retry(launch_key);;) try {
      return attempt();
    } catch (const Busy& busy) {
      if (!retry.wait())
        throw DiskRefused({.exit = Exit::measurement,
                           .code = "store.busy",
                           .where = file.string(),
                           .problem = "another process kept it locked for 60 s (" + std::string(busy.what()) + ")"});
    }
}

void Connection::write(std::uint64_t launch_key, const std::function<void()>& body) {
  if (!writable_)
    throw Error({.code = "store.read_only", .where = file_.string(), .problem = "was opened for reading only"});
  retry_busy(file_, launch_key, [&] { write_once(body); });
}

void Connection::read(const std::function<void()>& body) {
  std::optional<SQLite::Transaction> state;
  retry_busy(file_, 0, [&] {
    try {
      state.emplace(*database_);
    } catch (const SQLite::Exception& exception) {
      translate(exception, file_, false);
    }
  });
  body();
}

void Connection::write_once(const std::function<void()>& body) {
  struct Flag {
    explicit Flag(bool& raised) : flag(raised) { flag = true; }
    ~Flag() { flag = false; }
    bool& flag;
  } const flag(writing_);
  try {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    body();
    transaction.commit();
  } catch (const SQLite::Exception& exception) {
    translate(exception, file_, true);
  }
  demand_in_place();
}

// A file that was removed or replaced still accepts writes, but they go to a file that no path names.
void Connection::demand_in_place() {
  int moved = 0;
  sqlite3_file_control(database_->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0)
    throw DiskRefused({.exit = Exit::measurement,
                       .code = "store.moved",
                       .where = file_.string(),
                       .problem = "was removed or replaced during a write",
                       .help = "restore it and run the same command again"});
  demand_logs_in_place();
}

namespace {

/// The first bytes of a log (SQLite file format, 4.1), which are zero once somebody has cut it off under its writer.
/// Read through SQLite's own file: a file that is opened by its name would look like one that a program reads.
bool has_log_header(sqlite3* handle) {
  sqlite3_file* log = nullptr;
  char magic[4] = {};
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK || log == nullptr ||
      log->pMethods == nullptr || log->pMethods->xRead(log, magic, sizeof magic, 0) != SQLITE_OK)
    return true;  // not known
  return std::string_view(magic, 3) == "\x37\x7f\x06";
}

}  // namespace

// What goes into a log that no path names is seen by nobody else, and lost with this process.
void Connection::demand_logs_in_place() {
  for (const std::string suffix : {"-wal", "-shm"}) {
    const auto log = file_.string() + suffix;
    struct stat facts {};
    const bool there = ::stat(log.c_str(), &facts) == 0;
    const std::pair<std::uint64_t, std::uint64_t> now{facts.st_dev, facts.st_ino};
    const bool same = there && logs_.try_emplace(suffix, now).first->second == now;
    if (same && (suffix != "-wal" || facts.st_size == 0 || has_log_header(database_->getHandle()))) continue;
    throw DiskRefused(
        {.exit = Exit::measurement,
         .code = "store.log_moved",
         .where = log,
         .problem =
             std::string(same ? "was cut off" : "was removed or replaced") + " while the store was being written",
         .help = "leave the files -wal and -shm of a store alone; run the same command again, then retrial "
                 "verify " +
                 file_.string()});
  }
}

void Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement Connection::lend(const char* sql) {
  if (const auto found = idle_.find(sql); found != idle_.end() && found->second) return std::move(found->second);
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(database_->getHandle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  if (code != SQLITE_OK) throw SQLite::Exception(database_->getHandle(), code);
  return Statement(made);
}

void Connection::take_back(const char* sql, Statement statement) {
  const auto found = idle_.find(sql);
  if (found == idle_.end())
    idle_.emplace(sql, std::move(statement));
  else
    found->second = std::move(statement);
}

namespace {

constexpr std::chrono::microseconds longest_delay{64'000}, patience{60'000'000};

}  // namespace

BusyRetry::BusyRetry(std::uint64_t launch_key) : stream_(variance::derive(launch_key, "busy-retry")) {}

bool BusyRetry::wait() {
  if (waited_ >= patience) return false;
  const double jitter = static_cast<double>(delay_.count()) * variance::uniform(stream_.next());
  const auto pause = delay_ + std::chrono::microseconds(static_cast<std::int64_t>(jitter));
  busy_sleep()(pause);
  waited_ += pause;
  delay_ = std::min(2 * delay_, longest_delay);
  return true;
}

std::function<void(std::chrono::microseconds)>& busy_sleep() {
  static std::function<void(std::chrono::microseconds)> sleep = [](std::chrono::microseconds pause) {
    std::this_thread::sleep_for(pause);
  };
  return sleep;
}

}  // namespace retrial::results::inline store::inline sqlite
