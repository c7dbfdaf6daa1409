#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/engine/stage.hpp"

namespace retrial::pipeline::inline engine {
namespace {

template <typename Real>
void write(nn::StateWriter& to, const std::string& name, const std::vector<Real>& values) {
  to.number(name + ".size", values.size());
  to.bytes(name, std::as_bytes(std::span(values)));
}

/// Sizes are those of this trial; a longer vector would be memory that a damaged file asks for.
template <typename Real>
void read(nn::StateReader& from, const std::string& name, std::vector<Real>& values, std::size_t most) {
  const std::uint64_t size = from.number(name + ".size");
  if (size > most)
    throw workloads::TrialFailure("checkpoint.damaged", "the saved state is damaged, at \"" + name + "\"");
  values.resize(size);
  from.bytes(name, std::as_writable_bytes(std::span(values)));
}

void write(nn::StateWriter& to, const DelayHistogram& delays) {
  to.number("delays", delays.size());
  for (const auto& [delay, count] : delays) {
    to.number("delay", static_cast<std::uint64_t>(delay));
    to.number("count", static_cast<std::uint64_t>(count));
  }
}

void read(nn::StateReader& from, DelayHistogram& delays) {
  delays.clear();
  for (std::uint64_t left = from.number("delays"); left > 0; --left) {
    const auto delay = static_cast<std::int64_t>(from.number("delay"));
    delays[delay] = static_cast<std::int64_t>(from.number("count"));
  }
}

}  // namespace

template <typename Real>
void Stage<Real>::save(nn::StateWriter& to) const {
  to.number("forwards", static_cast<std::uint64_t>(forwards_));
  to.number("backwards", static_cast<std::uint64_t>(backwards_));
  to.number("version", static_cast<std::uint64_t>(version_));
  to.number("ended", ended_ ? 1 : 0);
  for (const auto* values : {&weights_, &optimizer_.velocity, &optimizer_.second, &optimizer_.direction, &previous_,
                             &mean_step_, &gradient_})
    write(to, "parameters", *values);
  for (const auto& values : history_) write(to, "history", values);
  for (std::int64_t unit = backwards_; unit < forwards_; ++unit) {
    const Slot& slot = slots_[static_cast<std::size_t>(unit) % slots_.size()];
    to.number("slot", slot.ended ? 1 : 0);
    to.number("read", static_cast<std::uint64_t>(slot.version));
    to.number("receipt", slot.receipt.version);
    to.number("digest", slot.receipt.digest);
    write(to, "input", slot.input);
    write(to, "active", slot.kept.active);
    write(to, "mask", slot.mask);
    write(to, "weights", slot.weights);
  }
  write(to, delays_);
  for (const auto& [name, count] : all_counters) to.number("counter", static_cast<std::uint64_t>(counters_.*count));
}

template <typename Real>
void Stage<Real>::load(nn::StateReader& from) {
  forwards_ = static_cast<std::int64_t>(from.number("forwards"));
  backwards_ = static_cast<std::int64_t>(from.number("backwards"));
  version_ = static_cast<std::int64_t>(from.number("version"));
  ended_ = from.number("ended") != 0;
  for (auto* values : {&weights_, &optimizer_.velocity, &optimizer_.second, &optimizer_.direction, &previous_,
                       &mean_step_, &gradient_})
    read(from, "parameters", *values, values->size());
  for (auto& values : history_) read(from, "history", values, weights_.size());
  if (backwards_ < 0 || forwards_ < backwards_ || forwards_ - backwards_ > static_cast<std::int64_t>(slots_.size()))
    throw workloads::TrialFailure("checkpoint.damaged", "the saved state is damaged, at \"forwards\"");
  const auto inputs = static_cast<std::size_t>(method_.batch * layer_.in),
             outputs = static_cast<std::size_t>(method_.batch * layer_.out);
  for (std::int64_t unit = backwards_; unit < forwards_; ++unit) {
    Slot& slot = slot_of(unit);
    slot.ended = from.number("slot") != 0;
    slot.version = static_cast<std::int64_t>(from.number("read"));
    slot.receipt.version = from.number("receipt");
    slot.receipt.digest = from.number("digest");
    read(from, "input", slot.input, inputs);
    read(from, "active", slot.kept.active, outputs);
    read(from, "mask", slot.mask, outputs);
    read(from, "weights", slot.weights, weights_.size());
    if (math_.rebuilds() && !slot.ended && !semantics_.recomputes) {
      Item<Real> unused(outputs);
      const std::vector<Real>& weights =
          semantics_.forward_lags ? *history(slot.version).weights : weights_of_forward(slot);
      math_.forward(layer_, weights, slot.input, slot.kept, unused);
    }
  }
  read(from, delays_);
  for (const auto& [name, count] : all_counters) counters_.*count = static_cast<std::int64_t>(from.number("counter"));
}

template void Stage<float>::save(nn::StateWriter&) const;
template void Stage<double>::save(nn::StateWriter&) const;
template void Stage<float>::load(nn::StateReader&);
template void Stage<double>::load(nn::StateReader&);

}  // namespace retrial::pipeline::inline engine
