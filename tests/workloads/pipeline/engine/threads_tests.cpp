// Real threads against the simulated clock: equal in every bit, whatever the timing.
#include <chrono>
#include <set>
#include <sstream>
#include <thread>

#include "tests/catch.hpp"
#include "tests/workloads/pipeline/engine/net.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::pipeline_threads_tests {

using namespace retrial;
using namespace retrial::test;
using pipeline::Method;

namespace {

/// Sleeps and yields at random places, so that threads meet in other orders each time.
void disturb(pipeline::Pipeline<float>& pipeline, std::uint64_t seed) {
  pipeline.interference = [seed](std::int64_t stage, std::int64_t unit) {
    const std::uint64_t word = variance::block(seed, static_cast<std::uint64_t>(unit * 64 + stage), 0)[0];
    if (word % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(word / 16 % 60));
    if (word % 16 == 1) std::this_thread::yield();
  };
}

std::vector<std::vector<float>> on_threads(const Method& method, std::int64_t workers, std::int64_t queue,
                                           std::uint64_t seed) {
  NetPipeline<float> net(method);
  disturb(net.pipeline, seed);
  pipeline::ThreadedEngine<float>(net.pipeline, workers, queue).run(method.units());
  return net.weights();
}

}  // namespace

TEST_CASE("threads give the bits of the simulated clock") {
  std::vector<Method> all = threaded_methods(5);
  all.push_back(net_method(5, "pb", "stashed"));
  all.back().delays = {9, 9, 3, 1, 1};
  for (const Method& method : all) {
    const auto wanted = weights_of(method);
    INFO(pipeline::rule_of(method.semantics).name << ", " << pipeline::rule_of(method.corrector).name);
    std::uint64_t seed = 1;
    for (const std::int64_t workers : {1, 2, 3, 5})
      for (const std::int64_t queue : {1, 2, 8}) CHECK(on_threads(method, workers, queue, ++seed) == wanted);
  }
}

TEST_CASE("a run saved by one executor in mid-pipeline goes on in the other") {
  for (const char* semantics : {"inconsistent", "stashed", "vertical_sync", "recomputed"}) {
    Method method = net_method(4, "pb", semantics, std::string(semantics) == "inconsistent" ? "lwp_w+sc" : "none");
    method.dropout = .25;
    const auto wanted = weights_of(method);
    for (const bool threads_first : {true, false}) {
      const auto run = [&](NetPipeline<float>& net, bool threads, std::int64_t cut) {
        if (threads)
          pipeline::ThreadedEngine<float>(net.pipeline, 2, 1).run(cut);
        else
          pipeline::TickEngine<float>(net.pipeline).run(cut);
      };
      for (const std::int64_t cut : {1, 3, 30, 58}) {
        NetPipeline<float> before(method), after(method);
        run(before, threads_first, cut);
        std::stringstream state;
        nn::StateWriter to(state);
        before.pipeline.save(to);
        nn::StateReader from(state);
        after.pipeline.load(from);
        run(after, !threads_first, method.units());
        CHECK(after.weights() == wanted);
      }
    }
  }
}

TEST_CASE("an exception in a worker names stage and tick, and no thread outlives it") {
  for (const std::int64_t workers : {1, 2, 4}) {
    NetPipeline<float> net(net_method(4, "pb", "inconsistent"));
    net.pipeline.interference = [](std::int64_t stage, std::int64_t unit) {
      if (stage == 2 && unit == 20) throw std::runtime_error("planted");
    };
    pipeline::ThreadedEngine<float> engine(net.pipeline, workers, 2);
    CHECK_THROWS_WITH(engine.run(60), "stage 2, tick 22: planted");
  }
}

