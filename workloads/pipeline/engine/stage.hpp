#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/nn/shape/state.hpp"
#include "workloads/pipeline/arithmetic/network.hpp"
#include "workloads/pipeline/engine/optimizers.hpp"
#include "workloads/pipeline/engine/stage_math.hpp"
#include "workloads/pipeline/methods/method.hpp"

namespace retrial::pipeline::inline engine {

/// Updates between read and write, counted from version numbers: delay -> number of micro-batches.
using DelayHistogram = std::map<std::int64_t, std::int64_t>;

/// Counts of the work of a method at a stage. A method that promises something and counts 0 was off.
struct Counters {
  std::int64_t predicted_reads = 0;      ///< forwards and backwards on extrapolated weights
  std::int64_t spiked_updates = 0;       ///< updates with other coefficients than those of plain momentum
  std::int64_t stale_stash_reads = 0;    ///< backwards on stored weights that are no longer those of now
  std::int64_t corrected_reads = 0;      ///< backwards on weights that PipeMare took back
  std::int64_t compensated_updates = 0;  ///< updates whose gradient DC-ASGD changed
  std::int64_t scaled_rates = 0;         ///< updates at a rate that PipeMare lowered
  std::int64_t other_weights = 0;        ///< backwards on another version than that of their forward
  bool operator==(const Counters&) const = default;
};
inline constexpr std::pair<const char*, std::int64_t Counters::*> all_counters[] = {
    {"predicted_reads", &Counters::predicted_reads},
    {"spiked_updates", &Counters::spiked_updates},
    {"stale_stash_reads", &Counters::stale_stash_reads},
    {"corrected_reads", &Counters::corrected_reads},
    {"compensated_updates", &Counters::compensated_updates},
    {"scaled_rates", &Counters::scaled_rates},
    {"other_weights", &Counters::other_weights}};

/// A pass that ran, for probes. Digests are WeightGuard's.
struct PassRead {
  std::int64_t unit = 0;  ///< micro-batch
  bool backward = false;
  std::int64_t version = 0;   ///< version of the weights read, as the stage reports it
  std::uint64_t digest = 0;   ///< digest of the very weights read
  double lr = 0;              ///< rate of the update after it; 0: none
  std::int64_t updates = 0;   ///< updates of the stage after it
  std::uint64_t weights = 0;  ///< digest of the current weights, after it
};

/// Memory that the passes of one thread share, whatever their stage: weights that are read once, and the gradient of an
/// update that has one micro-batch.
template <typename Real>
struct Workspace {
  std::vector<Real> weights, gradient;
};

/// One stage: an optimizer of its own, with its own weights, velocity and count of updates. It runs the passes that its
/// program names, in that order; nothing in it depends on who runs it.
template <typename Real>
class Stage {
 public:
  Stage(const Method& method, const Layer& layer, std::int64_t stage, const Program& program,
        const std::vector<double>& initial, const StageMath<Real>& math);

  /// The forward of the next micro-batch. `input` is taken and replaced by a used buffer; `output` is overwritten.
  void forward(Item<Real>& input, Item<Real>& output, Workspace<Real>& work);
  /// The backward of the oldest micro-batch in flight, and the update if it is the last one of its update. `gradient`
  /// holds dL/d(output) and is overwritten; `input_gradient` receives dL/d(input), unless this is stage 0.
  void backward(Item<Real>& gradient, Item<Real>& input_gradient, Workspace<Real>& work);

  /// A forward outside of the run, with the weights of now.
  void evaluate(const Item<Real>& x, Item<Real>& y) const;

  [[nodiscard]] bool backward_is_next() const { return program_.backward_is_next(forwards_, backwards_); }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] std::int64_t forwards() const { return forwards_; }
  [[nodiscard]] std::int64_t backwards() const { return backwards_; }
  [[nodiscard]] bool ended() const { return ended_; }  ///< a loss was not finite: no update any more
  [[nodiscard]] std::int64_t version() const { return version_; }
  [[nodiscard]] const Layer& layer() const { return layer_; }
  [[nodiscard]] const std::vector<Real>& parameters() const { return weights_; }
  [[nodiscard]] const DelayHistogram& delays() const { return delays_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }

  /// Called after each pass; empty: no callback.
  std::function<void(const PassRead&)> observer;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  struct Slot {
    std::int64_t version = 0;  ///< version of the weights that the forward read
    WeightGuard::Receipt receipt;
    Item<Real> input, mask;
    Kept<Real> kept;
    std::vector<Real> weights;  ///< those of the forward, if they are kept; empty: still those of now
    bool ended = false;
  };
  /// Weights with the version they belong to.
  struct Read {
    const std::vector<Real>* weights;
    std::int64_t version;
  };

  [[nodiscard]] std::int64_t sample_of(std::int64_t unit) const { return unit * method_.batch; }
  [[nodiscard]] Slot& slot_of(std::int64_t unit) { return slots_[static_cast<std::size_t>(unit) % slots_.size()]; }
  [[nodiscard]] Read history(std::int64_t version) const;
  [[nodiscard]] Read weights_for_forward(Slot& slot, Workspace<Real>& work);
  [[nodiscard]] Read weights_for_backward(const Slot& slot, std::int64_t unit, Workspace<Real>& work);
  [[nodiscard]] const std::vector<Real>& weights_of_forward(const Slot& slot) const {
    return slot.weights.empty() ? weights_ : slot.weights;
  }
  [[nodiscard]] double forward_horizon() const;
  void predict(double horizon, std::int64_t unit, std::vector<Real>& to);
  void drop(std::int64_t unit, Slot& slot, Item<Real>& output) const;
  /// Returns its rate.
  double update(Slot& slot, std::int64_t unit, std::vector<Real>& gradient, std::vector<Real>& before);
  [[nodiscard]] PassRead seen(const Read& read, std::int64_t unit, bool backward) const;
  void tell(PassRead pass, double lr);
  [[nodiscard]] SpikeCoefficients spike_for(std::int64_t measured);
  void correct_gradient(const Slot& slot, std::vector<Real>& gradient);
  void step(double lr, const SpikeCoefficients& spike, const std::vector<Real>& gradient);
  void keep_weights(Slot& done);

  const Method& method_;
  const StageMath<Real>& math_;
  Layer layer_;
  std::int64_t stage_;
  Program program_;
  WeightGuard guard_;
  SemanticsRule semantics_;
  CorrectorRule corrector_;
  bool keeps_forward_weights_;  ///< in the slot

  std::int64_t forwards_ = 0, backwards_ = 0, version_ = 0;
  bool ended_ = false;
  std::vector<Real> weights_, previous_, mean_step_;
  std::vector<Real> gradient_;  ///< of the micro-batches so far, if an update has several
  OptimizerState<Real> optimizer_;
  std::vector<Slot> slots_;
  std::vector<std::vector<Real>> history_;  ///< for a network that lags: older version v at v % size
  std::map<std::int64_t, SpikeCoefficients> spikes_;
  DelayHistogram delays_;
  Counters counters_;
};

}  // namespace retrial::pipeline::inline engine
