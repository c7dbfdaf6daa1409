// Many processes append to one store at once: none sees a lock, none loses a trial.
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <set>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/fault/scale.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::writers_tests {

using namespace retrial;
using namespace retrial::results;

TEST_CASE("concurrent writers lose nothing and see no lock") {
  const TemporaryFolder folder;
  const auto writers = static_cast<std::uint32_t>(tests::number_from("RETRIAL_FAULT_WRITERS", 8));
  constexpr std::uint32_t each = 20;
  { Store(folder / "s.db", Store::Access::write); }
  std::vector<pid_t> children;
  for (std::uint32_t writer = 0; writer < writers; ++writer) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    try {
      Store store(folder / "s.db", Store::Access::write);
      for (std::uint32_t i = 0; i < each; ++i) {
        TrialRecord record = sample_record(writer * 1000 + i);
        record.launch = id_of(100'000 + writer);  // the jitter of the waits is that of the launch
        store.append(record);
      }
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      ::_exit(1);
    }
    ::_exit(0);
  }
  int unhappy = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    unhappy += status == 0 ? 0 : 1;
  }
  CHECK(unhappy == 0);
  const Store store(folder / "s.db", Store::Access::read);
  std::set<Id16> found;
  for (const TrialRow& row : store.trials()) found.insert(row.attempt);
  CHECK(found.size() == writers * each);
  CHECK(store.verify(true).empty());
}

}  // namespace retrial::tests::writers_tests
