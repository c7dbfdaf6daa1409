#include "tests/catch.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/fault/scale.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::store_kill_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

// Appends for ever and acknowledges each attempt only after append() returned.
[[noreturn]] void write_until_killed(const std::filesystem::path& file, int pipe, std::uint32_t first) {
  try {
    Store store(file, Store::Access::write);
    for (std::uint32_t number = first;; ++number) {
      const TrialRecord record = number % 5 == 0 ? sample_record_with_series(number, 1500) : sample_record(number);
      store.append(record);
      if (::write(pipe, record.attempt.data(), record.attempt.size()) != 16) ::_exit(3);
    }
  } catch (const std::exception&) {
    ::_exit(2);
  }
}

std::set<Id16> acknowledged(int pipe) {
  std::set<Id16> out;
  for (Id16 attempt; ::read(pipe, attempt.data(), attempt.size()) == 16;) out.insert(attempt);
  return out;
}

std::set<Id16> killed_after(std::chrono::microseconds time, const std::filesystem::path& file, std::uint32_t first) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_until_killed(file, ends[1], first);
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(time);  // the moment of the crash; nothing is measured by it
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  const auto out = acknowledged(ends[0]);
  ::close(ends[0]);
  return out;
}

}  // namespace

TEST_CASE("a writer killed at any moment loses no acknowledged trial and leaves a store that is whole") {
  const TemporaryFolder folder;
  variance::Stream stream(tests::fault_key("kill-writer"));
  const auto rounds = static_cast<std::uint32_t>(tests::number_from("RETRIAL_FAULT_KILLS", 60));
  std::size_t seen = 0;
  std::set<Id16> expected;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    // Ten rounds a file: also the creation of a store is interrupted.
    const auto file = folder / (std::to_string(round / 10) + ".db");
    if (round % 10 == 0) expected.clear();
    const std::chrono::microseconds time(static_cast<std::int64_t>(variance::bounded(stream.next(), 50'000)));
    const auto now = killed_after(time, file, round % 10 * 10000);
    expected.insert(now.begin(), now.end());
    seen += now.size();
    std::set<Id16> found;
    const Store store(file, Store::Access::write);
    for (const TrialRow& row : store.trials()) found.insert(row.attempt);
    REQUIRE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
    REQUIRE(store.verify(true).empty());
  }
  CHECK(seen > 0);
}

}  // namespace retrial::tests::store_kill_tests
