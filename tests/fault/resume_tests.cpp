// kill -9 in the middle of a trial: the next launch goes on from the state kept beside the store, and the outcome is
// that of an undisturbed run.
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <thread>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/fault/scale.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::resume_tests {

using namespace retrial;
using namespace retrial::tests;

namespace {

using Words = std::vector<std::string>;

/// Two trials of 100 boundaries, two seconds each.
Words line(const std::string& keep, const std::string& defect = "none") {
  return {"run",        "null",  "--pairs",     "1",     "--seed",           "5",      "--db", "s.db",   "--set",
          "epochs=100", "--set", "epoch_ms=20", "--set", "defect=" + defect, "--jobs", "2",    "--json", "--keep-every",
          keep};
}

std::filesystem::path states_of(const Folder& folder) {
  return folder.path / "s.db.under-way";
}

std::vector<std::filesystem::path> kept(const Folder& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(states_of(folder), error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with(".")) out.push_back(at->path());
  std::ranges::sort(out);
  return out;
}

/// The share of a trial that a state holds: the null workload begins its state with the number of its boundary.
double share_done(const std::filesystem::path& state) {
  std::ifstream in(state, std::ios::binary);
  std::string first;
  for (int i = 0; i < 3; ++i) std::getline(in, first);
  double boundary = 0;
  in >> boundary;
  return boundary / 100;
}

/// Kills the front end with its workers; returns its exit code.
int killed(Program& program) {
  const auto workers = program.children();
  program.signal(SIGKILL);
  const int code = program.wait().code;
  until_ended(workers);
  return code;
}

/// A front end of which both trials have a state and one is beyond `share`. Null: that did not come, because on a busy
/// machine one trial was over before the other had a state.
std::unique_ptr<Program> under_way(const Folder& folder, const Words& words, double share) {
  auto program = std::make_unique<Program>(folder, words);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10 * slowness);
  while (std::chrono::steady_clock::now() < end) {
    const auto states = kept(folder);
    if (states.size() == 2 && std::max(share_done(states[0]), share_done(states[1])) >= share) return program;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  (void)killed(*program);
  return nullptr;
}

/// Tries what may be missed again in an emptied folder.
void seldom_again(const Folder& folder, const std::function<bool()>& done) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path))
      std::filesystem::remove_all(entry.path());
    if (done()) return;
  }
  FAIL("no study was met while both trials had a state");
}

/// Kills a study at each of these shares in turn.
void kill_at(const Folder& folder, const Words& words, std::initializer_list<double> shares) {
  seldom_again(folder, [&] {
    return std::ranges::all_of(shares, [&](double share) {
      const auto program = under_way(folder, words, share);
      return program && killed(*program) == 128 + SIGKILL;
    });
  });
}

std::string digest_of(const Ran& ran) {
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, "outcome_digest");
}

std::string undisturbed(const std::string& defect = "none") {
  const Folder folder;
  return digest_of(run_retrial(folder, line("0", defect)));
}

Json shown(const Folder& folder, const std::string& trial) {
  return results::parse_json(run_retrial(folder, {"show", "s.db", trial, "--json"}).out, "show");
}

}  // namespace

