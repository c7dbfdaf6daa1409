#include "workloads/automl/search_times.hpp"

#include <chrono>
#include <future>
#include <sstream>
#include <stdexcept>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::search_times_tests {

using namespace retrial;
using namespace std::chrono_literals;

namespace {

/// Waits, which costs time and no CPU.
class Waiting : public automl::Problem {
 public:
  [[nodiscard]] std::string task() const override { return "wait"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"wait"}; }
  [[nodiscard]] std::vector<automl::Hyperparameter> space(std::size_t) const override { return {}; }
  [[nodiscard]] std::int64_t declared_cost(const automl::Evaluation&) const override { return 1; }
  [[nodiscard]] automl::Outcome evaluate(const automl::Evaluation&) const override {
    std::this_thread::sleep_for(20ms);
    return {.cost = 1};
  }
};

class Failing final : public Waiting {
 public:
  [[nodiscard]] automl::Outcome evaluate(const automl::Evaluation&) const override { throw std::runtime_error("no"); }
};

}  // namespace

TEST_CASE("a search that only waits for evaluations has all of its time in them, and next to no overhead") {
  const Waiting problem;
  automl::SearchTimes times;
  {
    const automl::SearchTimes::Delivering now(times);
    for (int i = 0; i < 3; ++i) (void)times.evaluated(problem, {});
  }
  workloads::LogRecorder log;
  times.record(log, "_phoneme", 1);
  const double share = log.final_value("utilisation_real_phoneme");
  CHECK((share > 0.9 && share <= 1.0));
  const double overhead = log.final_value("overhead_us_phoneme");
  CHECK((overhead >= 0.0 && overhead < 2'000.0));  // of 20,000 us that each takes
}

TEST_CASE("evaluations on two threads at once use both, and one after the other half of them") {
  const Waiting problem;
  const auto share = [&](std::launch how) {
    automl::SearchTimes times;
    {
      const automl::SearchTimes::Delivering now(times);
      for (int i = 0; i < 2; ++i) {
        auto first = std::async(how, [&] { return times.evaluated(problem, {}); });
        auto second = std::async(how, [&] { return times.evaluated(problem, {}); });
        first.wait(), second.wait();
      }
    }
    workloads::LogRecorder log;
    times.record(log, "", 2);
    return log.final_value("utilisation_real");
  };
  CHECK(share(std::launch::deferred) <= 0.5);
  CHECK(share(std::launch::async) > 0.5);
}

TEST_CASE("a search without an evaluation has no times") {
  workloads::LogRecorder log;
  automl::SearchTimes times;
  times.record(log, "", 1);
  CHECK(log.metrics.empty());
  CHECK(times.text() == "[\"id\",\"wall_ns\",\"cpu_ns\",\"thread\"]\n");
}

TEST_CASE("each evaluation has a line of times by its id, one that fails included") {
  const Waiting waiting;
  automl::SearchTimes times;
  (void)std::async(std::launch::async, [&] { return times.evaluated(waiting, {.id = 7}); }).get();
  (void)times.evaluated(waiting, {.id = 2});
  CHECK_THROWS(times.evaluated(Failing(), {.id = 5}));
  std::istringstream lines(times.text());
  std::string names, line;
  std::getline(lines, names);
  std::vector<std::vector<std::int64_t>> rows;
  while (std::getline(lines, line)) rows.push_back(Json::parse(line).get<std::vector<std::int64_t>>());
  REQUIRE(rows.size() == 3);
  CHECK((rows[0][0] == 2 && rows[1][0] == 5 && rows[2][0] == 7));
  CHECK((rows[0][3] == 1 && rows[1][3] == 1 && rows[2][3] == 0));  // the other thread was the first to end
  for (const auto& row : {rows[0], rows[2]}) {
    CHECK(row[1] >= 20'000'000);  // it slept for 20 ms,
    CHECK(row[2] < 10'000'000);   // which is no CPU time
  }
}

}  // namespace retrial::tests::search_times_tests
