#include "workloads/automl/search_times.hpp"

#include <chrono>
#include <future>

#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::search_times_tests {

using namespace retrial;
using namespace std::chrono_literals;

namespace {

/// Waits, which costs time and no CPU.
class Waiting final : public automl::Problem {
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
  automl::SearchTimes().record(log, "", 1);
  CHECK(log.metrics.empty());
}

}  // namespace retrial::tests::search_times_tests
