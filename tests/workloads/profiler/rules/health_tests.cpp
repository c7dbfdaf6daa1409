// Rules on the health of a training. Expected values: computed by hand from the numbers that each case writes out;
// limits are those of the catalogue of Amazon SageMaker Debugger.
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "workloads/profiler/rules/health_rules.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::profiler_health_tests {

using namespace retrial::profiler;
using Floats = std::vector<float>;

/// One gradient step of a tensor "w.weight".
struct Update {
  Floats gradient, before, after;
  double loss = 1;
};

void make(std::int64_t step, const Update& update) {
  if (auto* watch = watch_of_step()) {
    watch->updating("w.weight", update.before);
    watch->updated("w.weight", update.gradient, update.after);
  }
  gradient_step_made(step, update.loss);
}

Captures captures_of(const std::vector<Update>& updates, std::int64_t every = 1) {
  HealthWatch watch(every);
  for (std::size_t i = 0; i < updates.size(); ++i) make(static_cast<std::int64_t>(i) + 1, updates[i]);
  return std::move(watch).captures();
}

Health health_of(const Captures& captures, const std::string& rule) {
  Health out;
  evaluate_health(captures, {rule}, out);
  REQUIRE(out.rules.size() == 1);
  return out;
}

std::optional<bool> fired(const Captures& captures, const std::string& rule) {
  return health_of(captures, rule).rules.front().fired;
}

/// A step that no rule minds; step i moves the weights on.
Update sound(double i, double loss) {
  const auto at = static_cast<float>(i);
  return {.gradient = {.5F, -.25F}, .before = {1 + at, -2 - at}, .after = {1.1F + at, -2.1F - at}, .loss = loss};
}

std::vector<Update> sound_steps(int count) {
  std::vector<Update> out;
  for (int i = 0; i < count; ++i) out.push_back(sound(i, 100 - i));
  return out;
}

TEST_CASE("a sound training breaks no rule on health") {
  Captures captures = captures_of(sound_steps(15));
  captures.epochs = {{5, 1.0, 1.05}, {10, .8, .85}, {15, .6, .65}};
  for (const RuleText& rule : health_rules()) {
    if (rule.name == "dead_relu" || rule.name == "saturated_activation") continue;  // no layer here
    INFO(rule.name);
    CHECK(fired(captures, rule.name) == false);
  }
}

TEST_CASE("what a capture keeps of a tensor") {
  const Captures captures =
      captures_of({{.gradient = {1, -3, 0, 0}, .before = {1, 1, 1, 1}, .after = {1.5, 1, 0, -1}, .loss = 7}});
  REQUIRE(captures.steps.size() == 1);
  const TensorSeen& t = captures.steps[0].tensors.at(0);
  CHECK(t.mean_gradient == 1);
  CHECK(t.mean_weight == .875);
  CHECK(t.mean_update == .875);  // .5, 0, 1, 2
  CHECK(t.zero_gradients == 50);
  CHECK(t.zero_weights == 25);
  CHECK(t.variance == (1.125 * 1.125 + .625 * .625 + .375 * .375 + 1.375 * 1.375) / 4);  // mean .375
  CHECK(captures.steps[0].loss == 7);
}

TEST_CASE("a watch looks at one gradient step in three") {
  const Captures captures = captures_of(sound_steps(10), 3);
  REQUIRE(captures.steps.size() == 3);
  CHECK(captures.steps[0].step == 3);
  CHECK(captures.steps[2].step == 9);
  for (const Capture& at : captures.steps) CHECK(at.tensors.size() == 1);
  CHECK(watch_of_step() == nullptr);
}

struct Planted {
  const char* rule;
  Update update;
  const char* tensor;
  double value;
};

