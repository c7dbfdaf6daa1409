#pragma once

#include <cstdint>
#include <vector>

#include "workloads/pipeline/methods/correctors.hpp"
#include "workloads/pipeline/methods/delays.hpp"
#include "workloads/pipeline/methods/guard.hpp"
#include "workloads/pipeline/methods/scaling.hpp"
#include "workloads/pipeline/methods/semantics.hpp"

namespace retrial::pipeline::inline methods {

enum class Optimizer { sgdm, adam, muon };

/// The rate is multiplied by `factor` from sample `from` on.
struct RateStep {
  std::int64_t from = 0;
  double factor = 1;
};

/// Everything that a training does to its weights, apart from network, data and the threads that run it.
struct Method {
  DelayModel delay_model = DelayModel::none;
  std::vector<std::int64_t> delays;  ///< delay of each stage, in updates
  WeightSemantics semantics = WeightSemantics::sequential;
  Corrector corrector = Corrector::none;
  double horizon = 1, spike = 1;  ///< factors of the delay
  bool measured_delay = false;    ///< correct for the delay of this very sample, not that of the model
  double gsc_a = 1, gsc_b = 0, dc_lambda = .5, pipemare_samples = 0, pipemare_decay = 0;
  Optimizer optimizer = Optimizer::sgdm;
  Rates rates;
  double weight_decay = 0;
  bool decoupled_decay = false;
  std::vector<RateStep> schedule;
  double dropout = 0;
  std::uint64_t dropout_seed = 0;
  std::int64_t batch = 1, microbatches = 1;
  std::int64_t updates = 0;  ///< updates of each stage in the whole run
  GuardMode guard = GuardMode::version;

  [[nodiscard]] std::int64_t stages() const { return static_cast<std::int64_t>(delays.size()); }
  /// Micro-batches of the run.
  [[nodiscard]] std::int64_t units() const { return updates * microbatches; }
  /// First sample of the update that micro-batch `unit` belongs to: schedules count in samples, never in ticks.
  [[nodiscard]] std::int64_t first_sample(std::int64_t unit) const {
    return unit / microbatches * microbatches * batch;
  }
  /// Updates by which the gradient of a sample is late at a stage, once the pipeline is full. A network that lags as a
  /// whole has the delay of stage 0 everywhere.
  [[nodiscard]] std::int64_t lateness(std::int64_t stage) const {
    return delays[rule_of(semantics).forward_lags ? 0 : static_cast<std::size_t>(stage)];
  }
  /// The weights of a forward are kept until its backward, which reads them.
  [[nodiscard]] bool keeps_forward_weights() const {
    return semantics == WeightSemantics::stashed || corrector == Corrector::dc_asgd;
  }
  /// They are gone before the backward, so that a forward could not be run again.
  [[nodiscard]] bool keeps_to_rebuild(std::int64_t stage) const {
    const SemanticsRule& rule = rule_of(semantics);
    return !keeps_forward_weights() && !rule.forward_lags && !rule.recomputes && lateness(stage) > 0;
  }
  /// Rate of the update with this micro-batch at a stage: schedule and PipeMare's first technique.
  [[nodiscard]] double rate(std::int64_t stage, std::int64_t unit) const {
    const std::int64_t sample = first_sample(unit);
    double factor = 1;
    for (const RateStep& step : schedule)
      if (step.from <= sample) factor = step.factor;
    return rates.lr * factor * pipemare_rate(delays[static_cast<std::size_t>(stage)], sample, pipemare_samples);
  }
};

}  // namespace retrial::pipeline::inline methods
