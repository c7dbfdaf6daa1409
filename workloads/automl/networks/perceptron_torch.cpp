#include "workloads/automl/networks/perceptron.hpp"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>

#include "determinism/seeds/seeds.hpp"
#include "results/json/json.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/automl/datasets/encoding.hpp"
#include "workloads/automl/streams/streams.hpp"
#include "workloads/nn/layers/layers_torch.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"

namespace retrial::automl::inline networks {
namespace {

/// Rows as float32.
at::Tensor inputs_of(const DenseEncoding& encoding, const DataSet& data, std::span<const std::uint32_t> rows) {
  const std::vector<double> cells = encoding.apply(data, rows);
  at::Tensor made =
      at::empty({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(encoding.width())}, at::kFloat);
  std::ranges::transform(cells, nn::floats_of(made).begin(), [](double cell) { return static_cast<float>(cell); });
  return made;
}

/// A target of values in units of its spread.
struct TargetScale {
  double mean = 0, sd = 1;
};

TargetScale scale_of(std::span<const double> targets) {
  variance::Neumaier sum, squares;
  for (const double target : targets) sum.add(target);
  const double mean = sum.value() / static_cast<double>(targets.size());
  for (const double target : targets) squares.add((target - mean) * (target - mean));
  const double sd = std::sqrt(squares.value() / static_cast<double>(targets.size()));
  return {mean, sd > 0 ? sd : 1};
}

/// Class numbers, or standardized values in a column.
at::Tensor answers_of(const DataSet& data, std::span<const double> targets, const TargetScale& scale) {
  const auto count = static_cast<std::int64_t>(targets.size());
  if (data.task != Task::regression) {
    at::Tensor made = at::empty({count}, at::kLong);
    std::ranges::transform(targets, made.data_ptr<std::int64_t>(),
                           [](double target) { return static_cast<std::int64_t>(target); });
    return made;
  }
  at::Tensor made = at::empty({count, 1}, at::kFloat);
  std::ranges::transform(targets, nn::floats_of(made).begin(),
                         [&](double target) { return static_cast<float>((target - scale.mean) / scale.sd); });
  return made;
}

class Layers {
 public:
  Layers(const PerceptronSettings& settings, std::size_t columns, std::size_t outputs, std::uint64_t key) {
    auto inputs = static_cast<std::int64_t>(columns);
    const auto add = [&](std::int64_t width) {
      const std::string name = name_of(layers_.size());
      nn::Linear layer{
          .weight = nn::initialised({.name = name + ".weight", .sizes = {width, inputs}, .fan_in = inputs}, key),
          .bias = nn::initialised({.name = name + ".bias", .sizes = {width}, .fan_in = inputs}, key)};
      tensors_.emplace_back(name + ".weight", layer.weight);
      tensors_.emplace_back(name + ".bias", layer.bias);
      layers_.push_back(std::move(layer));
      inputs = width;
    };
    for (std::int64_t i = 0; i < settings.layers; ++i) add(settings.units);
    add(static_cast<std::int64_t>(outputs));
  }

  [[nodiscard]] at::Tensor operator()(const at::Tensor& rows, const nn::Pass& pass) const {
    at::Tensor x = rows;
    for (std::size_t i = 0; i + 1 < layers_.size(); ++i) x = nn::drop(at::relu(layers_[i](x)), name_of(i), pass);
    return layers_.back()(x);
  }
  [[nodiscard]] const nn::NamedTensors& tensors() const { return tensors_; }

 private:
  static std::string name_of(std::size_t layer) { return "layer" + std::to_string(layer + 1); }
  std::vector<nn::Linear> layers_;
  nn::NamedTensors tensors_;
};

class Perceptron final : public Model {
 public:
  Perceptron(const DataSet& data, DenseEncoding encoding, Layers layers, TargetScale scale)
      : task_(data.task),
        classes_(data.classes),
        columns_(encoding.described(data)),
        encoding_(std::move(encoding)),
        layers_(std::move(layers)),
        scale_(scale) {}

