// Cost of pruning relative to training, as ratios of CPU time taken in turn; one JSON document.
//   retrial_pruning panel | masks | shrunken | denormals   one of them; several words: each in turn
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>

#include "determinism/mode/kernel_mode.hpp"
#include "determinism/mode/switches.hpp"
#include "results/json/json.hpp"
#include "tests/measure/programs/cpu_clock.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/deaf_recorder.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/observations/latency_torch.hpp"
#include "workloads/pruning/steps/step.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"
#include "workloads/pruning/tensors/shrink_torch.hpp"
#include "workloads/pruning/tensors/sight_torch.hpp"

namespace {

using namespace retrial;
using std::string_literals::operator""s;

constexpr int rounds = 5;

template <typename Work>
double seconds_of(Work&& work) {
  const double begin = bench::cpu_seconds();
  work();
  return bench::cpu_seconds() - begin;
}

/// Both sides in turn; the ratio is that of each round.
struct InTurn {
  std::vector<double> ours, theirs;

  template <typename Ours, typename Theirs>
  void round(Ours&& one, Theirs&& other) {
    ours.push_back(seconds_of(one));
    theirs.push_back(seconds_of(other));
  }
  [[nodiscard]] Json document() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
    return {{"ours_s", *variance::median(ours)},
            {"peer_s", *variance::median(theirs)},
            {"ratio", *variance::median(ratios)},
            {"least", *std::min_element(ratios.begin(), ratios.end())},
            {"most", *std::max_element(ratios.begin(), ratios.end())}};
  }
};

workloads::Trial tier0_trial(const std::string& method) {
  const auto& declaration = workloads::find_workload("pruning", "");
  workloads::Trial trial{
      .workload = "pruning",
      .variant = method,
      .values = workloads::resolved(declaration, {{"method", method}, {"grid", "powers(8, .8, .75)"s}}),
      .identity = std::string(64, 'a')};
  for (const std::string& source : declaration.honours(trial.values))
    trial.seeds[source] = variance::source_seed(1, source, 0);
  return trial;
}

/// One trial each of wt, ft and rand_global, as a worker runs them: masks, sizes, 14 test sets, digests.
void tier0_panel() {
  for (const char* method : {"wt", "ft", "rand_global"}) {
    workloads::DeafRecorder nothing;
    const auto run = workloads::find_start("pruning")(tier0_trial(method), {});
    while (run->advance(nothing)) {
    }
  }
}

/// The same number of optimizer steps by nothing but operators of LibTorch: no masks, no evaluation, no order drawn.
void bare_libtorch_loop(std::int64_t steps) {
  const auto drawn = [](std::initializer_list<std::int64_t> sizes, std::uint64_t key) {
    const at::Tensor made = at::empty(sizes, at::kFloat);
    variance::Stream stream(key);
    for (std::int64_t i = 0; i < made.numel(); ++i)
      made.data_ptr<float>()[i] = static_cast<float>(.1 * (variance::uniform(stream.next()) - .5));
    return made;
  };
  const at::Tensor images = drawn({32, 64}, 9), labels = at::empty({32}, at::kLong);
  for (std::int64_t i = 0; i < 32; ++i) labels.data_ptr<std::int64_t>()[i] = i % 10;
  std::vector<at::Tensor> weights{drawn({128, 64}, 1), drawn({128}, 2),    drawn({64, 128}, 3),
                                  drawn({64}, 4),      drawn({10, 64}, 5), drawn({10}, 6)},
      velocity;
  for (at::Tensor& weight : weights) {
    velocity.push_back(at::empty(weight.sizes(), at::kFloat).zero_());
    weight.requires_grad_(true);
  }
  for (std::int64_t step = 0; step < steps; ++step) {
    const at::Tensor first = at::relu(at::linear(images, weights[0], weights[1])),
                     second = at::relu(at::linear(first, weights[2], weights[3]));
    at::cross_entropy_loss(at::linear(second, weights[4], weights[5]), labels).backward();
    const at::NoGradGuard no_gradient;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      velocity[i].mul_(.9).add_(weights[i].grad().add(weights[i], 1e-4));
      weights[i].add_(velocity[i], -.01);
      weights[i].mutable_grad().reset();
    }
  }
}

Json panel() {
  constexpr std::int64_t trainings = 3 * 9, epochs = 20, batches = 32;  // 1,000 rows by 32
  InTurn found;
  for (int round = 0; round < rounds; ++round)
    found.round(tier0_panel, [] { bare_libtorch_loop(trainings * epochs * batches); });
  return found.document();
}

data::ImageSet random_images(const data::Shape& shape, std::uint32_t count) {
  data::ImageSet set{.name = "random", .count = count, .shape = shape, .classes = 10};
  variance::Stream stream(variance::derive(20210403, "pruning-bench"));
  set.pixels.resize(count * shape.pixels());
  for (auto& pixel : set.pixels) pixel = static_cast<std::uint8_t>(variance::bounded(stream.next(), 256));
  for (std::uint32_t i = 0; i < count; ++i) set.labels.push_back(static_cast<std::uint16_t>(i % 10));
  return set;
}

/// A network at its first weights, and images for it.
struct Bench {
  data::ImageSet set;
  pruning::Blueprint blueprint;
  std::unique_ptr<nn::Model> model;
  std::vector<std::uint32_t> rows;