TEST_CASE("free threads apply every sample, with delays of at most those of the model") {
  for (int round = 0; round < 20; ++round) {
    NetPipeline<float> net(net_method(5, "pb", round % 2 == 0 ? "inconsistent" : "stashed"));
    disturb(net.pipeline, static_cast<std::uint64_t>(round));
    pipeline::ThreadedEngine<float>(net.pipeline, 1 + round % 4, 1 + round % 3).run_free();
    CHECK(net.pipeline.finished());
    CHECK(net.pipeline.weights_finite());
    for (std::int64_t s = 0; s < 5; ++s) {
      std::int64_t sum = 0;
      for (const auto& [delay, count] : net.pipeline.stages[static_cast<std::size_t>(s)].delays()) {
        CHECK(delay <= net.pipeline.method.delays[static_cast<std::size_t>(s)]);
        sum += count;
      }
      CHECK(sum == net.pipeline.method.updates);
    }
  }
}

TEST_CASE("one free worker trains sequentially: a backward goes before a forward") {
  NetPipeline<float> net(net_method(4, "pb", "inconsistent"));
  pipeline::ThreadedEngine<float>(net.pipeline, 1, 4).run_free();
  CHECK(net.weights() == weights_of(net_method(4, "none", "sequential")));
}

TEST_CASE("from the first loss that is not finite no gradient is applied, by any executor") {
  for (const char* semantics : {"inconsistent", "stashed"})
    for (const std::int64_t lost : {0, 1, 5, 30, 57, 59}) {
      const Method method = net_method(4, "pb", semantics);
      const auto breaks = [&](NetPipeline<float>& net) {
        net.pipeline.loss = [lost, whole = net.pipeline.loss](std::int64_t unit, pipeline::Item<float>& out) {
          return unit == lost ? std::nan("") : whole(unit, out);
        };
      };
      Method shorter = method;  // the same samples, and none behind them
      shorter.updates = lost;
      NetPipeline<float> wanted(shorter), tick(method);
      if (lost > 0) wanted.run();
      breaks(tick);
      tick.run();
      CHECK(tick.pipeline.diverged_unit == lost);
      CHECK(tick.pipeline.losses.size() == static_cast<std::size_t>(lost));
      CHECK(tick.weights() == wanted.weights());
      for (const auto& stage : tick.pipeline.stages) CHECK(stage.version() == lost);
      for (const std::int64_t workers : {1, 2, 4})
        for (const std::int64_t queue : {1, 4}) {
          NetPipeline<float> threads(method);
          breaks(threads);
          disturb(threads.pipeline, 3);
          pipeline::ThreadedEngine<float>(threads.pipeline, workers, queue).run(method.units());
          CHECK(threads.weights() == tick.weights());
        }
    }
}

TEST_CASE("masks belong to samples: micro-batches and workers change no bit of dropout") {
  for (const std::int64_t stages : {1, 2, 4, 8})
    for (const std::int64_t microbatches : {1, 2, 4}) {
      Method accumulated = net_method(stages, "uniform", "uniform_delay");
      accumulated.delays.assign(static_cast<std::size_t>(stages), 0);
      accumulated.microbatches = microbatches, accumulated.dropout = .4, accumulated.updates = 12;
      Method drained = accumulated;
      drained.semantics = pipeline::WeightSemantics::drained;
      drained.delay_model = pipeline::DelayModel::none;
      const auto wanted = weights_of(accumulated);
      CHECK(weights_of(drained) == wanted);
      for (const std::int64_t workers : {std::int64_t{1}, std::min<std::int64_t>(2, stages)})
        CHECK(on_threads(drained, workers, 1, 9) == wanted);
    }
}

TEST_CASE("10,000 runs under random sleeps end, with the bits of the simulated clock", "[slow]") {
  for (std::uint64_t round = 0; round < 10000; ++round) {
    const auto drawn = [&](std::uint64_t what, std::uint64_t n) {
      return static_cast<std::int64_t>(
          variance::bounded(variance::block(77, round, static_cast<std::uint32_t>(what))[0], n));
    };
    const std::int64_t stages = 1 + drawn(0, 6);
    Method method =
        net_method(stages, drawn(1, 2) == 0 ? "pb" : "one_f_one_b", drawn(2, 2) == 0 ? "inconsistent" : "stashed");
    method.updates = 1 + drawn(3, 24);
    REQUIRE(on_threads(method, 1 + drawn(4, static_cast<std::uint64_t>(stages)), 1 + drawn(5, 4), round) ==
            weights_of(method));
  }
}

}  // namespace retrial::tests::pipeline_threads_tests
