// Properties of the weight semantics: which of them agree, where, and what each counts.
#include "tests/catch.hpp"
#include "tests/workloads/pipeline/engine/net.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/engine/account.hpp"

namespace retrial::tests::pipeline_semantics_tests {

using namespace retrial;
using namespace retrial::test;
using pipeline::Method;

namespace {

/// Every combination of a semantics and a corrector that a pipeline with graded delays can have.
template <typename Each>
void for_each_method(std::int64_t stages, const Each& each) {
  for (const char* delay : {"pb", "one_f_one_b"})
    for (const char* semantics : {"inconsistent", "stashed", "vertical_sync", "recomputed"})
      for (const std::string& corrector : pipeline::corrector_names()) {
        const bool lags = std::string(semantics) == "vertical_sync", own = std::string(semantics) == "inconsistent";
        if (lags && corrector != "none" && corrector != "sc") continue;
        if (!own && (corrector == "spectrain" || corrector == "pipemare")) continue;
        INFO(delay << ", " << semantics << ", " << corrector);
        each(net_method(stages, delay, semantics, corrector));
      }
}

}  // namespace

TEST_CASE("without a delay every semantics and corrector is sequential training, in every bit") {
  const auto sequential = weights_of(net_method(1, "none", "sequential"));
  for_each_method(1, [&](Method method) {
    if (method.corrector == pipeline::Corrector::gsc) method.gsc_a = 1, method.gsc_b = 0;
    CHECK(weights_of(method) == sequential);
  });
  const auto four = weights_of(net_method(4, "none", "sequential"));
  for (const char* semantics : {"uniform_delay", "forward_delay_only"})
    for (const char* corrector : {"none", "sc"}) {
      Method method = net_method(4, "uniform", semantics, corrector);
      method.delays.assign(4, 0);
      CHECK(weights_of(method) == four);
    }
  CHECK(weights_of(net_method(4, "none", "drained")) == four);
}

TEST_CASE("the first update of a delayed pipeline is that of sequential training: nothing starts from zero gradients") {
  const auto sequential = weights_of(net_method(4, "none", "sequential", "none", 1));
  for_each_method(4, [&](Method method) {
    method.updates = 1;
    if (method.corrector != pipeline::Corrector::none && method.corrector != pipeline::Corrector::dc_asgd &&
        !std::string(pipeline::rule_of(method.corrector).name).starts_with("lwp_"))
      return;
    if (pipeline::rule_of(method.corrector).spikes) return;
    CHECK(weights_of(method) == sequential);
  });
}

TEST_CASE("one version at all stages is a uniform delay of that of stage 0, in every bit") {
  for (const char* corrector : {"none", "sc"}) {
    Method uniform = net_method(5, "uniform", "uniform_delay", corrector);
    uniform.delays.assign(5, 8);
    CHECK(weights_of(net_method(5, "pb", "vertical_sync", corrector)) == weights_of(uniform));
  }
}

TEST_CASE("three stages are the fewest in which stored weights matter") {
  CHECK(weights_of(net_method(2, "pb", "stashed")) == weights_of(net_method(2, "pb", "inconsistent")));
  CHECK(weights_of(net_method(3, "pb", "stashed")) != weights_of(net_method(3, "pb", "inconsistent")));
}

TEST_CASE("every stage counts the delays of its model, start-up included, and takes every gradient once") {
  for (std::int64_t stages = 1; stages <= 16; ++stages)
    for (const auto& [delay, semantics] : {std::pair("pb", "inconsistent"),
                                           {"one_f_one_b", "stashed"},
                                           {"pb", "vertical_sync"},
                                           {"uniform", "uniform_delay"},
                                           {"none", "sequential"},
                                           {"uniform", "forward_delay_only"}}) {
      INFO(delay << ", " << semantics << ", " << stages << " stages");
      NetPipeline<float> net(net_method(stages, delay, semantics));
      net.run();
      const Method& method = net.pipeline.method;
      for (std::int64_t s = 0; s < stages; ++s) {
        pipeline::DelayHistogram expected;
        for (std::int64_t i = 0; i < method.updates; ++i) ++expected[std::min(i, method.lateness(s))];
        const auto& stage = net.pipeline.stages[static_cast<std::size_t>(s)];
        CHECK(stage.delays() == expected);
        CHECK(stage.version() == method.updates);
        for (const auto& [late, count] : expected) CHECK(pipeline::expected_count(method, s, late) == count);
      }
    }
  Method own = net_method(5, "pb", "inconsistent");
  own.delays = {7, 7, 3, 0, 0};
  NetPipeline<float> net(own);
  net.run();
  CHECK(net.pipeline.stages[1].delays().rbegin()->first == 7);
  CHECK(net.pipeline.stages[3].delays() == pipeline::DelayHistogram{{0, 60}});
}

TEST_CASE("one forward, one backward: S - s buffers suffice at stage s, and are used") {
  constexpr std::int64_t stages = 6;
  NetPipeline<float> net(net_method(stages, "one_f_one_b", "stashed"));
  std::vector<std::int64_t> most(stages, 0);
  net.pipeline.interference = [&](std::int64_t s, std::int64_t) {
    const auto& stage = net.pipeline.stages[static_cast<std::size_t>(s)];
    auto& known = most[static_cast<std::size_t>(s)];
    known = std::max(known, stage.forwards() - stage.backwards());
  };
  net.run();
  CHECK(most == std::vector<std::int64_t>{6, 5, 4, 3, 2, 1});
}

TEST_CASE("draining is accumulation: micro-batches of a drained update give the gradient of their sum") {
  // One update of M micro-batches of one sample is that of one micro-batch of M samples up to rounding; in doubles.
  Method one = net_method(4, "none", "sequential");
  one.batch = 4, one.updates = 20, one.dropout = .3;  // masks belong to samples
  Method drained = net_method(4, "none", "drained");
  drained.microbatches = 4, drained.updates = 20, drained.dropout = .3;
  const auto a = weights_of<double>(one), b = weights_of<double>(drained);
  for (std::size_t s = 0; s < a.size(); ++s)
    for (std::size_t i = 0; i < a[s].size(); ++i) CHECK_THAT(a[s][i], WithinAbs(b[s][i], 1e-12));
  Method lagging = drained;
  lagging.semantics = pipeline::WeightSemantics::uniform_delay;
  CHECK(weights_of<double>(lagging) == b);  // without a delay the order of passes changes no bit
}

TEST_CASE("a method leaves its trace in the counters, and only its own") {
  const auto counted = [](const Method& method) {
    NetPipeline<float> net(method);
    net.run();
    return net.pipeline.stages.front().counters();
  };
  const auto pb = [&](const char* corrector) { return counted(net_method(4, "pb", "inconsistent", corrector)); };
  CHECK(counted(net_method(4, "none", "sequential")) == pipeline::Counters{});
  CHECK(pb("none") == pipeline::Counters{.other_weights = 59});  // the first sample alone reads the weights of now
  CHECK(pb("sc").spiked_updates == 60);
  CHECK(pb("lwp_v").predicted_reads == 60);
  CHECK(pb("spectrain").predicted_reads == 60);
  CHECK(pb("pipemare").corrected_reads == 60);
  CHECK(pb("dc_asgd").compensated_updates == 59);
  CHECK(counted(net_method(4, "pb", "stashed")) == pipeline::Counters{.stale_stash_reads = 59});
  Method lowered = net_method(4, "pb", "inconsistent");
  lowered.pipemare_samples = 10;
  CHECK(counted(lowered).scaled_rates == 10);
}

TEST_CASE("the guard finds a backward on other weights, and a write behind its back by the digest alone") {
  std::vector<double> weights{1, 2, 3};
  const auto bytes = [&] { return std::as_bytes(std::span(weights)); };
  for (const auto mode : {pipeline::GuardMode::off, pipeline::GuardMode::version, pipeline::GuardMode::digest}) {
    const pipeline::WeightGuard guard(mode, "stage2.weight");
    const auto receipt = guard.at_forward(4, bytes());
    CHECK_NOTHROW(guard.at_backward(receipt, 4, bytes(), 7));
    if (mode == pipeline::GuardMode::off)
      CHECK_NOTHROW(guard.at_backward(receipt, 5, bytes(), 7));
    else
      CHECK_THROWS_WITH(guard.at_backward(receipt, 5, bytes(), 7),
                        has_text("stage2.weight, sample 7") && has_text("version 5, not 4"));
    weights[1] = 2.5;
    if (mode == pipeline::GuardMode::digest)
      CHECK_THROWS_WITH(guard.at_backward(receipt, 4, bytes(), 7),
                        has_text("digest") && has_text("at the same version 4"));
    else
      CHECK_NOTHROW(guard.at_backward(receipt, 4, bytes(), 7));
    weights[1] = 2;
  }
}

TEST_CASE("every promise of equal weights holds under the strictest guard") {
  for (const auto& [delay, semantics] : {std::pair("none", "sequential"),
                                         {"pb", "stashed"},
                                         {"pb", "vertical_sync"},
                                         {"uniform", "uniform_delay"},
                                         {"none", "drained"}}) {
    Method method = net_method(4, delay, semantics);
    method.guard = pipeline::GuardMode::digest;
    CHECK_NOTHROW(weights_of(method));
  }
}

TEST_CASE("a pipeline is as busy as the closed forms say") {
  using pipeline::SlotModel, pipeline::WeightSemantics, pipeline::DelayModel;
  const auto use = [](SlotModel model, WeightSemantics semantics, DelayModel delay, std::int64_t stages, std::int64_t m,
                      std::int64_t total) {
    return pipeline::utilisation(model, pipeline::programs(semantics, pipeline::delays(delay, stages), m, total));
  };
  const auto close = [](double wanted) { return WithinRel(wanted, 1e-8); };
  // Section 18 of the specification: fill and drain in the tick model, GPipe, 1F1B and PB in the slot model.
  const auto tick_of = [](std::int64_t stages, std::int64_t n) {
    Method method = net_method(stages, "none", "drained", "none", 3);
    method.microbatches = n;
    return pipeline::utilisation(SlotModel::tick, method);
  };
  CHECK_THAT(tick_of(4, 8), close(8.0 / 14));
  CHECK_THAT(tick_of(4, 32), close(32.0 / 38));
  CHECK_THAT(tick_of(8, 16), close(16.0 / 30));
  CHECK_THAT(tick_of(34, 128), WithinAbs(.659793814, 1e-9));
  CHECK_THAT(tick_of(169, 128), WithinAbs(.275862069, 1e-9));
  CHECK_THAT(tick_of(34, 1), WithinAbs(.014925373, 1e-9));
  for (const auto& [semantics, delay] : {std::pair(WeightSemantics::drained, DelayModel::none),
                                         {WeightSemantics::stashed, DelayModel::one_f_one_b},
                                         {WeightSemantics::inconsistent, DelayModel::pb}}) {
    CHECK_THAT(use(SlotModel::slot, semantics, delay, 4, 8, 8), close(8.0 / 11));
    CHECK_THAT(use(SlotModel::slot, semantics, delay, 8, 32, 32), close(32.0 / 39));
  }
  CHECK_THAT(use(SlotModel::tick, WeightSemantics::inconsistent, DelayModel::pb, 12, 1, 1000), close(1000.0 / 1022));
  CHECK_THAT(use(SlotModel::tick, WeightSemantics::sequential, DelayModel::none, 12, 1, 1000), close(1.0 / 23));
  CHECK_THAT(use(SlotModel::slot, WeightSemantics::sequential, DelayModel::none, 12, 1, 1000), close(1.0 / 12));
}

TEST_CASE("the memory account of the study's network") {
  // Section 12.4 of the specification: 11,236 weights, 139,364 stored ones, 258,428 with one version at all stages.
  const pipeline::Network network = pipeline::study_network(12, 32, 16, 4);
  CHECK(pipeline::parameters_of(network) == 11236);
  const auto versions = [&](const char* delay, const char* semantics) {
    return pipeline::memory_account(net_method(12, delay, semantics), network).versions;
  };
  CHECK(versions("none", "sequential") == 11236);
  CHECK(versions("pb", "inconsistent") == 11236);
  CHECK(versions("pb", "stashed") == 139364);
  CHECK(versions("pb", "vertical_sync") == 258428);
  CHECK(versions("uniform", "uniform_delay") == 5 * 11236);
}

}  // namespace retrial::tests::pipeline_semantics_tests
