// The training loop by itself: no worker process, no protocol, no digests, no store.
//   retrial_training rate MODEL CHANNELS SIDE BATCH ROWS EPOCHS [MODE]   images a CPU-second of one network on random
//                                                                 images; MODE needs its variables in the environment
//   retrial_training variables MODE                               these variables
//   retrial_training trials COUNT                                 COUNT trials of docs/performance.md, bare
// One line of JSON; the peers and the harness are run with it by tests/measure/peers/run.py and scripts/measure.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string>

#include "determinism/mode/kernel_mode.hpp"
#include "determinism/mode/switches.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "tests/measure/programs/cpu_clock.hpp"
#include "tests/measure/programs/random_images.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/split/split.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace {

using namespace retrial;

nn::Protocol protocol(std::int64_t epochs, std::int64_t batch) {
  return {.epochs = epochs,
          .batch = batch,
          .schedule = {.lr = .05, .gamma = .1, .milestones = "1/3,2/3"},
          .sgd = {.momentum = .9, .weight_decay = 5e-4, .nesterov = true}};
}

struct Rate {
  double images = 0, seconds = 0;
};

Rate rate_of(const std::string& name, data::Shape shape, std::int64_t batch, std::uint32_t rows, std::int64_t epochs) {
  const data::ImageSet set = bench::random_images(shape, rows);
  std::vector<std::uint32_t> places(rows);
  std::iota(places.begin(), places.end(), 0U);
  const auto model = nn::make(nn::parse_architecture(name, "MODEL"), shape, 10, 1);
  nn::Training training(
      *model, nn::Samples(set, places, data::PixelTable(set, data::make_normalisation("none", set, places)), batch),
      protocol(epochs + 1, batch), {.order = 1});
  static_cast<void>(
      training.epoch(nn::labels_alone(*model), [](std::int64_t) {}));  // the first builds what later ones reuse
  const double begin = bench::cpu_seconds();
  while (!training.finished()) static_cast<void>(training.epoch(nn::labels_alone(*model), [](std::int64_t) {}));
  return {.images = static_cast<double>(rows) * static_cast<double>(epochs), .seconds = bench::cpu_seconds() - begin};
}

/// What a trial of method ce on the digits does, with its evaluation after every epoch and nothing else.
double bare_trial(std::uint64_t seed) {
  const data::ImageSet& set = data::digits();
  const data::Parts parts = data::make_parts(set, {.rule = data::Rule::published});
  const data::PixelTable table(set, data::make_normalisation("none", set, parts.whole));
  const at::Tensor images = nn::images_of(set, parts.test, table), labels = nn::labels_of(set, parts.test);
  const auto model = nn::make(nn::parse_architecture("cnn16", "student"), set.shape, set.classes, seed);
  nn::Training training(*model, nn::Samples(set, parts.train, table, 32), protocol(12, 32), {.order = seed});
  double accuracy = 0;
  while (!training.finished()) {
    static_cast<void>(training.epoch(nn::labels_alone(*model), [](std::int64_t) {}));
    accuracy = nn::percent_equal(nn::predicted(nn::logits_of(*model, images)), labels);
  }
  return accuracy;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "variables") {
    std::printf("%s\n", Json(determinism::variables_of(determinism::mode_from_name(words[1], "MODE"))).dump().c_str());
    return 0;
  }
  const bool named = words.size() == 8 && words[0] == "rate";
  determinism::apply_kernel_mode(named ? determinism::mode_from_name(words[7], "MODE") : determinism::KernelMode{});
  at::set_num_threads(1);
  const auto number = [&](std::size_t place) {
    const auto value = place < words.size() ? results::parse_int(words[place]) : std::nullopt;
    if (!value) throw std::invalid_argument("a number is missing; the comment at the head of this file says which");
    return *value;
  };
  if (named || (words.size() == 7 && words[0] == "rate")) {
    const int side = static_cast<int>(number(3));
    const Rate rate = rate_of(words[1], {static_cast<int>(number(2)), side, side}, number(4),
                              static_cast<std::uint32_t>(number(5)), number(6));
    std::printf("{\"model\":\"%s\",\"images\":%.0f,\"cpu_s\":%.6f}\n", words[1].c_str(), rate.images, rate.seconds);
  } else if (words.size() == 2 && words[0] == "trials") {
    double sum = 0;
    for (std::int64_t i = 0; i < number(1); ++i) sum += bare_trial(static_cast<std::uint64_t>(i) + 1);
    std::printf("{\"trials\":%lld,\"accuracy\":%.3f,\"cpu_s\":%.6f}\n", static_cast<long long>(number(1)),
                sum / static_cast<double>(number(1)), bench::cpu_seconds());
  } else {
    throw std::invalid_argument("rate MODEL CHANNELS SIDE BATCH ROWS EPOCHS [MODE], variables MODE, or trials COUNT");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return run({argv + 1, argv + argc}); } catch (const std::exception& error) {
  std::fprintf(stderr, "retrial_training: %s\n", error.what());
  return 2;
}
