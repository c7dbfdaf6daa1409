// Stages on LibTorch beside the native ones, and what those lack: images and normalization.
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>
#include <torch/optim/sgd.h>

#include <cmath>
#include <set>
#include <sstream>

#include "tests/catch_torch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "tests/workloads/pipeline/engine/net.hpp"
#include "workloads/pipeline/arithmetic/kernels.hpp"
#include "workloads/pipeline/engine/account.hpp"
#include "workloads/pruning/tensors/one_thread_torch.hpp"

namespace retrial::tests::pipeline_stage_torch_tests {

using namespace retrial;
using namespace retrial::test;
using namespace retrial::workloads;
using pipeline::Method, pipeline::Norm;
using std::string_literals::operator""s;

namespace {

/// One thread of LibTorch, as the kernel mode of a worker says.
template <typename Real>
struct TorchNet : pruning::OneThread, NetPipeline<Real> {
  explicit TorchNet(const Method& method) : NetPipeline<Real>(method, 1, pipeline::torch_math<Real>()) {}
  TorchNet(const Method& method, const pipeline::Network& network)
      : NetPipeline<Real>(method, network, 1, pipeline::torch_math<Real>()) {}
};

std::string name_of(const Method& method) {
  return std::string(pipeline::rule_of(method.semantics).name) + ", " +
         std::string(pipeline::rule_of(method.corrector).name);
}

pipeline::Network small_images(Norm norm) {
  return pipeline::normalized(pipeline::image_network(2, 5, 6, NetPipeline<double>::classes), norm);
}

Method image_method(const char* delay, const char* semantics, const char* corrector = "none",
                    std::int64_t updates = 30) {
  return net_method(pipeline::image_stages, delay, semantics, corrector, updates);
}

}  // namespace

TEST_CASE("stages on LibTorch end with the weights of native ones, for every semantics, corrector and optimizer") {
  std::vector<Method> all = threaded_methods(4, 500);
  for (const char* corrector : {"none", "sc"})
    for (const char* semantics : {"uniform_delay", "forward_delay_only"})
      all.push_back(net_method(4, "uniform", semantics, corrector, 500));
  for (Method method : all) {
    INFO(name_of(method));
    method.rates = {.02, .8};
    method.dropout = .1;
    NetPipeline<double> native(method);
    TorchNet<double> torch(method);
    native.run();
    torch.run();
    const auto a = native.weights(), b = torch.weights();
    for (std::size_t s = 0; s < a.size(); ++s)
      for (std::size_t i = 0; i < a[s].size(); ++i) CHECK_THAT(b[s][i], WithinRel(a[s][i], 1e-10));
  }
}

TEST_CASE("semantics and correctors do not agree on LibTorch either: a stage reads the weights it is told to") {
  std::set<std::vector<std::vector<double>>> seen;
  for (const char* semantics : {"inconsistent", "stashed", "recomputed", "vertical_sync"}) {
    TorchNet<double> net(image_method("pb", semantics));
    net.run();
    seen.insert(net.weights());
  }
  CHECK(seen.size() == 4);
}

TEST_CASE("threads give the bits of the simulated clock with stages on LibTorch") {
  for (const char* semantics : {"inconsistent", "stashed", "recomputed", "vertical_sync"}) {
    INFO(semantics);
    const Method method = image_method("pb", semantics, semantics == "stashed"s ? "sc" : "none");
    TorchNet<float> tick(method, small_images(Norm::group));
    tick.run();
    for (const std::int64_t workers : {2, 7}) {
      TorchNet<float> threads(method, small_images(Norm::group));
      pipeline::ThreadedEngine<float>(threads.pipeline, workers, 1).run(method.units());
      CHECK(threads.weights() == tick.weights());
    }
  }
}

TEST_CASE("free threads apply every sample with stages on LibTorch, and one of them trains sequentially") {
  TorchNet<double> one(net_method(4, "pb", "inconsistent"));
  pipeline::ThreadedEngine<double>(one.pipeline, 1, 4).run_free();
  const auto a = weights_of<double>(net_method(4, "none", "sequential")), b = one.weights();
  for (std::size_t s = 0; s < a.size(); ++s)
    for (std::size_t i = 0; i < a[s].size(); ++i) CHECK_THAT(b[s][i], WithinRel(a[s][i], 1e-10));
  for (const std::int64_t workers : {2, 4}) {
    TorchNet<float> net(net_method(4, "pb", "stashed"));
    pipeline::ThreadedEngine<float>(net.pipeline, workers, 1).run_free();
    CHECK(net.pipeline.finished());
    CHECK(net.pipeline.weights_finite());
    for (std::int64_t s = 0; s < 4; ++s) {
      const auto& stage = net.pipeline.stages[static_cast<std::size_t>(s)];
      CHECK(stage.version() == 60);
      CHECK(stage.delays().rbegin()->first <= 2 * (3 - s));
    }
  }
}

TEST_CASE("spike compensation for one update is Nesterov's momentum of the linked library") {
  at::Tensor w = at::linspace(-1, 1, 37, at::kDouble).requires_grad_();
  torch::optim::SGD library({w}, torch::optim::SGDOptions(.03).momentum(.9).nesterov(true));
  std::vector<double> ours(w.const_data_ptr<double>(), w.const_data_ptr<double>() + 37), velocity(37, 0.0);
  const auto spike = pipeline::sc_coefficients(.9, 1);
  for (std::uint64_t step = 0; step < 50; ++step) {
    std::vector<double> g;
    for (std::uint64_t i = 0; i < 37; ++i) g.push_back(variance::normal(variance::block(8, 37 * step + i, 0)[0]));
    w.mutable_grad() = at::tensor(g, at::kDouble);
    library.step();
    pipeline::apply_update<double>(ours, velocity, g, .9, .03, spike);
  }
  // The library's kernels fuse products and sums. Three roundings per step of numbers below 4 are 7e-14 in 50 steps.
  for (std::size_t i = 0; i < 37; ++i) CHECK_THAT(ours[i], WithinAbs(w.const_data_ptr<double>()[i], 7e-14));
}

TEST_CASE("a normalization sees small differences of large numbers") {
  // E[x^2] - E[x]^2 would lose them: 1e4 and noise of 1e-2 in float, values of one group.
  const pipeline::Network network = pipeline::normalized(pipeline::study_network(2, 64, 64, 2), Norm::layer);
  pipeline::Layer layer = network.front();
  layer.tanh = false;
  const pruning::OneThread one_thread;
  std::vector<double> parameters = pipeline::initial_parameters(layer, 0, 1);
  std::vector<float> weights(parameters.begin(), parameters.end()), x(64), y(64);
  for (std::size_t j = 0; j < 64; ++j)
    for (std::size_t i = 0; i < 64; ++i) weights[i * 64 + j] = i == j ? 1 : 0;  // as it is
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < 64; ++i)
    x[i] = 1e4F + .01F * static_cast<float>(variance::normal(variance::block(9, i, 0)[0])), mean += x[i] / 64;
  for (std::size_t i = 0; i < 64; ++i) square += (x[i] - mean) * (x[i] - mean) / 64;
  pipeline::Kept<float> kept;
  pipeline::torch_math<float>().forward(layer, weights, x, kept, y);
  for (std::size_t i = 0; i < 64; ++i) CHECK_THAT(y[i], WithinAbs((x[i] - mean) / std::sqrt(square + 1e-5), .05));
}