  Bench(const std::string& name, const data::Shape& shape, std::uint32_t count)
      : set(random_images(shape, count)),
        blueprint{nn::parse_architecture(name, "model"), shape,
                  pruning::network_of(nn::parse_architecture(name, "model"), shape, 10)},
        model(nn::make(blueprint.architecture, shape, 10, 1)),
        rows(count) {
    std::iota(rows.begin(), rows.end(), 0U);
  }
  [[nodiscard]] data::PixelTable table() const { return {set, data::make_normalisation("none", set, rows)}; }
  [[nodiscard]] pruning::MaskSet masks(const std::string& method, double keep) const {
    const pruning::Pruned line(blueprint, *model);
    const pruning::StepOptions options{.method = &pruning::find_method(method), .scope = {}, .level = {}};
    return pruning::prune_step(pruning::sight_of(line.model(), blueprint.network, line.masks(), {}, {}), keep, options)
        .masks;
  }
  void train(const pruning::MaskSet& masks, bool held, std::int64_t batch) const {
    const auto network = nn::copied(blueprint.architecture, *model);
    const nn::Protocol protocol{
        .epochs = 1, .batch = batch, .schedule = {.lr = .01, .gamma = 1, .milestones = ""}, .sgd = {.momentum = .9}};
    nn::Training training(*network, nn::Samples(set, rows, table(), batch), protocol, {.order = 1});
    if (held) training.hold_at_zero(pruning::parameter_masks(*network, masks));
    (void)training.epoch(nn::labels_alone(*network), [](std::int64_t) {});
  }
};

Json mask_cost(const std::string& model, const data::Shape& shape, std::int64_t batch, std::uint32_t count) {
  const Bench bench(model, shape, count);
  const pruning::MaskSet masks = bench.masks("wt", .2);
  InTurn found;
  for (int round = 0; round < 2 * rounds + 1; ++round)
    found.round([&] { bench.train(masks, true, batch); }, [&] { bench.train(masks, false, batch); });
  return found.document();
}

Json masks() {
  return {{"mlp", mask_cost("mlp:128,64", {1, 8, 8}, 32, 6400)},
          {"resnet8b", mask_cost("resnet8b", {3, 32, 32}, 128, 512)}};
}

/// ft at a keep ratio of .2, the channels removed, against the dense network: wall time, interleaved.
Json shrunken() {
  Json out = Json::object();
  for (const char* name : {"resnet8b", "mlp:128,64"}) {
    const bool photo = std::string(name) == "resnet8b";
    const Bench bench(name, photo ? data::Shape{3, 32, 32} : data::Shape{1, 8, 8}, 64);
    pruning::Pruned line(bench.blueprint, *bench.model);
    line.mask(bench.masks("ft", .2));
    const auto smaller =
        pruning::shrink(line.model(), bench.blueprint.architecture, bench.blueprint.network, line.masks());
    const pruning::Size size = pruning::size_left(bench.blueprint.network, line.remains());
    const auto at =
        pruning::interleaved_latencies(*bench.model, *smaller, nn::images_of(bench.set, bench.rows, bench.table()), 64);
    out[name] = {{"pr", size.pr_weights},
                 {"macs_ratio", size.speedup_shrunk.value()},
                 {"dense_ms", at.dense_ms},
                 {"pruned_ms", at.pruned_ms},
                 {"latency_ratio", at.dense_ms / at.pruned_ms}};
  }
  return out;
}

/// Nine of ten weights subnormal, as weight decay leaves what nothing pushes: with flushing and without.
Json denormals() {
  const Bench bench("mlp:128,64", {1, 8, 8}, 500);
  const at::NoGradGuard no_gradient;
  for (const auto& [name, tensor] : bench.model->parameters())
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
      if (i % 10 != 0) tensor.data_ptr<float>()[i] *= 1e-38F;
  const at::Tensor images = nn::images_of(bench.set, bench.rows, bench.table());
  const auto forward = [&](bool flush) {
    at::globalContext().setFlushDenormal(flush);
    for (int i = 0; i < 200; ++i) (void)nn::logits_of(*bench.model, images);
    at::globalContext().setFlushDenormal(false);
  };
  InTurn found;
  for (int round = 0; round < rounds; ++round) found.round([&] { forward(false); }, [&] { forward(true); });
  Json out = found.document();
  out["subnormal"] = pruning::non_zero(*bench.model).denormals;
  out["parameters"] = bench.blueprint.network.parameters;
  return out;
}

int run(const std::vector<std::string>& words) {
  determinism::apply_kernel_mode({});
  at::set_num_threads(1);
  const std::map<std::string, Json (*)()> parts{
      {"panel", panel}, {"masks", masks}, {"shrunken", shrunken}, {"denormals", denormals}};
  Json out = Json::object();
  for (const std::string& word : words) {
    if (!parts.contains(word)) throw std::invalid_argument(word + ": panel, masks, shrunken or denormals");
    out[word] = parts.at(word)();
  }
  std::cout << results::printed(out);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return run({argv + 1, argv + argc}); } catch (const std::exception& error) {
  std::fprintf(stderr, "retrial_pruning: %s\n", error.what());
  return 2;
}
