#include "tests/catch.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "results/exchange/jsonl.hpp"
#include "results/store/append/storable.hpp"
#include "results/store/sqlite/connection.hpp"
#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::store_spill_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

// Replaces the sleep of the busy loop and records the requested times.
class NoSleep {
 public:
  explicit NoSleep(std::function<void()> each = [] {}) {
    busy_sleep() = [this, each](std::chrono::microseconds pause) { slept.push_back(pause), each(); };
  }
  ~NoSleep() { busy_sleep() = before_; }
  std::vector<std::chrono::microseconds> slept;

 private:
  std::function<void(std::chrono::microseconds)> before_ = busy_sleep();
};

std::vector<std::filesystem::path> spills(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().string().find(".spill-") != std::string::npos) out.push_back(entry.path());
  return out;
}

// Appends under a file-size limit until a write fails; returns the number of acknowledged trials.
int append_until_refused(const std::filesystem::path& file, rlim_t limit) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit bound{limit, limit};
  ::setrlimit(RLIMIT_FSIZE, &bound);
  Store store(file, Store::Access::write);
  for (std::uint32_t i = 0; i < 200; ++i) {
    try {
      store.append(sample_record_with_series(i, 1100));
    } catch (const Error& error) {
      const bool named =
          error.text.exit == Exit::measurement && std::string(error.what()).find(".spill-") != std::string::npos;
      return named ? static_cast<int>(i) : 255;
    }
  }
  return 254;
}

}  // namespace

TEST_CASE("waiting doubles from 1 to 64 ms with jitter, and ends after 60 seconds") {
  const NoSleep clock;
  BusyRetry retry(42);
  while (retry.wait()) {
  }
  const auto& slept = clock.slept;
  REQUIRE(slept.size() > 600);
  std::chrono::microseconds sum{0};
  for (std::size_t i = 0; i < slept.size(); ++i) {
    const std::int64_t base = 1000 * std::min<std::int64_t>(std::int64_t{1} << std::min<std::size_t>(i, 6), 64);
    REQUIRE(slept[i].count() >= base);
    REQUIRE(slept[i].count() < 2 * base);
    sum += slept[i];
  }
  CHECK(sum >= std::chrono::seconds(60));
  CHECK(sum < std::chrono::seconds(60) + std::chrono::milliseconds(128));
  // The jitter is that of the launch: key derive(launch, "busy-retry").
  variance::Stream stream(variance::derive(std::uint64_t{42}, "busy-retry"));
  CHECK(slept[0].count() == 1000 + static_cast<std::int64_t>(1000 * variance::uniform(stream.next())));
}

TEST_CASE("a store that another process keeps locked is waited for") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  Raw other(folder / "s.db");
  other.exec("BEGIN IMMEDIATE");
  int waits = 0;
  const NoSleep clock([&] {
    if (++waits == 5) other.exec("COMMIT");
  });
  store.append(sample_record(0));
  CHECK(waits == 5);
  CHECK(store.info().trials == 1);
  CHECK(spills(folder / "").empty());
}

TEST_CASE("trials that cannot be stored for 60 seconds go to a spill file, which the next run imports") {
  const TemporaryFolder folder;
  const std::vector<TrialRecord> finished = {sample_record_with_series(0, 5000), sample_record(1)};
  const std::vector<Event> events = {
      {.at_ns = 5, .kind = "started", .identity = identity_of(9), .attempt = id_of(9), .detail = ""}};
  Digest expected{};
  {
    Store other(folder / "other.db", Store::Access::write);
    other.append(finished, events);
    expected = other.info().store_digest;
  }
  {
    Store store(folder / "s.db", Store::Access::write);
    Raw locked(folder / "s.db");
    locked.exec("BEGIN IMMEDIATE");
    const NoSleep clock;
    try {
      store.append(finished, events);
      FAIL("stored in spite of the lock");
    } catch (const Error& error) {
      CHECK(error.text.exit == Exit::measurement);
      CHECK_THAT(error.what(), has_text("s.db.spill-" + hex(finished[0].attempt) + ".jsonl"));
    }
    REQUIRE(spills(folder / "").size() == 1);
    locked.exec("COMMIT");
    CHECK(store.info().trials == 0);
  }
  const Store store(folder / "s.db", Store::Access::write);
  CHECK(store.info().store_digest == expected);
  CHECK(store.events().size() == 1);
  CHECK(store.verify(true).empty());
  CHECK(spills(folder / "").empty());
}

