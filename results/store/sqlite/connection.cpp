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
    demand_whole_log();
    body();
    transaction.commit();
  } catch (const SQLite::Exception& exception) {
    fail(exception);
  }
  demand_in_place();
}

void Connection::fail(const SQLite::Exception& exception) const {
  demand_whole_log();
  translate(exception, file_, writing_);
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

DiskRefused log_moved(const std::filesystem::path& store, const std::string& log, const std::string& what) {
  return DiskRefused(
      {.exit = Exit::measurement,
       .code = "store.log_moved",
       .where = log,
       .problem = what + " while the store was being written",
       .help = "leave the files -wal and -shm of a store alone; run the same command again, then retrial "
               "verify " +
               store.string()});
}

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

/// The bytes that the log must have: its index (SQLite's wal.c, WalIndexHdr) has the number of its frames. The index is
/// SQLite's own mapping: to close the file -shm would release the locks of this process.
std::int64_t bytes_in_log(sqlite3* handle) {
  sqlite3_file* store = nullptr;
  void volatile* index = nullptr;
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &store) != SQLITE_OK || store == nullptr ||
      store->pMethods == nullptr || store->pMethods->iVersion < 2 || store->pMethods->xShmMap == nullptr ||
      store->pMethods->xShmMap(store, 0, 32768, 0, &index) != SQLITE_OK || index == nullptr)
    return 0;  // not known
  const auto* const header = static_cast<const volatile std::uint8_t*>(index);
  const auto number = [&](std::size_t at, auto value) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&value);
    for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = header[at + i];
    return value;
  };
  const auto page = number(14, std::uint16_t{}) & 0xfffeU;  // 1 stands for 65536
  const std::int64_t frames = number(16, std::uint32_t{});
  return frames == 0 ? 0 : 32 + frames * (24 + (page == 0 ? 65536 : std::int64_t{page}));
}

}  // namespace

/// A writer would leave a hole in a log that was cut off, and a checkpoint write that hole into the store: both are
/// given up, so that what stands before the cut can still be read.
void Connection::demand_whole_log() const {
  const auto log = file_.string() + "-wal";
  struct stat facts {};
  sqlite3* const handle = database_->getHandle();
  if (!writable_ || ::stat(log.c_str(), &facts) != 0 || facts.st_size >= bytes_in_log(handle)) return;
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  throw log_moved(file_, log, "was cut off");
}

// What goes into a log that no path names is seen by nobody else, and lost with this process.
void Connection::demand_logs_in_place() {
  for (const std::string suffix : {"-wal", "-shm"}) {
    const auto log = file_.string() + suffix;
    struct stat facts {};
    const bool there = ::stat(log.c_str(), &facts) == 0;
    const std::pair<std::uint64_t, std::uint64_t> now{facts.st_dev, facts.st_ino};
    const bool same = there && logs_.try_emplace(suffix, now).first->second == now;
    if (same && (suffix != "-wal" || facts.st_size == 0 || has_log_header(database_->getHandle()))) continue;
    if (same) sqlite3_db_config(database_->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    throw log_moved(file_, log, same ? "was cut off" : "was removed or replaced");
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
