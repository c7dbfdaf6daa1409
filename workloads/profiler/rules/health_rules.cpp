#include "workloads/profiler/rules/health_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "results/report/drawing/numbers.hpp"

namespace retrial::profiler::inline rules {
namespace {

/// Where a rule fired, and what it could not look at.
struct Findings {
  std::vector<RuleHit> hits;
  std::string not_evaluated = {};

  void hit(std::int64_t step, std::string tensor, double value, double limit) {
    hits.push_back({.step = step, .tensor = std::move(tensor), .value = value, .limit = limit});
  }
};

template <typename Visit>
void each_tensor(const Captures& captures, Visit visit) {
  for (const Capture& capture : captures.steps)
    for (const TensorSeen& tensor : capture.tensors) visit(capture, tensor);
}

Findings vanishing_gradient(const Captures& captures) {
  constexpr double limit = 1e-7;
  Findings out;
  each_tensor(captures, [&](const Capture& at, const TensorSeen& t) {
    if (t.mean_gradient < limit) out.hit(at.step, t.name, t.mean_gradient, limit);
  });
  return out;
}

Findings exploding_tensor(const Captures& captures) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Findings out;
  each_tensor(captures, [&](const Capture& at, const TensorSeen& t) {
    if (!t.finite) out.hit(at.step, t.name, nan, nan);
  });
  for (const Capture& at : captures.steps)
    if (!std::isfinite(at.loss)) out.hit(at.step, "loss", at.loss, nan);
  return out;
}

Findings weight_update_ratio(const Captures& captures) {
  constexpr double large = 10, small = 1e-8, epsilon = 1e-9;
  Findings out;
  each_tensor(captures, [&](const Capture& at, const TensorSeen& t) {
    const double ratio = t.mean_update / (t.mean_weight + epsilon);
    if (ratio > large) out.hit(at.step, t.name, ratio, large);
    if (ratio < small) out.hit(at.step, t.name, ratio, small);
  });
  return out;
}

Findings unchanged_tensor(const Captures& captures) {
  constexpr int window = 3;
  Findings out;
  if (captures.steps.size() < window) out.not_evaluated = "fewer than 3 captures";
  std::map<std::string, int> equal;
  each_tensor(captures, [&](const Capture& at, const TensorSeen& t) {
    int& count = equal[t.name];
    count = t.as_before ? count + 1 : 1;
    if (count >= window) out.hit(at.step, t.name, count, window);
  });
  return out;
}

Findings all_zero(const Captures& captures) {
  constexpr double limit = 100;
  Findings out;
  each_tensor(captures, [&](const Capture& at, const TensorSeen& t) {
    if (t.zero_weights >= limit) out.hit(at.step, t.name, t.zero_weights, limit);
    if (t.zero_gradients >= limit) out.hit(at.step, t.name + " (gradient)", t.zero_gradients, limit);
  });
  return out;
}

Findings idle_units(const Captures& captures, Activation kind, const char* function) {
  constexpr double limit = 50;
  Findings out;
  bool seen = false;
  for (const Capture& at : captures.steps)
    for (const LayerSeen& layer : at.layers) {
      if (layer.kind != kind) continue;
      seen = true;
      if (layer.idle_units > limit) out.hit(at.step, layer.name, layer.idle_units, limit);
    }
  if (!seen) out.not_evaluated = std::string("no ") + function + " was seen";
  return out;
}

Findings dead_relu(const Captures& captures) {
  return idle_units(captures, Activation::relu, "relu");
}

Findings saturated_activation(const Captures& captures) {
  return idle_units(captures, Activation::tanh, "tanh");
}

/// Captures in a row after which the loss is said to stall.
bool stalls(const std::vector<Capture>& steps, std::size_t at, std::size_t patience) {
  if (at < patience) return false;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + patience <= at; ++i) best = std::min(best, steps[i].loss);
  for (std::size_t i = at - patience + 1; i <= at; ++i)
    if (steps[i].loss < best) return false;
  return true;
}

Findings poor_initialization(const Captures& captures) {
  constexpr std::size_t first = 10, patience = 5;
  constexpr double most_ratio = 10, least_spread = .001;
  Findings out;
  const std::size_t count = std::min(first, captures.steps.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Capture& at = captures.steps[i];
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const TensorSeen& t : at.tensors) {
      if (!t.name.ends_with(".weight")) continue;
      if (t.variance > 0) low = std::min(low, t.variance), high = std::max(high, t.variance);
      if (t.gradient_spread < least_spread) out.hit(at.step, t.name + " (gradient)", t.gradient_spread, least_spread);
    }
    if (high > most_ratio * low) out.hit(at.step, "variance of weights, max / min", high / low, most_ratio);
    if (stalls(captures.steps, i, patience)) out.hit(at.step, "loss", at.loss, captures.steps[i - patience].loss);
  }
  return out;
}

Findings loss_not_decreasing(const Captures& captures) {
  constexpr std::size_t window = 10;
  Findings out;
  if (captures.steps.size() <= window) out.not_evaluated = "fewer than 11 captures";
  for (std::size_t i = window; i < captures.steps.size(); ++i)
    if (const Capture& now = captures.steps[i], &then = captures.steps[i - window];
        now.step > then.step && now.loss >= then.loss)  // else another training has begun
      out.hit(now.step, "loss", now.loss, then.loss);
  return out;
}