TEST_CASE("each rule on one tensor fires where its cause is planted") {
  const auto inf = std::numeric_limits<float>::infinity();
  const std::vector<Planted> planted{
      {"vanishing_gradient", {{1e-8F, -3e-8F}, {1, 2}, {1.1F, 2.1F}}, "w.weight", 2e-8},
      {"weight_update_ratio", {{1, 1}, {0, 0}, {0, 1e-9F}}, "w.weight", .5e-9 / (.5e-9 + 1e-9)},
      {"weight_update_ratio", {{1, 1}, {41, -41}, {1, -1}}, "w.weight", 40 / (1 + 1e-9)},
      {"weight_update_ratio", {{1, 1}, {1, -1}, {1, -1}}, "w.weight", 0},
      {"all_zero", {{0, 0}, {1, 2}, {1, 2}}, "w.weight (gradient)", 100},
      {"all_zero", {{1, 1}, {1, 2}, {0, 0}}, "w.weight", 100},
      {"exploding_tensor", {{inf, 1}, {1, 2}, {1, 2}}, "w.weight", std::nan("")},
      {"exploding_tensor", {{1, 1}, {1, 2}, {std::nanf(""), 2}}, "w.weight", std::nan("")},
      {"exploding_tensor", {{1, 1}, {1, 2}, {1.1F, 2}, std::nan("")}, "loss", std::nan("")},
  };
  for (const Planted& one : planted) {
    INFO(one.rule << ' ' << one.tensor);
    auto updates = sound_steps(3);
    updates[1] = one.update;
    const Health found = health_of(captures_of(updates), one.rule);
    const bool small = one.rule == std::string("weight_update_ratio") && one.value > 1e-8 && one.value < 10;
    CHECK(found.rules[0].fired == !small);  // a ratio between both limits is sound
    if (small) continue;
    REQUIRE(found.hits.size() == 1);
    CHECK(found.hits[0].step == 2);
    CHECK(found.hits[0].tensor == one.tensor);
    if (std::isnan(one.value))
      CHECK(std::isnan(found.hits[0].value));
    else
      CHECK_THAT(found.hits[0].value, WithinRel(one.value, 1e-6) || WithinAbs(one.value, 1e-15));
  }
}

TEST_CASE("a NaN fires exploding_tensor only") {
  auto updates = sound_steps(3);
  updates[1].gradient = {std::nanf(""), 1};
  const Captures captures = captures_of(updates);
  for (const char* rule : {"vanishing_gradient", "weight_update_ratio", "all_zero", "poor_initialization"})
    CHECK(fired(captures, rule) == false);
  CHECK(fired(captures, "exploding_tensor") == true);
}

TEST_CASE("a tensor is unchanged after three captures, not after two") {
  auto updates = sound_steps(6);
  updates[3] = updates[2];
  CHECK(fired(captures_of(updates), "unchanged_tensor") == false);
  updates[4] = updates[2];
  updates[4].after[0] += 1e-6F;  // within 1e-5 of it
  const Health found = health_of(captures_of(updates), "unchanged_tensor");
  REQUIRE(found.hits.size() == 1);
  CHECK(found.hits[0].step == 5);
  CHECK_FALSE(fired(captures_of(sound_steps(2)), "unchanged_tensor"));
}

/// Rows of 4 units.
Captures activated(Activation kind, const Floats& inputs) {
  HealthWatch watch(1);
  watch_of_step()->activated("h.weight", kind, inputs, 4);
  make(1, sound(0, 1));
  return std::move(watch).captures();
}

TEST_CASE("units that are idle in more than half of a layer") {
  const Floats three_dead{-1, -2, -3, 1, -1, 0, -1, 2}, half_dead{-1, -2, 3, 1, -1, 0, -1, 2};
  CHECK(activated(Activation::relu, three_dead).steps[0].layers.at(0).idle_units == 75);
  CHECK(fired(activated(Activation::relu, three_dead), "dead_relu") == true);
  CHECK(fired(activated(Activation::relu, half_dead), "dead_relu") == false);  // the third works in one row of two
  CHECK_FALSE(fired(activated(Activation::tanh, three_dead), "dead_relu"));
  const Floats saturated{10, -9.6F, 12, 0, 9.5F, 11, -20, 1};
  CHECK(fired(activated(Activation::tanh, saturated), "saturated_activation") == true);
  CHECK(fired(activated(Activation::tanh, three_dead), "saturated_activation") == false);
}