TEST_CASE("a run of stages on LibTorch is saved in mid-pipeline and goes on with the same bits") {
  for (const char* semantics : {"inconsistent", "stashed", "recomputed", "vertical_sync"})
    for (const char* corrector : {"none", "lwp_v+sc", "spectrain", "pipemare", "dc_asgd"}) {
      if (semantics != "inconsistent"s && corrector != "none"s) continue;
      INFO(semantics << ", " << corrector);
      const Method method = image_method("pb", semantics, corrector);
      TorchNet<float> once(method, small_images(Norm::group));
      once.run();
      for (const std::int64_t cut : {1, 14, 29}) {
        TorchNet<float> before(method, small_images(Norm::group)), after(method, small_images(Norm::group));
        pipeline::TickEngine<float>(before.pipeline).run(cut);
        std::stringstream state;
        nn::StateWriter to(state);
        before.pipeline.save(to);
        nn::StateReader from(state);
        after.pipeline.load(from);
        pipeline::ThreadedEngine<float>(after.pipeline, 2, 2).run(method.units());
        CHECK(after.weights() == once.weights());
      }
    }
}

TEST_CASE("the guard finds a write behind the back of stages on LibTorch") {
  for (const char* semantics : {"sequential", "stashed"}) {
    Method method = net_method(3, semantics == "stashed"s ? "pb" : "none", semantics);
    method.guard = pipeline::GuardMode::digest;
    TorchNet<double> clean(method), written(method);
    CHECK_NOTHROW(clean.run());
    auto& stages = written.pipeline.stages;
    written.pipeline.interference = [&](std::int64_t stage, std::int64_t unit) {
      if (stage == 1 && unit == 7) const_cast<std::vector<double>&>(stages[0].parameters())[0] += 1;
    };
    if (semantics == "stashed"s)
      CHECK_NOTHROW(written.run());  // its backward reads the weights of its forward, whatever became of them
    else
      CHECK_THROWS_WITH(written.run(), has_text("stage0.weight, sample 7") && has_text("digest"));
  }
}

