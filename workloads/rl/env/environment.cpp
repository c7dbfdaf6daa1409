#include "workloads/rl/env/environment.hpp"

#include <cmath>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::rlenv {

Environment::Environment(Description description, Options options)
    : description_(std::move(description)),
      options_(std::move(options)),
      limit_(options_.limit.value_or(description_.limit)) {}

void Environment::reset(std::uint64_t seed) {
  generator_ = Pcg64(seed);
  reset();
}

void Environment::reset() {
  start(generator_);
  elapsed_ = 0;
  finished_ = false;
}

void Environment::check(std::span<const double> action) const {
  const ActionSpace& space = description_.actions;
  if (action.size() != space.dimensions())
    throw variance::InvalidInput("action", std::to_string(action.size()) + " values",
                                 std::to_string(space.dimensions()));
  for (const double value : action) {
    if (space.discrete && !(value >= 0 && value < static_cast<double>(space.count) && value == std::floor(value)))
      throw variance::InvalidInput("action", variance::shortest(value), "0 to " + std::to_string(space.count - 1));
    if (!std::isfinite(value)) throw variance::InvalidInput("action", variance::shortest(value), "finite numbers");
  }
}

/// Each multiply-add waits for the one before; the sum is kept, so that none is left out.
void Environment::simulate_cost() {
  std::uint64_t sum = sink_;
  for (std::int64_t i = 0; i < options_.sim_cost; ++i) sum = sum * 6364136223846793005U + 1442695040888963407U;
  sink_ = sum;
  asm volatile("" : : "r"(sink_));
}

Step Environment::step(std::span<const double> action) {
  check(action);
  if (finished_ && !continues())
    throw variance::InvalidInput("step", "after the end of an episode", "reset, and then steps");
  if (options_.sim_cost > 0) simulate_cost();
  Step made = move(action);
  ++elapsed_;
  made.truncated = limit_ > 0 && elapsed_ >= limit_;
  if (finished_) {
    made.reward = 0;
    if (warning_.empty()) warning_ = description_.name + ": a step after the end of an episode has a reward of 0";
  }
  finished_ = finished_ || made.ends();
  return made;
}

std::vector<float> Environment::observation() const {
  std::vector<float> made(description_.observations);
  observe(made);
  return made;
}

void Environment::save(nn::StateWriter& to) const {
  to.text("environment", description_.name);
  generator_.save(to);
  to.number("elapsed", static_cast<std::uint64_t>(elapsed_));
  to.number("finished", finished_ ? 1 : 0);
  save_state(to);
}

void Environment::load(nn::StateReader& from) {
  if (from.text("environment") != description_.name)
    throw workloads::TrialFailure("checkpoint.damaged", "another environment than " + description_.name);
  generator_.load(from);
  elapsed_ = static_cast<std::int64_t>(from.number("elapsed"));
  finished_ = from.number("finished") != 0;
  load_state(from);
}

}  // namespace retrial::rlenv
