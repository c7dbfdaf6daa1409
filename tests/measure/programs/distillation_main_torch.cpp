// Cost of distillation and of its peers, in one process, in turn, CPU seconds on one thread: training and a bare
// LibTorch loop, losses and LibTorch's own, losses and augmentation relative to a step of training.
//   retrial_distillation_bench OUT.json [ROUNDS]      for tests/measure/ratios.py
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/kl_div.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <numeric>

#include "determinism/mode/kernel_mode.hpp"
#include "determinism/mode/switches.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "tests/measure/programs/bare_loop_torch.hpp"
#include "tests/measure/programs/cpu_clock.hpp"
#include "tests/measure/programs/random_images.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace {

using namespace retrial;

double seconds_of(const std::function<void()>& work) {
  const double begin = bench::cpu_seconds();
  work();
  return bench::cpu_seconds() - begin;
}

/// Rounds of both, the first of which is not counted; each round in the other order.
Json in_turn(const std::function<void()>& ours, const std::function<void()>& peer, std::int64_t rounds, double units) {
  Json a = Json::array(), b = Json::array();
  for (std::int64_t round = 0; round <= rounds; ++round) {
    double x = 0, y = 0;
    if (round % 2 == 0) x = seconds_of(ours);
    y = seconds_of(peer);
    if (round % 2 == 1) x = seconds_of(ours);
    if (round == 0) continue;
    a.push_back(x / units);
    b.push_back(y / units);
  }
  return {{"ours", std::move(a)}, {"peer", std::move(b)}};
}

/// Our training, an epoch at a time, of a network on random images.
class OurLoop {
 public:
  OurLoop(const std::string& name, const data::ImageSet& set, std::int64_t batch)
      : model_(nn::make(nn::parse_architecture(name, "MODEL"), set.shape, set.classes, 1)),
        training_(*model_, nn::Samples(set, rows_of(set), table_of(set), batch), protocol(batch), {.order = 1}) {}
  void epoch() {
    static_cast<void>(training_.epoch(nn::labels_alone(*model_), [](std::int64_t) {}));
  }

