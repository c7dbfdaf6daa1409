#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/nn/model_torch.hpp"
#include "workloads/nn/samples_torch.hpp"
#include "workloads/nn/schedule.hpp"
#include "workloads/nn/sgd.hpp"
#include "workloads/nn/state.hpp"

namespace retrial::nn {

/// How a network is trained. `mix`: the objective is (1 - mix) L(x) + mix L(a(x)), clean pass first; 1 replaces it.
struct Protocol {
  std::int64_t epochs = 1, batch = 1;
  Schedule schedule;
  Sgd sgd;
  const data::Operator* augmentation = nullptr;
  double mix = .5;
  double dropout = 0;
};

/// Source seeds; what the protocol does not draw from may stay 0.
struct TrainingSeeds {
  std::uint64_t order = 0, augmentation = 0, dropout = 0;
};

/// What an objective sees of one batch. `places` are places in the training part.
struct BatchView {
  at::Tensor images, labels;
  std::span<const std::uint32_t> places;
  Pass pass;
};

/// One weighted part of the objective.
struct Term {
  std::string_view name;
  double weight = 1;
  at::Tensor value;
};
using Objective = std::function<std::vector<Term>(const BatchView&)>;

/// Means over the samples of one epoch, weights and mix applied. `diverged_at` is the optimiser step (0-based, of the
/// whole training) whose objective was not finite; its update did not happen and training is over.
struct EpochReport {
  double loss = 0;
  std::vector<std::pair<std::string, double>> terms;
  std::optional<std::int64_t> diverged_at;
};

/// One network under training, epoch by epoch.
class Training {
 public:
  Training(Model& model, Samples samples, Protocol protocol, TrainingSeeds seeds);

  /// `after_step` is called with the number of steps done.
  EpochReport epoch(const Objective& objective, const std::function<void(std::int64_t)>& after_step);

  [[nodiscard]] bool finished() const { return over_ || epoch_ == protocol_.epochs; }
  [[nodiscard]] std::int64_t epochs_done() const { return epoch_; }
  [[nodiscard]] const std::vector<double>& rates() const { return rates_; }
  [[nodiscard]] std::int64_t samples_seen() const { return epoch_ * samples_.count(); }

  /// Model, momentum and position; a training loaded from it goes on to the same bits.
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  [[nodiscard]] std::vector<Term> terms_of(std::int64_t batch, const Objective& objective);
  void update();

  Model& model_;
  Samples samples_;
  Protocol protocol_;
  TrainingSeeds seeds_;
  std::vector<double> rates_;
  std::vector<std::vector<float>> velocity_;
  std::int64_t epoch_ = 0, step_ = 0;
  bool over_ = false;
};

void save_tensors(StateWriter& to, const NamedTensors& tensors);
void load_tensors(StateReader& from, const NamedTensors& tensors);

}  // namespace retrial::nn
