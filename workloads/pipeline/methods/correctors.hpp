#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/pipeline/arithmetic/spike.hpp"
#include "workloads/pipeline/methods/delays.hpp"

/// Corrections of the gradient delay, as pure functions.
namespace retrial::pipeline::inline methods {

enum class Corrector { none, sc, lwp_v, lwp_w, lwp_v_sc, lwp_w_sc, gsc, spectrain, pipemare, dc_asgd };

/// Extrapolation of the weights of a forward by a corrector.
enum class Predictor { none, velocity, difference };

struct CorrectorRule {
  Corrector value;
  std::string_view name;
  Predictor predictor = Predictor::none;
  bool spikes = false;  ///< by sc_coefficients
};

[[nodiscard]] const CorrectorRule& rule_of(Corrector corrector);
[[nodiscard]] Corrector corrector_named(std::string_view name);
[[nodiscard]] std::vector<std::string> corrector_names();

/// A delay times `alpha`, rounded to the nearest integer, halves to even: the exponent of spike compensation.
[[nodiscard]] std::int64_t spike_delay(std::int64_t delay, double alpha);

/// SpecTrain predicts both passes to one future version: the horizon of the backward of stage s, s for `pb` and s / 2
/// for `one_f_one_b`; that of the forward is longer by the delay of the stage.
[[nodiscard]] std::int64_t spectrain_horizon(DelayModel model, std::int64_t stage);

/// PipeMare: decay of the mean step at a stage, d^(1 / D); D > 0.
[[nodiscard]] double pipemare_gamma(double decay, std::int64_t delay);
/// PipeMare's first technique: the rate of update i is divided by (D + 1)^p, p = 1 - min(i / samples, 1). 1 if
/// `samples` is 0.
[[nodiscard]] double pipemare_rate(std::int64_t delay, std::int64_t sample, double samples);

}  // namespace retrial::pipeline::inline methods
