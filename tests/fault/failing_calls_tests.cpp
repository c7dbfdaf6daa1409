// Every write, sync, open and truncate of SQLite fails once, and from then on; every allocation fails once. Afterwards
// the file is whole, what was acknowledged is there, and what was finished is in the store or in a spill file.
#include <sqlite3.h>

#include <cstring>
#include <fstream>
#include <set>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/fault/failing_memory.hpp"
#include "tests/fault/failing_vfs.hpp"
#include "tests/fault/scale.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::failing_calls_tests {

using namespace retrial;
using namespace retrial::results;
using namespace retrial::tests;

namespace {

/// A closed store with a study and two attempts: the start of every scenario.
void make_store(const std::filesystem::path& file) {
  Store store(file, Store::Access::write);
  store.put_study("s", sample_study("s"), sample_plan(8), {});
  for (std::uint32_t i = 0; i < 2; ++i) store.append(sample_record(i));
}

struct Told {
  std::set<Id16> acknowledged, kept;  ///< kept: acknowledged, or in the spill file that the error names
  std::vector<std::string> errors;
};

/// Opens, appends until something fails, as a front end does.
Told write_some(const std::filesystem::path& file) {
  Told told;
  TrialRecord record;
  try {
    Store store(file, Store::Access::write);
    const auto owner = id_of(77);
    const std::pair<Digest, std::uint32_t> place{identity_of(2), 0};
    (void)store.claim(owner, std::span(&place, 1), 0, 1000);
    for (std::uint32_t i = 2; i < 5; ++i) {
      record = i == 3 ? sample_record_with_series(i, 1500) : sample_record(i);
      store.append(record);
      told.acknowledged.insert(record.attempt);
      told.kept.insert(record.attempt);
    }
    store.release(owner);
  } catch (const Error& error) {
    told.errors.emplace_back(error.what());
    if (told.errors.back().find(".spill-") != std::string::npos) told.kept.insert(record.attempt);
    const bool documented =
        error.text.exit == Exit::measurement || error.text.exit == Exit::usage || error.text.exit == Exit::integrity;
    if (!documented) told.errors.emplace_back("exit code " + std::to_string(static_cast<int>(error.text.exit)));
    if (error.text.help.empty()) told.errors.emplace_back("and it does not say what to do");
  }
  return told;
}

/// The next open with a sound disk: everything kept is there, and every digest agrees.
void check_afterwards(const std::filesystem::path& file, const Told& told) {
  const Store store(file, Store::Access::write);
  std::set<Id16> found;
  for (const TrialRow& row : store.trials()) found.insert(row.attempt);
  CHECK(std::includes(found.begin(), found.end(), told.kept.begin(), told.kept.end()));
  CHECK(found.contains(id_of(0)));
  CHECK(found.contains(id_of(1)));
  CHECK(store.verify(true).empty());
  for (const auto& error : told.errors) {
    CHECK(error.find("exit code") == std::string::npos);
    CHECK(error.find("does not say") == std::string::npos);
  }
}

class Copies {
 public:
  Copies() { make_store(folder_ / "whole.db"); }
  std::filesystem::path next() {
    const auto file = folder_ / (std::to_string(++count_) + ".db");
    std::filesystem::copy_file(folder_ / "whole.db", file);
    return file;
  }
  void done(const std::filesystem::path& file) {
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + suffix);
  }

 private:
  TemporaryFolder folder_;
  int count_ = 0;
};

/// The number of calls that were failed, one after the other.
int fail_each(Call call, int code, bool for_good) {
  Copies copies;
  for (int nth = 1;; ++nth) {
    const auto file = copies.next();
    Told told;
    bool failed = false;
    {
      const FailingDisk disk(call, nth, code, for_good);
      told = write_some(file);
      failed = disk.failed();
    }
    INFO("call " << nth << (told.errors.empty() ? "" : ": " + told.errors.front()));
    check_afterwards(file, told);
    copies.done(file);
    if (!failed) return nth - 1;
    REQUIRE(nth < 5000);
  }
}

}  // namespace

TEST_CASE("any write, sync, open or truncate may fail: the file stays whole and nothing finished is lost") {
  const auto code = GENERATE(SQLITE_FULL, SQLITE_IOERR_WRITE);
  const auto for_good = GENERATE(false, true);
  CAPTURE(code, for_good);
  CHECK(fail_each(Call::write, code, for_good) > 20);
  CHECK(fail_each(Call::sync, code == SQLITE_FULL ? SQLITE_FULL : SQLITE_IOERR_FSYNC, for_good) > 3);
  CHECK(fail_each(Call::truncate, SQLITE_IOERR_TRUNCATE, for_good) >= 0);
  CHECK(fail_each(Call::open, SQLITE_CANTOPEN, for_good) > 0);
}

TEST_CASE("any allocation of SQLite may fail: nothing is called damaged, nothing acknowledged is lost") {
  REQUIRE(FailingMemory::installed());
  Copies copies;
  int failed = 0, stride = 1;
  for (std::int64_t nth = 1;; nth += stride) {
    const auto file = copies.next();
    Told told;
    bool hit = false;
    {
      const FailingMemory memory(nth, nth % 2 == 0);
      told = write_some(file);
      hit = memory.failed();
    }
    INFO("allocation " << nth << (told.errors.empty() ? "" : ": " + told.errors.front()));
    for (const auto& error : told.errors) CHECK(error.find("damaged") == std::string::npos);
    check_afterwards(file, told);
    copies.done(file);
    if (!hit) break;
    if (++failed == 400) stride = 7;  // the first ones each, then every seventh: they repeat from append to append
  }
  CHECK(failed > 100);
}

}  // namespace retrial::tests::failing_calls_tests
