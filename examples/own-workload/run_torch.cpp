// The training of my_net, linked only by the worker. Every draw comes from a seed of the trial, none from LibTorch.
#include <ATen/TensorOperators.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>

#include "workloads/data/inputs/keys.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/layers/layers_torch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace my_net {
namespace {

using namespace retrial;
using workloads::Place, workloads::Recorder, workloads::Trial;

/// Weights and biases of every layer, uniform in +-1/sqrt(inputs); each tensor draws under its own name.
nn::NamedTensors first_weights(const Trial& trial, const data::ImageSet& set) {
  nn::NamedTensors tensors;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> sizes, std::int64_t inputs) {
    tensors.emplace_back(name, nn::initialised({.name = name, .sizes = sizes, .fan_in = inputs}, trial.seed("init")));
  };
  const auto add_layer = [&](const std::string& name, std::int64_t inputs, std::int64_t outputs) {
    add(name + ".weight", {outputs, inputs}, inputs);
    add(name + ".bias", {outputs}, inputs);
  };
  const auto pixels = static_cast<std::int64_t>(set.shape.pixels());
  add_layer("hidden", pixels, trial.integer("width"));
  if (trial.flag("gate")) add_layer("gate", pixels, trial.integer("width"));
  add_layer("classifier", trial.integer("width"), set.classes);
  return tensors;
}

/// One hidden layer and a classifier. A gate is another layer with a sigmoid (Dauphin et al., ICML 2017).
class Net final : public nn::Model {
 public:
  Net(const Trial& trial, const data::ImageSet& set)
      : Model({.name = "my_net"}, first_weights(trial, set), {}),
        hidden_(layer("hidden")),
        classifier_(layer("classifier")) {
    if (trial.flag("gate")) gate_ = layer("gate");
  }

  [[nodiscard]] nn::Activations forward(const at::Tensor& images, const nn::Pass& pass) const override {
    const at::Tensor x = images.flatten(1), h = hidden_(x, pass);
    const at::Tensor units = gate_ ? h * at::sigmoid((*gate_)(x, pass)) : at::relu(h);
    return {.logits = classifier_(units, pass), .pooled = units};
  }

 private:
  [[nodiscard]] nn::Linear layer(const std::string& name) const {
    return {tensor(name + ".weight"), tensor(name + ".bias")};
  }

  nn::Linear hidden_, classifier_;
  std::optional<nn::Linear> gate_;
};

nn::Protocol protocol(const Trial& trial, const Place& place) {
  return {.epochs = trial.integer("epochs"),
          .batch = trial.integer("batch"),
          .schedule = {.lr = trial.number("lr")},
          .sgd = {.momentum = trial.number("momentum")},
          .max_steps = place.max_steps};
}

class Training final : public workloads::Run {
 public:
  Training(const Trial& trial, const Place& place)
      : trial_(trial),
        place_(place),
        inputs_(data::inputs_of(trial, place)),
        pixels_(*inputs_.set, inputs_.normalisation),
        net_(trial, *inputs_.set),
        training_(net_, {*inputs_.set, inputs_.parts.train, pixels_, trial.integer("batch")}, protocol(trial, place),
                  {.order = trial.seed("data-order")}) {}

  /// One epoch, and after the last one the evaluation on the test rows.
  bool advance(Recorder& recorder) override {
    const nn::EpochReport report = training_.epoch(nn::labels_alone(net_), [&](std::int64_t step) {
      if (place_.checksum_every > 0 && step % place_.checksum_every == 0)
        record_weights(recorder, "step_weights", step);
    });
    const std::int64_t epoch = training_.epochs_done();
    record_weights(recorder, "weights", epoch);
    recorder.metric("train_loss", report.loss, epoch);
    if (report.diverged_at) recorder.diverged(*report.diverged_at);
    recorder.progress(static_cast<double>(epoch) / static_cast<double>(trial_.integer("epochs")));
    if (training_.finished()) evaluate(recorder);
    return !training_.finished();
  }

  void save(std::ostream& stream) const override {
    nn::StateWriter to(stream);
    to.text("my_net", trial_.identity);
    training_.save(to);
  }

  void load(std::istream& stream) override {
    nn::StateReader from(stream);
    if (from.text("my_net") != trial_.identity)
      throw workloads::TrialFailure("checkpoint.other_trial", "the saved state is of another trial");
    training_.load(from);
  }

 private:
  void record_weights(Recorder& recorder, std::string_view name, std::int64_t step) const {
    recorder.digest(name, step, "psum2", determinism::hex(net_.digest()));
  }

  void evaluate(Recorder& recorder) const {
    const at::Tensor logits = nn::logits_of(net_, nn::images_of(*inputs_.set, inputs_.parts.test, pixels_));
    const at::Tensor labels = nn::predicted(logits), right = nn::labels_of(*inputs_.set, inputs_.parts.test);
    recorder.metric("accuracy", nn::percent_equal(labels, right));
    record_weights(recorder, "weights", -1);
    recorder.digest("predictions", -1, "psum2", determinism::hex(nn::predictions_digest(labels, logits)));
    recorder.digest("lr_schedule", -1, "sha256", results::hex(nn::schedule_digest(training_.rates())));
  }

  Trial trial_;
  Place place_;
  data::Inputs inputs_;
  data::PixelTable pixels_;
  Net net_;
  nn::Training training_;
};

const workloads::RegisterStart started{"my_net",
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         return std::make_unique<Training>(trial, place);
                                       }};

}  // namespace
}  // namespace my_net
