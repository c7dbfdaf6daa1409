// Each defect, planted into the trace of a real run, is found by its own probe and by no other.
#include "workloads/pipeline/probes.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "tests/workloads/pipeline/engine/net.hpp"
#include "workloads/pipeline/record.hpp"

namespace retrial::tests::pipeline_probes_tests {

using namespace retrial;
using namespace retrial::test;
using pipeline::Method, pipeline::PassRead, pipeline::Trace;

namespace {

Trace traced(const Method& method) {
  NetPipeline<float> net(method);
  Trace trace;
  trace.passes.resize(net.pipeline.stages.size());
  for (std::size_t s = 0; s < trace.passes.size(); ++s) {
    auto& stage = net.pipeline.stages[s];
    trace.first_weights.push_back(pipeline::WeightGuard::digest_of(std::as_bytes(std::span(stage.parameters()))));
    stage.observer = [&trace, s](const PassRead& pass) { trace.passes[s].push_back(pass); };
  }
  net.run();
  for (const auto& stage : net.pipeline.stages) trace.updates.push_back(stage.version());
  trace.units = method.units();
  trace.counters = pipeline::counters_of(net.pipeline);
  return trace;
}

std::vector<std::string> kinds_found(const Trace& trace, const Method& method) {
  const auto reads = pipeline::check_reads(trace, method);
  Values values{{"pipemare_samples", method.pipemare_samples}};
  std::vector<std::string> kinds;
  for (const auto& found : {pipeline::check_delays(trace, method), reads, pipeline::check_gradients(trace, method),
                            check_methods(pipeline::promises_of(values, method), trace.counters, !reads)})
    if (found) kinds.push_back(found->kind);
  return kinds;
}

using Kinds = std::vector<std::string>;

Method sound(const std::string& semantics = "stashed", const std::string& corrector = "sc") {
  Method method = net_method(5, "pb", semantics, corrector);
  method.schedule = {{30, .5}};
  return method;
}

}  // namespace

TEST_CASE("a sound pipeline has no finding under any semantics and corrector") {
  for (const char* delay : {"pb", "one_f_one_b"})
    for (const std::string& corrector : pipeline::corrector_names()) {
      Method method = net_method(4, delay, "inconsistent", corrector);
      method.pipemare_samples = 20;
      CAPTURE(delay, corrector);
      CHECK(kinds_found(traced(method), method) == Kinds{});
    }
  for (const char* semantics : {"stashed", "vertical_sync", "recomputed"}) {
    CAPTURE(semantics);
    CHECK(kinds_found(traced(sound(semantics)), sound(semantics)) == Kinds{});
  }
  for (const char* semantics : {"uniform_delay", "forward_delay_only"}) {
    Method method = net_method(4, "uniform", semantics);
    method.microbatches = 3;
    CHECK(kinds_found(traced(method), method) == Kinds{});
  }
  Method drained = net_method(4, "none", "drained");
  drained.microbatches = 4;
  CHECK(kinds_found(traced(drained), drained) == Kinds{});
  CHECK(kinds_found(traced(net_method(4, "none", "sequential")), net_method(4, "none", "sequential")) == Kinds{});
}

TEST_CASE("a stash that is not used") {
  Trace trace = traced(sound());
  for (auto& stage : trace.passes)  // backwards read the bytes of now and claim those of their forward
    for (std::size_t i = 1; i < stage.size(); ++i)
      if (stage[i].backward) stage[i].digest = stage[i - 1].weights;
  CHECK(kinds_found(trace, sound()) == Kinds{"wrong-weights"});
  for (auto& stage : trace.passes)  // or say so, and the counter of old reads stays 0
    for (auto& pass : stage)
      if (pass.backward) pass.version = pass.updates - 1;
  trace.counters.stale_stash_reads = 0;
  CHECK(kinds_found(trace, sound()) == Kinds{"wrong-weights"});
}

TEST_CASE("a corrector called with no delay") {
  Trace trace = traced(sound("inconsistent", "sc"));
  trace.counters.spiked_updates = 0;
  CHECK(kinds_found(trace, sound("inconsistent", "sc")) == Kinds{"method-inactive"});
}

TEST_CASE("a dropped last gradient") {
  Trace trace = traced(sound("inconsistent"));
  trace.passes[2].pop_back();
  CHECK(kinds_found(trace, sound("inconsistent")) == Kinds{"gradient-lost"});
  trace = traced(sound("inconsistent"));
  trace.updates[4] -= 1;
  CHECK(kinds_found(trace, sound("inconsistent")) == Kinds{"gradient-lost"});
}

TEST_CASE("a schedule keyed to the tick") {
  Trace trace = traced(sound("inconsistent"));
  for (std::size_t s = 0; s < trace.passes.size(); ++s)  // stage s runs the backward of i at tick i + 8 - s
    for (auto& pass : trace.passes[s])
      if (pass.backward) pass.lr = .05 * (pass.unit + 8 - static_cast<std::int64_t>(s) >= 30 ? .5 : 1);
  CHECK(kinds_found(trace, sound("inconsistent")) == Kinds{"delay-differs"});
  // A program keyed to the clock of another model: the delays are those of one_f_one_b.
  Method other = sound("inconsistent");
  other.delays = {4, 3, 2, 1, 0};
  CHECK(kinds_found(traced(other), sound("inconsistent")) == Kinds{"delay-differs"});
}

TEST_CASE("every short trial of the workload passes its probes") {
  for (const char* variant : {"seq", "pb-lwp-sc", "pb-stash", "2bw", "gpipe", "pipemare", "spectrain", "dc-asgd"}) {
    Values keys{{"stages", std::int64_t{4}}, {"width", std::int64_t{8}}};
    for (const auto& [key, value] : workloads::find_variant(workloads::find_workload("pipeline", ""), variant)->preset)
      keys.insert({key, value});
    const auto report = workloads::find_probe("pipeline")(workloads::trial_of("pipeline", keys, 1, 0, variant), {});
    CAPTURE(variant);
    CHECK(report.findings.empty());
    CHECK(report.looked_at.size() == 1);
  }
}

}  // namespace retrial::tests::pipeline_probes_tests
