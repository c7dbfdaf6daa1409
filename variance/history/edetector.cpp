#include "variance/history/edetector.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline history {
namespace {

void require_detector(const Detector& detector) {
  if (!(detector.run_length > 1.0 && std::isfinite(detector.run_length)))
    throw InvalidInput("run_length", shortest(detector.run_length), "finite numbers greater than 1");
  if (detector.evidence == DetectorEvidence::bounded) require_between("reference", detector.reference, 0.0, 1.0);
  // Beyond these limits an e-value could be negative, or its mean without a change could exceed 1.
  const bool sign = detector.evidence == DetectorEvidence::paired_sign;
  const double high = sign ? 1.0 : detector.evidence == DetectorEvidence::bounded ? 1.0 / detector.reference : 100.0;
  for (const double effect : detector.effects) require_between("effects", effect, sign ? 0.5 : 0.0, high);
}

void require_observation(const Detector& detector, double x, std::size_t i) {
  const std::string field = "observations[" + std::to_string(i) + "]";
  if (!std::isfinite(x)) throw InvalidInput(field, shortest(x), "finite numbers");
  if (detector.evidence == DetectorEvidence::bounded && !(x >= 0.0 && x <= 1.0))
    throw InvalidInput(field, shortest(x), "0 to 1");
}

double e_value(const Detector& detector, double effect, double x) {
  switch (detector.evidence) {
    case DetectorEvidence::paired_sign:
      return x > 0.0 ? 2.0 * effect : x < 0.0 ? 2.0 * (1.0 - effect) : 1.0;
    case DetectorEvidence::normal_known:
      return std::exp(effect * x - effect * effect / 2.0);
    default:
      return 1.0 + effect * (x - detector.reference);
  }
}

}  // namespace

std::vector<double> effects_of(const Detector& detector) {
  if (!detector.effects.empty()) return detector.effects;
  if (detector.evidence == DetectorEvidence::paired_sign) return {0.6, 0.7, 0.8, 0.9};
  if (detector.evidence == DetectorEvidence::normal_known) return {0.5, 1.0, 1.5, 2.0};
  return {0.25 / detector.reference, 0.5 / detector.reference, 0.75 / detector.reference};
}

DetectorStep update(const Detector& detector, const DetectorState& state, const std::vector<double>& observations) {
  require_detector(detector);
  const auto effects = effects_of(detector);
  DetectorStep step{.state = state};
  if (state.values.empty()) step.state.values.assign(effects.size(), 0.0);
  if (step.state.values.size() != effects.size())
    throw InvalidInput("state", std::to_string(state.values.size()), std::to_string(effects.size()) + " values");
  for (std::size_t i = 0; i < observations.size(); ++i) require_observation(detector, observations[i], i);
  if (observations.empty()) return {.state = state};
  ++step.state.updates;
  for (std::size_t g = 0; g < effects.size(); ++g) {
    double e = 1.0;
    for (const double x : observations) e *= e_value(detector, effects[g], x);
    double& value = step.state.values[g];
    value = e * (detector.recursion == DetectorRecursion::cusum ? std::max(1.0, value) : 1.0 + value);
    step.level += value / static_cast<double>(effects.size());
  }
  step.alarm = step.level >= detector.run_length;
  if (step.alarm) step.state = {};
  return step;
}

}  // namespace retrial::variance::inline history