constexpr const char* no_epochs = "no loss on validation rows";

Findings overfit(const Captures& captures) {
  constexpr double limit = .1;
  Findings out;
  if (captures.epochs.empty()) out.not_evaluated = no_epochs;
  for (const EpochLosses& epoch : captures.epochs)
    if (const double excess = (epoch.validation - epoch.training) / epoch.training; excess > limit)
      out.hit(epoch.step, "validation loss / training loss - 1", excess, limit);
  return out;
}

/// Epochs in a row without a loss that is lower by delta than the best before.
void find_plateau(const Captures& captures, double EpochLosses::*loss, const char* name, int patience, Findings& out) {
  constexpr double delta = .1;
  double best = std::numeric_limits<double>::infinity();
  int waited = 0;
  for (const EpochLosses& epoch : captures.epochs) {
    if (epoch.*loss < best - delta)
      best = epoch.*loss, waited = 0;
    else if (++waited >= patience)
      out.hit(epoch.step, name, epoch.*loss, best - delta);
  }
}

Findings overtraining(const Captures& captures) {
  Findings out;
  if (captures.epochs.empty()) out.not_evaluated = no_epochs;
  find_plateau(captures, &EpochLosses::training, "training loss", 5, out);
  find_plateau(captures, &EpochLosses::validation, "validation loss", 10, out);
  return out;
}

Findings stalled_training(const Captures& captures) {
  constexpr double limit = 1800;
  Findings out;
  for (const Capture& at : captures.steps)
    if (at.seconds_since_last > limit) out.hit(at.step, "seconds without a capture", at.seconds_since_last, limit);
  return out;
}

struct HealthRule {
  RuleText text;
  Findings (*find)(const Captures&);
};

const std::vector<HealthRule>& all_health_rules() {
  static const std::vector<HealthRule> rules{
      {{"vanishing_gradient", "the mean absolute gradient of a tensor is below 1e-7"}, vanishing_gradient},
      {{"exploding_tensor", "a gradient, a weight or the loss is not finite"}, exploding_tensor},
      {{"weight_update_ratio", "mean |update| / mean |weight| is above 10 or below 1e-8"}, weight_update_ratio},
      {{"unchanged_tensor", "a tensor is nearly equal in 3 captures in a row"}, unchanged_tensor},
      {{"all_zero", "a tensor or its gradient is 0 throughout"}, all_zero},
      {{"dead_relu", "more than half of a layer's units are above 0 in less than 1 % of the rows"}, dead_relu},
      {{"saturated_activation", "inputs of tanh are beyond +-9.4999 for more than half of a layer's units"},
       saturated_activation},
      {{"poor_initialization",
        "in the first 10 captures: variances of weights differ by more than 10 times, a gradient's 5th and 95th "
        "percentile by less than 0.001, or the loss stalls for 5 captures"},
       poor_initialization},
      {{"loss_not_decreasing", "the loss is not below that of 10 captures before"}, loss_not_decreasing},
      {{"overfit", "the validation loss is more than 10 % above the training loss"}, overfit},
      {{"overtraining", "no training loss is lower by 0.1 for 5 epochs, or no validation loss for 10"}, overtraining},
      {{"stalled_training", "half an hour passes without a capture"}, stalled_training}};
  return rules;
}

std::string finding_of(const Findings& found, std::size_t captures) {
  if (found.hits.empty()) return "in none of " + std::to_string(captures) + " captures";
  const RuleHit& first = found.hits.front();
  std::string text = first.tensor + " at step " + std::to_string(first.step);
  if (std::isfinite(first.value)) text += ": " + report::short_text(first.value, 3);
  if (std::isfinite(first.limit)) text += ", limit " + report::short_text(first.limit, 3);
  return text + "; " + std::to_string(found.hits.size()) + (found.hits.size() == 1 ? " hit" : " hits") + " in " +
         std::to_string(captures) + " captures";
}

}  // namespace

const std::vector<RuleText>& health_rules() {
  static const std::vector<RuleText> texts = [] {
    std::vector<RuleText> out;
    for (const HealthRule& rule : all_health_rules()) out.push_back(rule.text);
    return out;
  }();
  return texts;
}

void evaluate_health(const Captures& captures, const std::vector<std::string>& names, Health& to) {
  constexpr std::size_t most_hits = 200;
  for (const HealthRule& rule : all_health_rules()) {
    if (std::ranges::find(names, rule.text.name) == names.end()) continue;
    Findings found = rule.find(captures);
    if (captures.steps.empty()) found.not_evaluated = "no gradient step was captured";
    RuleResult& result = to.rules.emplace_back(RuleResult{.rule = rule.text.name, .finding = found.not_evaluated});
    if (!found.not_evaluated.empty()) continue;
    result.fired = !found.hits.empty();
    result.finding = finding_of(found, captures.steps.size());
    for (RuleHit& hit : found.hits) {
      hit.rule = rule.text.name;
      if (to.hits.size() < most_hits)
        to.hits.push_back(std::move(hit));
      else
        ++to.hits_left_out;
    }
  }
}

}  // namespace retrial::profiler::inline rules
