#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/layers/samples_torch.hpp"
#include "workloads/nn/protocol/schedule.hpp"
#include "workloads/nn/shape/state.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"

namespace retrial::nn::inline training {

/// Training of a network. `mix`: the objective is (1 - mix) L(x) + mix L(a(x)), clean pass first; 1 replaces it.
struct Protocol {
  std::int64_t epochs = 1, batch = 1;
  Schedule schedule;
  Sgd sgd;
  const data::Operator* augmentation = nullptr;
  double mix = .5;
  double dropout = 0;
  MakeOptimizer optimizer = sgd_optimizer;
  at::Device device = at::kCPU;  ///< on which its tensors and its rows are, from its start on
  std::int64_t max_steps = 0;    ///< a training ends after this many steps (workloads::Place); 0: no limit
  /// Epochs this network was trained before: the draws of an epoch (order, augmentation, dropout) are those of its
  /// number in the life of the network, so that training again repeats none; the schedule starts at its beginning.
  std::int64_t epochs_before = 0;
};

/// The device of Place::device. TrialFailure("cuda.no_kernels") where this program has no kernels for it.
[[nodiscard]] at::Device training_device(const workloads::Place& place);

/// Source seeds; those that the protocol does not use may be 0.
struct TrainingSeeds {
  std::uint64_t order = 0, augmentation = 0, dropout = 0;
};

/// The inputs of an objective for one batch. `places` are places in the training part, `index` the same as int64 on the
/// device.
struct BatchView {
  at::Tensor images, labels, index;
  std::span<const std::uint32_t> places;
  Pass pass;
  std::int64_t epoch = 0;  ///< 0-based
};

using Objective = std::function<std::vector<Term>(const BatchView&)>;
/// Cross entropy with the labels, as the term "ce" of weight 1. The model must outlive it.
[[nodiscard]] Objective labels_alone(const Model& model);

/// Means over the samples of one epoch (or of its steps before a cut), weights and mix applied. `diverged_at` is the
/// optimizer step (0-based, of the whole training) whose objective was not finite; its update was not done and training
/// has ended.
struct EpochReport {
  double loss = 0;
  std::vector<std::pair<std::string, double>> terms;
  std::vector<std::pair<std::string, double>> gradient_norms = {};  ///< on the first batch, if the training is watched
  std::optional<std::int64_t> diverged_at;
};

/// The tensors that a training changes and saves: steps change `trained`; `kept` changes by itself (running statistics)
/// or not at all.
struct Trainee {
  NamedTensors trained, kept;
};

/// The contribution of one term to one batch. `value` and `gradient` are weighted, terms of the same name (two passes
/// of a mixed objective) are added; `gradient` is one flat vector over the requested parameters, 0 where none arrives.
struct Share {
  std::string name;
  double value = 0;
  at::Tensor gradient;

  [[nodiscard]] double norm() const;
};
struct Shares {
  std::vector<Share> terms;
  Share total;  ///< share of the whole objective, from its own backward pass
};

/// Each term's part of the gradient with respect to `parameters`. `all` lists every tensor that a gradient may reach;
/// their gradients are cleared.
[[nodiscard]] Shares shares_of(const std::vector<Term>& terms, const NamedTensors& parameters, const NamedTensors& all);

class EpochSums;

/// The training of one network, epoch by epoch.
class Training {
 public:
  Training(const Model& model, Samples samples, Protocol protocol, TrainingSeeds seeds);
  /// A network and the tensors that its terms train with it, or parts of them.
  Training(Trainee trainee, Samples samples, Protocol protocol, TrainingSeeds seeds);
  Training(Training&&) noexcept;
  ~Training();

  /// `after_step` is called with the number of steps done, if it is not empty; on a GPU the host waits before each
  /// call, and else for nothing before the end of the epoch (but for what an objective waits for).
  EpochReport epoch(const Objective& objective, const std::function<void(std::int64_t)>& after_step);

  /// From now on elements with mask 0 are 0 after every step, and so is their momentum. One mask per trained tensor, in
  /// their order; an empty one masks nothing. They are not part of the saved state.
  void hold_at_zero(const std::vector<std::vector<std::uint8_t>>& masks);

  /// From now on the report of an epoch holds each term's weighted gradient norm over these parameters on its first
  /// batch; this changes no step and is not part of the saved state.
  void watch(NamedTensors parameters) { watched_ = std::move(parameters); }

  /// The first batch of the next epoch, without a step. A forward pass changes running statistics and memories, so
  /// discard the training afterwards.
  [[nodiscard]] Shares shares(const Objective& objective, const NamedTensors& parameters);

  [[nodiscard]] bool finished() const { return over_ || cut() || epoch_ == protocol_.epochs; }
  [[nodiscard]] std::int64_t epochs_done() const { return epoch_; }
  [[nodiscard]] const std::vector<double>& rates() const { return rates_; }
  [[nodiscard]] std::int64_t count() const { return samples_.count(); }
  [[nodiscard]] std::int64_t samples_seen() const { return epoch_ * count(); }

  /// Model, momentum and position; a training loaded from it continues to the same bits.
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  [[nodiscard]] bool cut() const { return protocol_.max_steps > 0 && step_ >= protocol_.max_steps; }
  /// Number of the next epoch, and of the next step, over the whole training of the network.
  [[nodiscard]] std::int64_t life_epoch() const { return protocol_.epochs_before + epoch_; }
  [[nodiscard]] std::int64_t life_step() const { return protocol_.epochs_before * samples_.batches() + step_; }
  [[nodiscard]] std::vector<Term> terms_of(std::int64_t batch, const Objective& objective);
  using Norms = std::vector<std::pair<std::string, double>>;
  [[nodiscard]] Norms gradient_norms(const std::vector<Term>& terms) const;

  Trainee trainee_;
  Samples samples_;
  Protocol protocol_;
  TrainingSeeds seeds_;
  std::vector<double> rates_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<EpochSums> sums_;
  NamedTensors watched_;
  std::int64_t epoch_ = 0, step_ = 0;
  bool over_ = false;
};

/// Of whichever device; the bytes do not depend on it.
void save_tensors(StateWriter& to, const NamedTensors& tensors);
void load_tensors(StateReader& from, const NamedTensors& tensors);

/// A network that may be factorized, with the names and sizes of its tensors; `dense` is its original. Throws
/// TrialFailure("checkpoint.damaged").
void save_network(StateWriter& to, const Model& model);
[[nodiscard]] std::unique_ptr<Model> load_network(StateReader& from, const Architecture& architecture,
                                                  const Identity& dense);

}  // namespace retrial::nn::inline training