  static std::vector<std::uint32_t> rows_of(const data::ImageSet& set) {
    std::vector<std::uint32_t> rows(set.count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }
  static data::PixelTable table_of(const data::ImageSet& set) {
    return data::PixelTable(set, data::make_normalisation("none", set, rows_of(set)));
  }

 private:
  static nn::Protocol protocol(std::int64_t batch) {
    return {.epochs = 1000,
            .batch = batch,
            .schedule = {.lr = .05, .gamma = .1, .milestones = "1/3,2/3"},
            .sgd = {.momentum = .9, .weight_decay = 5e-4, .nesterov = true}};
  }

  std::unique_ptr<nn::Model> model_;
  nn::Training training_;
};

Json training_row(const std::string& name, data::Shape shape, std::uint32_t rows, std::int64_t batch,
                  std::int64_t epochs, std::int64_t rounds) {
  const data::ImageSet set = bench::random_images(shape, rows);
  OurLoop ours(name, set, batch);
  const auto places = OurLoop::rows_of(set);
  bench::BareLoop bare(name, nn::images_of(set, places, OurLoop::table_of(set)), nn::labels_of(set, places), batch);
  const auto repeat = [&](auto& loop) {
    return [&loop, epochs] {
      for (std::int64_t e = 0; e < epochs; ++e) loop.epoch();
    };
  };
  return in_turn(repeat(ours), repeat(bare), rounds, static_cast<double>(rows) * static_cast<double>(epochs));
}

constexpr std::int64_t batch_rows = 128, classes = 100, features = 64;

distillation::Sight random_sight() {
  const auto side = [] {
    return nn::Activations{.logits = at::randn({batch_rows, classes}), .pooled = at::randn({batch_rows, features})};
  };
  distillation::Sight sight{.student = side(), .teachers = {side()}};
  sight.student.logits.requires_grad_(true);
  sight.student.pooled.requires_grad_(true);
  sight.labels = at::randn({batch_rows}).mul(1000).to(at::kLong).abs().remainder(classes);
  return sight;
}

/// Value and gradient of the terms of a method, as a step of training asks for them.
std::function<void()> terms(const distillation::Sight& sight, const std::vector<std::string>& names,
                            std::int64_t times) {
  std::vector<std::shared_ptr<distillation::Loss>> losses;
  for (const std::string& name : names) losses.push_back(distillation::make_loss(name, {}));
  return [&sight, losses, times] {
    for (std::int64_t i = 0; i < times; ++i) {
      const distillation::Sight batch = sight;
      at::Tensor sum;
      for (const auto& loss : losses) sum = sum.defined() ? sum + loss->value(batch) : loss->value(batch);
      sum.backward();
    }
  };
}

std::function<void()> kl_div_path(const distillation::Sight& sight, std::int64_t times) {
  return [&sight, times] {
    const double t = distillation::Weights{}.temperature;
    for (std::int64_t i = 0; i < times; ++i)
      (at::kl_div(at::log_softmax(sight.student.logits / t, 1), at::softmax(sight.teacher().logits / t, 1),
                  at::Reduction::Sum) *
       (t * t / batch_rows))
          .backward();
  };
}

std::function<void()> augmented(const data::ImageSet& set, const std::string& name) {
  return [&set, name] {
    const data::Operator& op = data::find_augmentation(name);
    const auto key = data::augmentation_key(1, op, 0);
    const data::PixelTable table = OurLoop::table_of(set);
    data::Augmenter augmenter(set.shape);
    std::vector<float> to(set.shape.pixels());
    for (std::uint32_t row = 0; row < set.count; ++row)
      augmenter.convert(op, key, row, table, set.image(row), to.data());
  };
}

Json measured(std::int64_t rounds) {
  Json rows;
  rows["training cnn16, 8x8, batch 32"] = training_row("cnn16", {1, 8, 8}, 512, 32, 4, rounds);
  rows["training resnet8b, 16x16, batch 128"] = training_row("resnet8b", {3, 16, 16}, 512, 128, 2, rounds);
  rows["training resnet8b, 32x32, batch 128"] = training_row("resnet8b", {3, 32, 32}, 256, 128, 1, rounds);
  const distillation::Sight sight = random_sight();
  constexpr std::int64_t times = 200;
  const auto soft = terms(sight, {"soft"}, times);
  rows["soft / kl_div"] = in_turn(soft, kl_div_path(sight, times), rounds, times);
  rows["dkd / soft"] = in_turn(terms(sight, {"tckd", "nckd"}, times), soft, rounds, times);
  const data::ImageSet photos = bench::random_images({3, 32, 32}, batch_rows);
  OurLoop resnet8("resnet8b", photos, batch_rows);  // an epoch is a step
  const auto step = [&] { resnet8.epoch(); };
  rows["rkd / step"] = in_turn(terms(sight, {"rkd_distance", "rkd_angle"}, 1), step, rounds, 1);
  rows["crop_flip / step"] = in_turn(augmented(photos, "crop_flip"), step, rounds, 1);
  rows["autoaugment / step"] = in_turn(augmented(photos, "autoaugment"), step, rounds, 1);
  return rows;
}

int run(const std::vector<std::string>& words) {
  const auto rounds = words.size() == 2 ? results::parse_int(words[1]) : std::optional<std::int64_t>(9);
  if (words.empty() || words.size() > 2 || !rounds) throw std::invalid_argument("OUT.json [ROUNDS]");
  determinism::apply_kernel_mode({});
  at::set_num_threads(1);
  std::ofstream(words[0]) << measured(*rounds).dump(1) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return run({argv + 1, argv + argc}); } catch (const std::exception& error) {
  std::fprintf(stderr, "retrial_distillation_bench: %s\n", error.what());
  return 2;
}
