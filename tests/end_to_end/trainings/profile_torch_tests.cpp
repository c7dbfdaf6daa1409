// Calls into LibTorch, which the collector of the worker counts.
#include <fstream>
#include <map>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::profile_torch_tests {

using Folder = retrial::tests::FullFolder;

TEST_CASE("a training on LibTorch has its operations, its layers and a trace that can be read") {
  const Folder folder;
  const Ran ran = run_retrial(
      folder, {"profile", "distillation", "--variant", "scratch", "--seed", "3", "--set", "student=mlp:8", "--set",
               "train_count=64", "--set", "epochs=3", "--no-calibrate", "--keep-traces", "traces", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json variant = Json::parse(ran.out).at("variants").at(0);
  CHECK(variant.at("changed").empty());
  const Json& run = variant.at("pairs").at(0).at("profile");
  CHECK(run.at("collector") == "native");
  CHECK(run.at("dropped") == 0);
  CHECK(run.at("iterations") == 4);  // three epochs, and the evaluation at the end
  CHECK(run.at("counts").at("forward").at("hooks").at("Backend").get<int>() > 6);
  const Ran read = run_retrial(folder, {"profile", "--analyze", "traces/scratch-1.rtrace", "--json"});
  INFO(read.err);
  REQUIRE(read.code == 0);
  std::map<std::string, std::uint64_t> kept, analyzed;
  for (const Json& cell : run.at("cells")) kept[cell.at(0).dump()] += cell.at(2).get<std::uint64_t>();
  const Json page = Json::parse(read.out);
  for (const Json& cell : page.at("cells").at(0).at("cells"))
    analyzed[cell.at("operations").dump()] += cell.at("ns").get<std::uint64_t>();
  CHECK(kept == analyzed);
  for (const char* operation : {"data", "forward", "backward", "step", "evaluate"})
    CHECK(kept[Json::array({operation}).dump()] > 0);
}

/// Calls into LibTorch by operation, and those of them that another call made, over all pairs.
struct Calls {
  std::map<std::string, std::int64_t> all, inner;
};

std::int64_t sum_of(const std::map<std::string, std::int64_t>& calls) {
  std::int64_t sum = 0;
  for (const auto& [operation, count] : calls) sum += count;
  return sum;
}

Calls calls_seen_by(const std::string& collector) {
  const Folder folder;
  std::ofstream(folder / "agent.toml")
      << "schema = 1\nname = \"agent\"\nworkload = \"rl\"\nseed = 3\npairs = 5\n[variant.ppo]\n"
         "steps = 1024\nrollout = 512\neval_episodes = 2\n";
  const Ran ran = run_retrial(folder, {"profile", "agent.toml", "--no-calibrate", "--json", "--collector", collector});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json variant = Json::parse(ran.out).at("variants").at(0);
  CHECK(variant.at("changed").empty());
  Calls out;
  for (const Json& pair : variant.at("pairs")) {
    CHECK(pair.at("profile").at("collector") == collector);
    for (const auto& [operation, counts] : pair.at("profile").at("counts").items()) {
      out.all[operation] += counts.at("hooks").value("Backend", 0);
      out.inner[operation] += counts.at("inner").value("Backend", 0);
    }
  }
  return out;
}

// Kineto is LibTorch's own profiler: other code with another clock, which sees the same calls.
TEST_CASE("LibTorch's own profiler sees the same calls in the same operations") {
  const Calls native = calls_seen_by("native"), kineto = calls_seen_by("kineto");
  REQUIRE(sum_of(native.all) > 10'000);
  // In one run of four Kineto had lost 46 of 572,336 calls.
  const auto near = [](std::int64_t calls) { return WithinRel(static_cast<double>(calls), .001); };
  CHECK_THAT(static_cast<double>(sum_of(kineto.all)), near(sum_of(native.all)));
  CHECK_THAT(static_cast<double>(sum_of(kineto.inner)), near(sum_of(native.inner)));
  for (const char* operation : {"inference", "backprop"}) {
    INFO(operation);
    // A call at the very begin or end of an operation may fall beside it, by the difference of both clocks.
    CHECK_THAT(static_cast<double>(kineto.all.at(operation)),
               WithinRel(static_cast<double>(native.all.at(operation)), .02));
  }
}

TEST_CASE("an agent has the operations of its algorithm, and simulation is a layer of its own") {
  const Folder folder;
  std::ofstream(folder / "agent.toml")
      << "schema = 1\nname = \"agent\"\nworkload = \"rl\"\nseed = 3\npairs = 5\n[variant.dqn]\n"
         "steps = 300\nlearning_starts = 100\neval_episodes = 2\n";
  const Ran ran = run_retrial(folder, {"profile", "agent.toml", "--no-calibrate", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json variant = Json::parse(ran.out).at("variants").at(0);
  CHECK(variant.at("changed").empty());
  const Json& counts = variant.at("pairs").at(0).at("profile").at("counts");
  CHECK(counts.at("simulation").at("hooks").at("Simulator") == 300);
  for (const char* operation : {"inference", "backprop", "replay", "evaluate"}) CHECK(counts.contains(operation));
}

TEST_CASE("rules look into both runs of a pair, and a rate of learning too small to move a weight fires one") {
  const Folder folder;
  const auto profiled =
      [&](const std::string& rate, const std::string& rules) {
        std::ofstream(folder / "agent.toml")
            << "schema = 1\nname = \"agent\"\nworkload = \"rl\"\nseed = 3\npairs = 5\n[variant.ppo]\n"
               "steps = 512\nrollout = 256\neval_episodes = 2\nlr = "
            << rate << '\n';
        return run_retrial(folder, {"profile", "agent.toml", "--no-calibrate", "--json", "--db", rate + rules + ".db",
                                    "--rules", rules, "--rule-every", "10", "--rules-fail"});
      };
  const Ran still = profiled("1e-30", "unchanged_tensor,exploding_tensor");
  INFO(still.err);
  REQUIRE(still.code == 1);
  const Json variant = Json::parse(still.out).at("variants").at(0);
  CHECK(variant.at("changed").empty());
  const Json& unchanged = variant.at("rules").at(1);  // in the order of the catalogue
  CHECK(unchanged.at("rule") == "unchanged_tensor");
  CHECK(unchanged.at("runs_fired") == 5);
  // 512 steps in minibatches of 64, ten times: 80 gradient steps, of which each tenth is looked at.
  CHECK_THAT(unchanged.at("finding").get<std::string>(), has_text("in 8 captures"));
  CHECK(variant.at("rules").at(0).at("runs_fired") == 0);
  const Ran moving = profiled("1e-3", "unchanged_tensor,weight_update_ratio,exploding_tensor");
  INFO(moving.err);
  CHECK(moving.code == 0);
  const Ran unknown = profiled("1e-3", "unchanged_tensr");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has_text("unchanged_tensor\\\"?"));
}

}  // namespace retrial::tests::profile_torch_tests
