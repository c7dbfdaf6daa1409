#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "results/text/error.hpp"
#include "variance/random/rng.hpp"

namespace SQLite {
class Database;
class Exception;
}  // namespace SQLite
struct sqlite3_stmt;

namespace retrial::results::inline store::inline sqlite {

/// Another process holds the lock. Caught where the operation is retried; never leaves the store.
struct Busy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A write failed: disk error, or a database that stays busy. The data are still in memory.
class DiskRefused : public Error {
 public:
  using Error::Error;
};

/// Waits for a database that another process is writing: 1, 2, 4 ... 64 ms, each plus delay x uniform, 60 s in total.
/// SQLite's own busy handler is not used: without jitter, eight writers blocked most of each other's inserts, and five
/// seconds were not enough for 32 writers. The time is the sum of the delays; no clock is read.
class BusyRetry {
 public:
  explicit BusyRetry(std::uint64_t launch_key);
  /// Sleeps once; returns false, without sleeping, when the 60 s are used up.
  [[nodiscard]] bool wait();

 private:
  variance::Stream stream_;
  std::chrono::microseconds delay_{1000}, waited_{0};
};

/// The sleep function of wait(); tests replace it with one that returns at once.
[[nodiscard]] std::function<void(std::chrono::microseconds)>& busy_sleep();

struct Finalize {
  void operator()(sqlite3_stmt* statement) const;
};
/// SQLite's own handle: SQLiteCpp's column object copies a shared pointer, which took a third of the time of reading a
/// store of 100,000 trials.
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// One connection with the settings of the store, and its prepared statements. Not thread-safe.
class Connection {
 public:
  Connection(std::filesystem::path file, bool writable);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] SQLite::Database& database() const { return *database_; }
  [[nodiscard]] bool writing() const { return writing_; }
  [[nodiscard]] int schema() const { return schema_; }  ///< version
  [[nodiscard]] bool changed() const;                   ///< true if the last statement changed a row

  /// Runs `body` in one immediate transaction, committed durably before it returns. The transaction is restarted, body
  /// included, while another process is writing. Throws DiskRefused when it cannot be committed.
  void write(std::uint64_t launch_key, const std::function<void()>& body);

  /// Runs queries that all see one state of the file, whatever other processes write meanwhile.
  void read(const std::function<void()>& body);

  /// Throws what the exception means: Busy, DiskRefused or Error.
  [[noreturn]] void fail(const SQLite::Exception& exception) const;

  /// Statements are lent to one Query at a time.
  [[nodiscard]] Statement lend(const char* sql);
  void take_back(const char* sql, Statement statement);

 private:
  void write_once(const std::function<void()>& body);
  void demand_in_place();
  void demand_logs_in_place();
  void demand_whole_log() const;

  std::filesystem::path file_;
  bool writable_;
  std::unique_ptr<SQLite::Database> database_;
  int schema_;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> logs_;  ///< device and number of -wal and -shm
  std::map<std::string, Statement, std::less<>> idle_;
  bool writing_ = false;
};

/// Opens and, for writing, creates: settings, application id and schema version, schema, then the authorizer that
/// denies UPDATE and DELETE on every table but lease, and every change of the schema.
[[nodiscard]] std::unique_ptr<SQLite::Database> open_database(const std::filesystem::path& file, bool writable);

/// Converts an exception of SQLite: Busy, DiskRefused (in a write) or Error.
[[noreturn]] void translate(const SQLite::Exception& exception, const std::filesystem::path& file, bool writing);

[[nodiscard]] Error damaged(const std::filesystem::path& file, const std::string& problem);

/// Repeats `attempt` while the database is busy; throws DiskRefused after 60 s.
void retry_busy(const std::filesystem::path& file, std::uint64_t launch_key, const std::function<void()>& attempt);

}  // namespace retrial::results::inline store::inline sqlite
