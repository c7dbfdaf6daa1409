#include "workloads/rl/env/vector_environment.hpp"

#include <algorithm>

#include "variance/numbers/check.hpp"
#include "variance/numbers/parallel.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::rlenv {

VectorEnvironment::VectorEnvironment(const std::string& name, const Options& options, std::size_t count,
                                     Autoreset autoreset, std::size_t threads)
    : autoreset_(autoreset), threads_(std::max<std::size_t>(threads, 1)), steps_(count) {
  variance::require_at_least("envs", static_cast<std::int64_t>(count), 1);
  for (std::size_t i = 0; i < count; ++i) environments_.push_back(make(name, options));
  if (!description().actions.discrete) dimensions_ = static_cast<std::size_t>(description().actions.count);
  observations_.resize(count * description().observations);
  if (autoreset_ == Autoreset::same_step) final_observations_.resize(observations_.size());
}

std::span<float> VectorEnvironment::row(std::vector<float>& of, std::size_t i) const {
  const std::size_t width = description().observations;
  return {of.data() + i * width, width};
}

void VectorEnvironment::reset(std::uint64_t seed) {
  for (std::size_t i = 0; i < count(); ++i) {
    environments_[i]->reset(seed + i);
    environments_[i]->observe(row(observations_, i));
  }
  std::ranges::fill(steps_, Step{});
}

void VectorEnvironment::step_one(std::size_t i, std::span<const double> action) {
  Environment& environment = *environments_[i];
  if (steps_[i].ends() && autoreset_ == Autoreset::next_step) {
    environment.reset();
    steps_[i] = {};
  } else {
    steps_[i] = environment.step(action);
    if (steps_[i].ends() && autoreset_ == Autoreset::same_step) {
      environment.observe(row(final_observations_, i));
      environment.reset();
    }
  }
  environment.observe(row(observations_, i));
}

void VectorEnvironment::step(std::span<const double> actions) {
  if (actions.size() != count() * dimensions_)
    throw variance::InvalidInput("actions", std::to_string(actions.size()) + " values",
                                 std::to_string(count() * dimensions_));
  const auto some = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) step_one(i, actions.subspan(i * dimensions_, dimensions_));
  };
  const std::size_t parts = std::min(threads_, count());
  if (parts == 1) return some(0, count());
  variance::parallel_for(parts, parts,
                         [&](std::size_t part) { some(part * count() / parts, (part + 1) * count() / parts); });
}

void VectorEnvironment::save(nn::StateWriter& to) const {
  to.number("environments", count());
  for (std::size_t i = 0; i < count(); ++i) {
    environments_[i]->save(to);
    to.number("ended", steps_[i].ends() ? 1 : 0);
  }
  to.bytes("observations", std::as_bytes(std::span(observations_)));
}

void VectorEnvironment::load(nn::StateReader& from) {
  if (from.number("environments") != count())
    throw workloads::TrialFailure("checkpoint.damaged", "another number of environments");
  for (std::size_t i = 0; i < count(); ++i) {
    environments_[i]->load(from);
    steps_[i] = {.terminated = from.number("ended") != 0};
  }
  from.bytes("observations", std::as_writable_bytes(std::span(observations_)));
}

}  // namespace retrial::rlenv