TEST_CASE("gradients of convolutions, normalization and means are those of finite differences") {
  for (const Norm norm : {Norm::none, Norm::group, Norm::layer}) {
    Method method = image_method("none", "sequential", "none", 1);
    method.rates = {1, 0};
    method.batch = 2;
    TorchNet<double> net(method, small_images(norm));
    const auto before = net.weights();
    net.run();
    const auto after = net.weights();
    for (std::size_t s = 0; s < before.size(); ++s)
      for (std::size_t i = 0; i < before[s].size(); i += 1 + before[s].size() / 7) {
        const auto loss_at = [&](double change) {
          TorchNet<double> moved(method, small_images(norm));
          const_cast<std::vector<double>&>(moved.pipeline.stages[s].parameters())[i] += change;
          moved.run();
          return moved.pipeline.losses.front();
        };
        constexpr double h = 1e-5;
        INFO("stage " << s << ", parameter " << i);
        CHECK_THAT(before[s][i] - after[s][i], WithinAbs((loss_at(h) - loss_at(-h)) / (2 * h), 1e-7));
      }
  }
}

TEST_CASE("the network for images") {
  const pipeline::Network network = pipeline::normalized(pipeline::image_network(3, 32, 32, 10), Norm::group);
  REQUIRE(network.size() == 7);
  // 9 weights a pair of channels, two numbers a channel; 64 x 10 and 10.
  const std::int64_t pairs = 3 * 16 + 16 * 16 + 16 * 32 + 32 * 32 + 32 * 64 + 64 * 64;
  CHECK(pipeline::parameters_of(network) == 9 * pairs + 2 * 224 + 650);
  CHECK(network[0].out == 16 * 32 * 32);
  CHECK(network[2].out == 32 * 16 * 16);
  CHECK(network[5].out == 64 * 8 * 8);
  for (std::size_t s = 0; s < 6; ++s) CHECK(network[s].groups == 4);  // of 4, 4, 8, 8, 16, 16 channels
  std::int64_t products = 0;
  for (const pipeline::Layer& layer : network) products += layer.products();
  CHECK(products == 9 * (1024 * (3 + 16) * 16 + 256 * (16 + 32) * 32 + 64 * (32 + 64) * 64) + 640);
  double square = 0;
  const auto initial = pipeline::initial_parameters(network[5], 5, 1);
  for (std::size_t i = 0; i < 36864; ++i) square += initial[i] * initial[i];
  CHECK_THAT(square / 36864, WithinRel(2.0 / (9 * 64), .03));  // he_fan_out
  CHECK(initial[36864] == 1);
  CHECK(initial.back() == 0);
}

TEST_CASE("older weights are kept for a loaded run alone, and named in the account") {
  const pipeline::Network network = small_images(Norm::group);
  const auto of = [&](const char* semantics, const char* corrector) {
    return pipeline::memory_account(image_method("pb", semantics, corrector), network, true);
  };
  std::int64_t each = 0;
  for (std::size_t s = 0; s < 6; ++s) each += (2 * (6 - static_cast<std::int64_t>(s)) + 1) * network[s].parameters();
  CHECK(of("inconsistent", "none").rebuild == each);
  CHECK(of("inconsistent", "none").versions == pipeline::parameters_of(network));
  for (const char* semantics : {"stashed", "recomputed", "vertical_sync"}) CHECK(of(semantics, "none").rebuild == 0);
}

TEST_CASE("images are trained, recorded, saved and diverge as every task does") {
  const pruning::OneThread one_thread;
  const Values keys{{"task", "images"s},       {"backend", "torch"s},           {"norm", "group"s},
                    {"delay", "pb"s},          {"samples", std::int64_t{1100}}, {"semantics", "inconsistent"s},
                    {"corrector", "lwp_v+sc"s}};
  const Trial trial = trial_of("pipeline", keys);
  const LogRecorder once = run_to_end(trial);
  CHECK(once.final_value("accuracy") > 50);
  CHECK(once.final_value("delay_max_first") == 12);
  CHECK(once.has("train_loss"));
  LogRecorder resumed;
  auto run = find_start("pipeline")(trial, {});
  REQUIRE(run->advance(resumed));
  std::stringstream state;
  run->save(state);
  Trial threaded = trial;
  threaded.values["executor"] = "threads_fixed"s;
  run = find_start("pipeline")(threaded, {});
  run->load(state);
  while (run->advance(resumed)) {
  }
  CHECK((resumed.digests == once.digests));
  CHECK(resumed.final_value("accuracy") == once.final_value("accuracy"));

  Values wild = keys;
  wild["lr"] = 1e30, wild["samples"] = std::int64_t{64}, wild["norm"] = "none"s;
  const LogRecorder diverged = run_to_end(trial_of("pipeline", wild));
  REQUIRE(diverged.diverged_at);
  wild["executor"] = "threads_fixed"s;
  const LogRecorder also = run_to_end(trial_of("pipeline", wild));
  CHECK(also.diverged_at == diverged.diverged_at);
  CHECK((also.digests == diverged.digests));
  CHECK(also.final_value("accuracy") == diverged.final_value("accuracy"));
}

}  // namespace retrial::tests::pipeline_stage_torch_tests
