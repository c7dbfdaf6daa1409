#include "workloads/pipeline/methods/correctors.hpp"

#include <algorithm>
#include <cmath>

#include "variance/random/portable.hpp"
#include "workloads/pipeline/methods/names.hpp"

namespace retrial::pipeline::inline methods {
namespace {

constexpr CorrectorRule rules_of_correctors[] = {
    {Corrector::none, "none"},
    {Corrector::sc, "sc", Predictor::none, true},
    {Corrector::lwp_v, "lwp_v", Predictor::velocity},
    {Corrector::lwp_w, "lwp_w", Predictor::difference},
    {Corrector::lwp_v_sc, "lwp_v+sc", Predictor::velocity, true},
    {Corrector::lwp_w_sc, "lwp_w+sc", Predictor::difference, true},
    {Corrector::gsc, "gsc"},
    {Corrector::spectrain, "spectrain", Predictor::velocity},
    {Corrector::pipemare, "pipemare"},
    {Corrector::dc_asgd, "dc_asgd"},
};

}  // namespace

const CorrectorRule& rule_of(Corrector corrector) {
  return *std::find_if(std::begin(rules_of_correctors), std::end(rules_of_correctors),
                       [&](const auto& rule) { return rule.value == corrector; });
}

Corrector corrector_named(std::string_view name) {
  return value_named(rules_of_correctors, "corrector", name);
}

std::vector<std::string> corrector_names() {
  return names_in(rules_of_correctors);
}

std::int64_t spike_delay(std::int64_t delay, double alpha) {
  const double exact = static_cast<double>(delay) * alpha, below = std::floor(exact), rest = exact - below;
  const auto whole = static_cast<std::int64_t>(below);
  if (rest == .5) return whole + whole % 2;
  return rest > .5 ? whole + 1 : whole;
}

std::int64_t spectrain_horizon(DelayModel model, std::int64_t stage) {
  return model == DelayModel::one_f_one_b ? stage / 2 : stage;
}

double pipemare_gamma(double decay, std::int64_t delay) {
  return decay <= 0 ? 0 : variance::portable_pow(decay, 1.0 / static_cast<double>(delay));
}

double pipemare_rate(std::int64_t delay, std::int64_t sample, double samples) {
  if (samples <= 0 || delay == 0) return 1;
  const double p = 1.0 - std::min(static_cast<double>(sample) / samples, 1.0);
  return p == 0 ? 1 : variance::portable_pow(static_cast<double>(delay + 1), -p);
}

}  // namespace retrial::pipeline::inline methods
