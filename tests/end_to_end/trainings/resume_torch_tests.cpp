// kill -9 at 10, 30 and 90 percent of a distillation, a pruning and a search on a table, one after the other in the
// same trial: the run that goes on ends with the outcome digest of an undisturbed one.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::resume_torch_tests {

using namespace retrial;
using namespace retrial::tests;

namespace {

using Words = std::vector<std::string>;

Words with(Words line, const std::string& keep) {
  for (const char* word : {"--db", "s.db", "--jobs", "1", "--json", "--keep-every"}) line.emplace_back(word);
  line.push_back(keep);
  return line;
}

std::size_t kept(const Folder& folder) {
  std::size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder.path / "s.db.under-way", error), end; !error && at != end;
       at.increment(error))
    count += at->path().filename().string().starts_with(".") ? 0 : 1;
  return count;
}

/// Seconds that the undisturbed run took, and its digest.
struct Undisturbed {
  double seconds = 0;
  std::string digest;
};

std::string digest_of(const Ran& ran) {
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, "outcome_digest");
}

const char* const search = R"(schema = 1
workload = "automl"
seed = 5
pairs = 1
[set]
problem = "function:hartmann6"
budget_evaluations = 40000
[variant.flow2]
)";

Undisturbed undisturbed(const Words& line) {
  const FullFolder folder;
  write_file(folder.path / "search.toml", search);
  const auto begin = std::chrono::steady_clock::now();
  Undisturbed out;
  out.digest = digest_of(run_retrial(folder, with(line, "0")));
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

void goes_on(const Words& line) {
  const auto expected = undisturbed(line);
  const FullFolder folder;
  write_file(folder.path / "search.toml", search);
  {
    // On a busy machine none of the moments below may follow a boundary: this one does.
    Program program(folder, with(line, "0.001"));
    for (int i = 0; i < 6'000 && kept(folder) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    program.signal(SIGKILL);
    static_cast<void>(program.wait());
  }
  CHECK(kept(folder) > 0);  // else nothing was to go on from
  for (const double share : {0.1, 0.3, 0.9}) {
    Program program(folder, with(line, "0.001"));
    std::this_thread::sleep_for(std::chrono::duration<double>(share * expected.seconds));
    program.signal(SIGKILL);
    static_cast<void>(program.wait());
  }
  const auto ran = run_retrial(folder, with(line, "0.001"));
  CHECK(digest_of(ran) == expected.digest);
  CHECK(ran.err.find("passed over") == std::string::npos);
  CHECK(kept(folder) == 0);
}

}  // namespace

TEST_CASE("a distillation that is killed goes on") {
  goes_on({"run", "distillation", "--seed", "5", "--pairs", "1", "--set", "epochs=8", "--set", "teacher_epochs=4"});
}

TEST_CASE("a pruning that is killed goes on") {
  goes_on({"run", "pruning", "--seed", "5", "--pairs", "1", "--set", "epochs=6"});
}

TEST_CASE("a search that is killed goes on") {
  goes_on({"run", "search.toml"});
}

}  // namespace retrial::tests::resume_torch_tests
