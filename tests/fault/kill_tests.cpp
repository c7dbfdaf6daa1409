// kill -9 of front ends and workers at random moments: acknowledged trials are stored, the file is intact, and the
// resumed study ends like an undisturbed one.
#include <dirent.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "results/json/json.hpp"
#include "results/store/store.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/fault/scale.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::kill_tests {

using namespace retrial;
using namespace retrial::tests;

namespace {

using Words = std::vector<std::string>;

/// Trials of 12 ms are committed in groups, trials of 60 ms one by one.
Words study_line(bool brief) {
  return {"run",   "null",     "--pairs", "20", "--db",   "s.db", "--set",  brief ? "epoch_ms=4" : "epoch_ms=20",
          "--set", "epochs=3", "--seed",  "19", "--jobs", "2",    "--jsonl"};
}

/// What one lane of kills saw; lanes run side by side, so nothing is asserted before they have ended.
struct Seen {
  std::map<std::string, int> kills;  ///< by what they hit
  std::size_t studies = 0, acknowledged = 0, lost = 0;
  std::vector<std::string> wrong;
};

std::set<std::string> acknowledged_in(const std::string& out) {
  std::set<std::string> attempts;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (lines.eof()) break;  // cut off inside a line
    const Json json = results::parse_json(line, "jsonl");
    if (json.contains("event")) attempts.insert(json.at("attempt").get<std::string>());
  }
  return attempts;
}

std::string digest_in(const std::string& out) {
  return field(out.substr(out.rfind('\n', out.size() - 2) + 1), "outcome_digest");
}

/// One study, killed again and again until `kills` are spent or it is finished, then resumed to its end.
class Victim {
 public:
  Victim(bool brief, variance::Stream draws, Seen& seen) : line_(study_line(brief)), draws_(draws), seen_(seen) {}

  int kill_up_to(int kills) {
    int done = 0, barren = 0;
    while (done < kills && barren < 3) {
      const int now = one_life(kills - done);
      barren = now == 0 ? barren + 1 : 0;
      done += now;
      look();
    }
    return done;
  }
  void resume(const std::string& undisturbed) {
    line_.push_back("--retry-failed");
    const auto ran = run_retrial(folder_, line_);
    keep(ran.out);
    look();
    ++seen_.studies;
    seen_.acknowledged += acknowledged_.size();
    if (ran.code != 0)
      seen_.wrong.push_back("resumed with code " + std::to_string(ran.code) + ": " + ran.err);
    else if (digest_in(ran.out) != undisturbed)
      seen_.wrong.push_back("another outcome digest");
  }

 private:
  void pause(std::uint64_t most_ms) {
    std::this_thread::sleep_for(std::chrono::microseconds(variance::bounded(draws_.next(), most_ms * slowness * 1000)));
  }
  /// Up to two workers are killed, then their front end.
  int one_life(int most) {
    int done = 0;
    Program program(folder_, line_);
    // On a busy machine the start would take most of the kills: three in four wait for its end.
    if (variance::bounded(draws_.next(), 4) != 0) program.until_stderr("to run");
    for (auto workers = variance::bounded(draws_.next(), 3); workers > 0 && done + 1 < most; --workers) {
      pause(80);
      const auto children = program.children();
      if (children.empty()) continue;
      ::kill(children[variance::bounded(draws_.next(), children.size())], SIGKILL);
      ++done, ++seen_.kills["worker"];
    }
    pause(200);
    program.signal(SIGKILL);
    const auto ran = program.wait();
    keep(ran.out);
    if (ran.code != 128 + SIGKILL) return done;
    const bool ran_trials = ran.err.find("to run") != std::string::npos;
    ++seen_.kills[!ran_trials       ? "front end, starting"
                  : ran.out.empty() ? "front end, first trials"
                                    : "front end, later"];
    return done + 1;
  }
  void keep(const std::string& out) {
    for (const auto& attempt : acknowledged_in(out)) acknowledged_.insert(attempt);
  }
  void look() {
    const auto file = folder_.path / "s.db";
    if (!std::filesystem::exists(file)) return;
    const results::Store store(file, results::Store::Access::write);
    for (const auto& damage : store.verify(true)) seen_.wrong.push_back(damage.table + ": " + damage.problem);
    std::set<std::string> stored;
    for (const auto& trial : store.trials()) stored.insert(results::hex(trial.attempt));
    for (const auto& attempt : acknowledged_) seen_.lost += stored.contains(attempt) ? 0 : 1;
  }

  Folder folder_;
  Words line_;
  variance::Stream draws_;
  Seen& seen_;
  std::set<std::string> acknowledged_;
};

void run_lane(std::uint64_t lane, int kills, const std::array<std::string, 2>& undisturbed, Seen& seen) try {
  for (std::uint64_t study = 0; kills > 0; ++study) {
    Victim victim(study % 2 == 0, variance::Stream(fault_key("kill"), lane << 32 | study), seen);
    kills -= victim.kill_up_to(std::min(kills, 12));
    victim.resume(undisturbed[study % 2]);
  }
} catch (const std::exception& error) {
  seen.wrong.emplace_back(error.what());
}

Seen sum_of(const std::vector<Seen>& lanes) {
  Seen all;
  for (const auto& lane : lanes) {
    for (const auto& [hit, count] : lane.kills) all.kills[hit] += count;
    all.studies += lane.studies;
    all.acknowledged += lane.acknowledged;
    all.lost += lane.lost;
    all.wrong.insert(all.wrong.end(), lane.wrong.begin(), lane.wrong.end());
  }
  return all;
}

int print(const Seen& seen) {
  int total = 0;
  std::cout << "kill -9, root seed " << fault_seed() << "\n";
  for (const auto& [hit, count] : seen.kills) {
    std::cout << "  " << hit << std::string(28 - hit.size(), ' ') << count << "\n";
    total += count;
  }
  std::cout << "  kills in all                " << total << "\n  studies resumed             " << seen.studies
            << "\n  trials acknowledged         " << seen.acknowledged << "\n  acknowledged and lost       "
            << seen.lost << "\n  digests unequal or damage   " << seen.wrong.size() << std::endl;
  return total;
}

}  // namespace

TEST_CASE("front ends and workers killed at any moment: nothing acknowledged is lost, the outcome is the same",
          "[slow]") {
  std::array<std::string, 2> undisturbed;
  for (const bool brief : {true, false}) {
    const Folder folder;
    undisturbed[brief ? 0 : 1] = digest_in(run_retrial(folder, study_line(brief)).out);
  }
  const int wanted = static_cast<int>(number_from("RETRIAL_FAULT_KILLS", 100 / slowness));
  constexpr int lanes = 4;
  std::vector<Seen> seen(lanes);
  std::vector<std::thread> threads;
  for (int lane = 0; lane < lanes; ++lane)
    threads.emplace_back([&, lane] {
      run_lane(static_cast<std::uint64_t>(lane), (wanted + lanes - 1) / lanes, undisturbed,
               seen[static_cast<std::size_t>(lane)]);
    });
  for (auto& thread : threads) thread.join();
  const auto all = sum_of(seen);
  CHECK(print(all) >= wanted);
  CHECK(all.acknowledged > 0);
  CHECK(all.lost == 0);
  CHECK(all.wrong == std::vector<std::string>{});
}

}  // namespace retrial::tests::kill_tests