TEST_CASE("killed trials go on, at 10, 30 and 90 percent in one run") {
  const Folder folder;
  kill_at(folder, line("0.02"), {0.1, 0.3, 0.9});
  struct stat facts {};
  REQUIRE(::lstat(states_of(folder).c_str(), &facts) == 0);
  CHECK((facts.st_mode & 077) == 0);  // nobody else reads or writes states
  // The other trial may be behind: it is the one that takes longest.
  double behind = 1;
  for (const auto& state : kept(folder)) behind = std::min(behind, share_done(state));
  const auto before = std::chrono::steady_clock::now();
  const auto ran = run_retrial(folder, line("0.02"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  CHECK(digest_of(ran) == undisturbed());
  CHECK(ran.err.find("passed over") == std::string::npos);
  CHECK(took.count() < (2 * (1 - behind) + 1.3) * slowness);  // a trial takes two seconds from its beginning
  CHECK(kept(folder).empty());  // a file that a killed worker had begun may be there for an hour
  for (const auto* trial : {"base/0", "shifted/0"}) {
    INFO(trial);
    const Json json = shown(folder, trial);
    CHECK(json.at("resumed") == 3);
    // What the killed processes had spent is carried along: a trial sleeps two seconds altogether.
    CHECK(json.at("attempts").at(0).at("wall_ns").get<std::int64_t>() > 1'700'000'000);
  }
}

TEST_CASE("a workload that loses a part of its state ends elsewhere: the states are really used") {
  const Folder folder;
  kill_at(folder, line("0.02", "resume"), {0.3});
  CHECK(digest_of(run_retrial(folder, line("0.02", "resume"))) != undisturbed("resume"));
}

TEST_CASE("damaged and foreign states are passed over with a warning") {
  const auto expected = undisturbed();
  const Folder folder;
  kill_at(folder, line("0.02"), {0.3});
  const auto states = kept(folder);
  SECTION("a changed byte") {
    REQUIRE(states.size() == 2);
    std::fstream file(states[0], std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-3, std::ios::end);
    file.put('x');
  }
  SECTION("cut off") {
    REQUIRE(states.size() == 2);
    std::filesystem::resize_file(states[0], 100);
  }
  SECTION("empty") {
    REQUIRE(states.size() == 2);
    std::filesystem::resize_file(states[0], 0);
  }
  SECTION("that of another trial") {
    REQUIRE(states.size() == 2);
    std::filesystem::copy_file(states[1], states[0], std::filesystem::copy_options::overwrite_existing);
  }
  SECTION("a folder that others can write to") {
    REQUIRE(states.size() == 2);
    ::chmod(states_of(folder).c_str(), 0777);
  }
  SECTION("a link to a folder") {
    REQUIRE(states.size() == 2);
    std::filesystem::rename(states_of(folder), folder.path / "elsewhere");
    std::filesystem::create_directory_symlink(folder.path / "elsewhere", states_of(folder));
  }
  const auto ran = run_retrial(folder, line("5"));
  CHECK(digest_of(ran) == expected);
  CHECK(ran.err.find("a kept state is passed over, and the trial begins anew: ") != std::string::npos);
}

TEST_CASE("without states trials begin anew, and none is kept where a cost is judged") {
  const auto expected = undisturbed();
  const Folder folder;
  kill_at(folder, line("0.02"), {0.3});
  SECTION("the folder is deleted") {
    std::filesystem::remove_all(states_of(folder));
    CHECK(digest_of(run_retrial(folder, line("0.02"))) == expected);
  }
  SECTION("--keep-every 0") {
    const auto ran = run_retrial(folder, line("0"));
    CHECK(digest_of(ran) == expected);
    CHECK(shown(folder, "base/0").at("resumed") == 0);
    CHECK(kept(folder).empty());  // what the killed launch had left is gone too
  }
}

TEST_CASE("a state that cannot be written costs a warning, not the trial") {
  const Folder folder;
  write_file(folder / "s.db.under-way", "in the way");
  const auto ran = run_retrial(folder, line("0.02"));
  CHECK(digest_of(ran) == undisturbed());
  CHECK(ran.err.find("the state of this trial is not kept; if it is killed, it begins anew") != std::string::npos);
}

TEST_CASE("a worker that is killed costs its trial, which --retry-failed takes up again") {
  const Folder folder;
  std::unique_ptr<Program> program;
  seldom_again(folder, [&] { return (program = under_way(folder, line("0.02"), 0.3)) != nullptr; });
  for (const int child : program->children()) ::kill(child, SIGKILL);
  CHECK(program->wait().code == 5);
  CHECK(kept(folder).size() == 2);
  auto again = line("0.02");
  again.push_back("--retry-failed");
  CHECK(digest_of(run_retrial(folder, again)) == undisturbed());
  CHECK(shown(folder, "base/0").at("resumed") == 1);
  CHECK(kept(folder).empty());
}

}  // namespace retrial::tests::resume_tests