TEST_CASE("a loss that does not fall") {
  auto updates = sound_steps(11);
  CHECK_FALSE(fired(captures_of(sound_steps(10)), "loss_not_decreasing"));
  updates[10].loss = updates[0].loss;
  const Health found = health_of(captures_of(updates), "loss_not_decreasing");
  REQUIRE(found.hits.size() == 1);
  CHECK(found.hits[0].limit == 100);
  // Another training begins, whose loss is that of its own start.
  HealthWatch watch(1);
  for (int i = 0; i < 11; ++i) make(i + 1, sound(i, 1 - .01 * i));
  for (int i = 0; i < 11; ++i) make(i + 1, sound(i, 5 - .01 * i));
  CHECK(fired(std::move(watch).captures(), "loss_not_decreasing") == false);
}

TEST_CASE("starts that are poor") {
  auto wide = sound_steps(2);
  Captures captures = captures_of(wide);
  captures.steps[0].tensors.push_back({.name = "v.weight", .variance = 1e-4, .gradient_spread = 1});
  const Health ratio = health_of(captures, "poor_initialization");
  REQUIRE(ratio.hits.size() == 1);
  CHECK(ratio.hits[0].limit == 10);
  captures = captures_of(wide);
  captures.steps[1].tensors[0].gradient_spread = 9e-4;
  CHECK(health_of(captures, "poor_initialization").hits.at(0).tensor == "w.weight (gradient)");
  auto stalled = sound_steps(7);
  for (std::size_t i = 1; i < 6; ++i) stalled[i].loss = stalled[0].loss;
  const Health stall = health_of(captures_of(stalled), "poor_initialization");
  REQUIRE(stall.hits.size() == 1);
  CHECK(stall.hits[0].step == 6);
  stalled[5].loss = 1;
  CHECK(fired(captures_of(stalled), "poor_initialization") == false);
}

TEST_CASE("losses on rows that do not train") {
  Captures captures = captures_of(sound_steps(3));
  CHECK_FALSE(fired(captures, "overfit"));
  CHECK_FALSE(fired(captures, "overtraining"));
  captures.epochs = {{1, 1.0, 1.09}, {2, 1.0, 1.11}};
  const Health over = health_of(captures, "overfit");
  REQUIRE(over.hits.size() == 1);
  CHECK(over.hits[0].step == 2);
  captures.epochs = {{0, 1.0, 1.0}};
  for (int epoch = 1; epoch <= 4; ++epoch) captures.epochs.push_back({epoch, 1 - .02 * epoch, 1 - .2 * epoch});
  CHECK(fired(captures, "overtraining") == false);
  captures.epochs.push_back({5, .9, .1});  // not lower by .1 than 1
  CHECK(health_of(captures, "overtraining").hits.at(0).step == 5);
}

TEST_CASE("an hour without a capture, and a training without one") {
  Captures captures = captures_of(sound_steps(3));
  captures.steps[1].seconds_since_last = 3600;
  CHECK(health_of(captures, "stalled_training").hits.at(0).step == 2);
  for (const RuleText& rule : health_rules()) CHECK_FALSE(fired({}, rule.name));
}

TEST_CASE("hits beyond two hundred are counted") {
  std::vector<Update> updates;
  for (int i = 0; i < 250; ++i) updates.push_back({{0, 0}, {1, 2}, {1, 2}});
  const Health found = health_of(captures_of(updates), "all_zero");
  CHECK(found.hits.size() == 200);
  CHECK(found.hits_left_out == 50);
  CHECK_THAT(found.rules[0].finding, has_text("250 hits in 250 captures"));
}

}  // namespace retrial::profiler_health_tests
