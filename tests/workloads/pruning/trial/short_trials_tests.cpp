#include "workloads/pruning/trial/short_trials.hpp"

#include <set>

#include "tests/catch.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/corrupt/shift.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pruning/keys/distributions.hpp"

namespace retrial::tests::pruning_short_trials_tests {

using namespace retrial;

TEST_CASE("short trials of pruning are tested on every shift, and on every corruption that needs no files") {
  std::set<std::string> used;
  for (const workloads::ShortTrial& trial : pruning::short_trials())
    for (std::string& name :
         pruning::distribution_names(workloads::resolved(workloads::find_workload("pruning", ""), trial.keys)))
      used.insert(std::move(name));
  for (const std::string& shift : corrupt::shift_names()) CHECK(used.contains(shift));
  for (const corrupt::Corruption& corruption : corrupt::table()) {
    INFO(corruption.name);
    CHECK(used.contains(corruption.name) == (corruption.op != nullptr));
  }
}

}  // namespace retrial::tests::pruning_short_trials_tests