TEST_CASE("a full disk loses no finished trial") {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(append_until_refused(folder / "s.db", 400 * 1024));
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  const int acknowledged = WEXITSTATUS(status);
  REQUIRE(acknowledged > 0);
  REQUIRE(acknowledged < 200);
  REQUIRE(spills(folder / "").size() == 1);
  const Store store(folder / "s.db", Store::Access::write);
  CHECK(store.info().trials == acknowledged + 1);
  CHECK(store.verify(true).empty());
  CHECK(spills(folder / "").empty());
}

TEST_CASE("what could only be kept in the temporary folder is taken in by its own store alone", "[store]") {
  const TemporaryFolder folder;
  const auto temporary = folder / "tmp", here = folder / "here", there = folder / "there";
  for (const auto& path : {temporary, here, there}) std::filesystem::create_directory(path);
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", temporary.c_str(), 1);
  std::string told;
  {
    Store store(here / "s.db", Store::Access::write);
    std::filesystem::rename(here, folder / "moved");  // neither the store nor a file beside it can be written
    try {
      store.append(sample_record(0));
      FAIL("stored");
    } catch (const Error& error) {
      told = error.what();
    }
  }
  REQUIRE(spills(temporary).size() == 1);
  const auto spill = spills(temporary).front();
  CHECK_THAT(told, has_text(spill.string()));
  std::filesystem::create_directory(here);  // a new store in the old place
  const auto attempts = [](const std::filesystem::path& in) {
    return Store(in / "s.db", Store::Access::write).info().trials;
  };
  CHECK(attempts(there) == 0);
  std::filesystem::permissions(spill, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  CHECK(attempts(here) == 0);  // anybody could have written it
  std::filesystem::permissions(spill, std::filesystem::perms::others_write, std::filesystem::perm_options::remove);
  CHECK(attempts(here) == 1);
  CHECK(spills(temporary).empty());
  ::unsetenv("TMPDIR");
  if (before != nullptr) ::setenv("TMPDIR", old.c_str(), 1);
}

TEST_CASE("a log that vanishes or is cut off under a writer is noticed at its next commit", "[store]") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  Store store(file, Store::Access::write);
  store.append(sample_record(0));
  const auto log = folder / "s.db-wal";
  const auto harm = GENERATE(as<std::string>{}, "-wal", "-shm", "cut to nothing", "cut in half", "cut by a frame",
                             "cut by a byte", "nothing");
  INFO(harm);
  const bool cut = harm.starts_with("cut");
  if (cut) {
    const auto size = std::filesystem::file_size(log);
    constexpr std::uintmax_t frame = 24 + 4096;  // of a page, SQLite file format 4.2
    std::filesystem::resize_file(log, harm == "cut to nothing"   ? 0
                                      : harm == "cut in half"    ? size / 2
                                      : harm == "cut by a frame" ? size - frame
                                                                 : size - 1);
  }
  if (!cut && harm != "nothing") std::filesystem::remove(folder / ("s.db" + harm));
  if (harm == "nothing") {
    CHECK_NOTHROW(store.append(sample_record(1)));
    return;
  }
  try {
    store.append(sample_record(1));
    FAIL("not noticed");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::measurement);
    CHECK_THAT(error.what(), has_text("s.db" + (cut ? "-wal" : harm)));
    CHECK_THAT(error.what(), has_text(".spill-"));
  }
}

TEST_CASE("a store whose log was cut off holds what stood before the cut, and nothing is written behind it") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db", log = folder / "s.db-wal";
  std::vector<std::uintmax_t> sizes;
  {
    Store store(file, Store::Access::write);
    for (std::uint32_t i = 0; i < 4; ++i) {
      store.append(sample_record(i));
      sizes.push_back(std::filesystem::file_size(log));
    }
    std::filesystem::resize_file(log, sizes[1] + 100);
    CHECK_THROWS_WITH(store.append(sample_record(4)), has_text("cut off"));
  }
  CHECK(std::filesystem::file_size(log) == sizes[1] + 100);
  for (const auto& spill : spills(folder / "")) std::filesystem::remove(spill);
  const Store after(file, Store::Access::read);
  CHECK(after.trials().size() == 2);
  CHECK(after.verify(true).empty());
}