  [[nodiscard]] std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                            std::size_t) const override {
    at::init_num_threads();
    const at::NoGradGuard no_gradients;
    at::Tensor out = layers_(inputs_of(encoding_, data, rows), {});
    if (task_ != Task::regression) out = at::softmax(out, 1);
    const auto width = static_cast<std::size_t>(out.size(1));
    const auto values = nn::floats_of(out);
    std::vector<double> answers;
    for (std::size_t i = task_ == Task::binary ? 1 : 0; i < values.size(); i += task_ == Task::binary ? width : 1)
      answers.push_back(task_ == Task::regression ? scale_.mean + scale_.sd * static_cast<double>(values[i])
                                                  : static_cast<double>(values[i]));
    return answers;
  }

  [[nodiscard]] std::string bytes() const override {
    Json tensors = Json::object();
    for (const auto& [name, tensor] : layers_.tensors()) {
      const auto values = nn::floats_of(tensor);
      tensors[name] = {{"sizes", std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end())},
                       {"values", std::vector<double>(values.begin(), values.end())}};
    }
    return results::printed(
        {{"about",
          "standardized columns through the layers in their order, x W' + b, with ReLU between them; softmax gives the "
          "probabilities of the classes; a value is target_mean + target_sd times the output"},
         {"classes", classes_},
         {"columns", columns_},
         {"format", "retrial.perceptron/1"},
         {"target_mean", scale_.mean},
         {"target_sd", scale_.sd},
         {"tensors", std::move(tensors)}});
  }

 private:
  Task task_;
  std::vector<std::string> classes_;
  Json columns_;
  DenseEncoding encoding_;
  Layers layers_;
  TargetScale scale_;
};

std::unique_ptr<Model> fit(const Training& training, const PerceptronSettings& settings, const FitSeeds& seeds) {
  at::init_num_threads();  // a thread of the search has its own number, which the mode of the trial fixes
  const at::AutoGradMode gradients(true);
  const auto key = [&](std::uint64_t use) { return stream_key(seeds.init, "weights", seeds.learner, 0, use); };
  const DataSet& data = training.data;
  DenseEncoding encoding(data, training.rows, most_levels);
  const auto targets = targets_of(data, training.rows);
  const TargetScale scale = data.task == Task::regression ? scale_of(targets) : TargetScale{};
  const at::Tensor inputs = inputs_of(encoding, data, training.rows), answers = answers_of(data, targets, scale);
  Layers layers(settings, encoding.width(), std::max<std::size_t>(1, data.classes.size()), key(0));
  const auto optimizer = nn::sgd_optimizer(
      layers.tensors(), {.momentum = settings.momentum, .weight_decay = settings.weight_decay, .nesterov = true});
  nn::Pass pass{.training = true, .dropout = nn::Dropout{settings.dropout, key(2), 0}};
  const auto count = static_cast<std::int64_t>(training.rows.size());
  for (std::int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    const auto drawn =
        determinism::epoch_order(key(1), static_cast<std::uint32_t>(count), static_cast<std::uint64_t>(epoch));
    const at::Tensor order = at::empty({count}, at::kLong);
    std::ranges::copy(drawn, order.data_ptr<std::int64_t>());
    for (std::int64_t from = 0; from < count; from += settings.batch, ++pass.dropout->step) {
      const at::Tensor batch = order.narrow(0, from, std::min(settings.batch, count - from));
      const at::Tensor outputs = layers(inputs.index_select(0, batch), pass), truth = answers.index_select(0, batch);
      optimizer->step(
          {{"loss", 1,
            data.task == Task::regression ? at::mse_loss(outputs, truth) : at::cross_entropy_loss(outputs, truth)}},
          cosine_rate(settings, epoch));
    }
  }
  return std::make_unique<Perceptron>(data, std::move(encoding), std::move(layers), scale);
}

const OfferPerceptron offered{fit};

}  // namespace
}  // namespace retrial::automl::inline networks