TEST_CASE("an attempt that finds rows of a trial that is not there is damage, and is kept in a spill file") {
  const TemporaryFolder folder;
  const auto demand = [](const Store& store) {
    const auto study = store.studies().front();
    store.demand_sealed(study, store.plan_listing(study.digest));
  };
  const auto file = folder / "s.db";
  {
    Store store(file, Store::Access::write);
    store.put_study("s", sample_study("s"), sample_plan(2), {});
    for (std::uint32_t i = 0; i < 2; ++i) store.append(sample_record(i));
    CHECK_NOTHROW(demand(store));
  }
  const auto last = GENERATE(true, false);
  CAPTURE(last);
  Raw(file).exec(std::string("PRAGMA foreign_keys=OFF; DELETE FROM trial WHERE trial_id=") + (last ? "2" : "1"));
  Store store(file, Store::Access::write);
  CHECK_THROWS_WITH(demand(store), has_text("2 attempts were committed, and 1 are there"));
  if (!last) return;  // the next number is free
  try {
    store.append(sample_record(2));
    FAIL("stored");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::integrity);
    CHECK_THAT(error.what(), has_text("rows of trials that are not there"));
    CHECK_THAT(error.what(), has_text(".spill-"));
  }
  CHECK(spills(folder / "").size() == 1);
}

TEST_CASE("what cannot be stored is known before it is appended, with its reason") {
  CHECK_FALSE(why_not_storable(sample_record(0)));
  const auto [expected, harm] = GENERATE(table<std::string, void (*)(TrialRecord&)>(
      {{"in hex", [](TrialRecord& record) { record.digests.front().hex = "zz"; }},
       {"1 to 200 bytes", [](TrialRecord& record) { record.metrics.front().name = std::string(201, 'm'); }},
       {"1 to 200 bytes", [](TrialRecord& record) { record.artifacts.front().name.clear(); }},
       {"twice", [](TrialRecord& record) { record.digests.push_back(record.digests.front()); }},
       {"twice", [](TrialRecord& record) { record.artifacts.push_back(record.artifacts.front()); }},
       {"not a step", [](TrialRecord& record) { record.metrics.front().step = -2; }},
       {"below 0", [](TrialRecord& record) { record.wall_ns = -1; }},
       {"metric", [](TrialRecord& record) { record.defs.clear(); }}}));
  CAPTURE(expected);
  auto record = sample_record(0);
  harm(record);
  const auto problem = why_not_storable(record);
  REQUIRE(problem);
  CHECK_THAT(*problem, has_text(expected));
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  CHECK_THROWS_AS(store.append(record), Error);  // the reason is a true one
}

TEST_CASE("a damaged spill file is not taken in and not removed") {
  const TemporaryFolder folder;
  { Store(folder / "s.db", Store::Access::write); }
  const std::string whole = jsonl_text(std::vector<TrialRecord>{sample_record(0)}, {});
  const auto file = folder / "s.db.spill-00.jsonl";
  std::string text = whole;
  SECTION("a value changed") {
    text.replace(text.find("405700"), 6, "405701");
    CHECK(text != whole);
  }
  SECTION("the end is missing") {
    text.erase(text.rfind("{\"records\""));
    CHECK(text != whole);
  }
  SECTION("cut inside a line") {
    text.erase(text.size() - 20);
    CHECK(text != whole);
  }
  SECTION("not JSON") {
    text = "hello\n";
    CHECK(text != whole);
  }
  std::ofstream(file) << text;
  try {
    const Store store(folder / "s.db", Store::Access::write);
    FAIL("taken in");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::integrity);
    CHECK_THAT(error.what(), has_text(file.string()));
  }
  CHECK(std::filesystem::exists(file));
  CHECK(Store(folder / "s.db", Store::Access::read).info().trials == 0);
  std::ofstream(file, std::ios::trunc) << whole;  // the whole file is taken in
  CHECK(Store(folder / "s.db", Store::Access::write).info().trials == 1);
}

}  // namespace retrial::tests::store_spill_tests
