#include "workloads/pipeline/engine/worker.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::pipeline::inline engine {

template <typename Real>
void Worker<Real>::run(std::int64_t cut) {
  while (!done(cut)) {
    bool moved = receive(everything);
    for (std::int64_t s = first_; s < last_; ++s)
      while (advance(s, cut)) {
        moved = true;
        if (in_backward_ || !at(s).backward_is_next()) break;  // a forward and a backward a turn, as in a tick
      }
    moved ? resume() : wait();
  }
}

template <typename Real>
void Worker<Real>::run_free() {
  const std::int64_t total = pipeline_.method.units();
  const auto one_pass = [&] {
    for (const bool backward_first : {true, false})
      for (std::int64_t s = last_ - 1; s >= first_; --s)
        if (advance_freely(s, backward_first)) return true;
    return false;
  };
  while (at(first_).backwards() < total) {
    const bool received = receive(1);
    one_pass() || received ? resume() : wait();
  }
}

/// Runs the next pass of the stage's program; false if it is at the cut or its input is not there.
template <typename Real>
bool Worker<Real>::advance(std::int64_t s, std::int64_t cut) {
  if (at_cut(s, cut)) return false;
  const bool back = at(s).backward_is_next();
  if (back ? gradients(s).empty() : s > 0 && activations(s).empty()) return false;
  back ? backward(s) : forward(s);
  return true;
}

template <typename Real>
bool Worker<Real>::advance_freely(std::int64_t s, bool back) {
  Stage<Real>& stage = at(s);
  const auto has_room = [](const Ring<Item<Real>>* ring) { return ring == nullptr || ring->has_room(); };
  if (back) {
    if (gradients(s).empty() || (s == first_ && !has_room(links_.gradients_out))) return false;
    backward(s);
    return true;
  }
  const bool input = s == 0 ? stage.forwards() < stage.program().total : !activations(s).empty();
  if (!input || stage.forwards() - stage.backwards() > stage.program().delay ||
      (s + 1 == last_ && !has_room(links_.activations_out)))
    return false;
  forward(s);
  return true;
}

template <typename Real>
bool Worker<Real>::at_cut(std::int64_t s, std::int64_t cut) {
  const Stage<Real>& stage = at(s);
  return stage.backwards() == stage.program().total ||
         (stage.forwards() == cut && cut < stage.program().total && !stage.backward_is_next());
}

/// At a cut the neighbor above may have sent gradients that belong after it: they are taken in first, so that nothing
/// stays in a ring.
template <typename Real>
bool Worker<Real>::done(std::int64_t cut) {
  for (std::int64_t s = first_; s < last_; ++s)
    if (!at_cut(s, cut)) return false;
  if (links_.gradients_in == nullptr) return true;
  const std::int64_t sent = pipeline_.stages[static_cast<std::size_t>(last_)].program().backwards_before(cut);
  return at(last_ - 1).backwards() + static_cast<std::int64_t>(gradients(last_ - 1).size()) == sent;
}

template <typename Real>
void Worker<Real>::forward(std::int64_t s) {
  Stage<Real>& stage = at(s);
  stage_ = s, unit_ = stage.forwards(), in_backward_ = false;
  const std::int64_t unit = unit_;
  if (pipeline_.interference) pipeline_.interference(s, unit);
  if (s == 0)
    pipeline_.feed(unit, in_);
  else
    activations(s).pop(in_);
  stage.forward(in_, out_, work_);
  if (s + 1 == pipeline_.stage_count()) {
    take_loss(unit);
    gradients(s).push(out_);
  } else if (s + 1 == last_) {
    send(*links_.activations_out);
  } else {
    activations(s + 1).push(out_);
  }
}

template <typename Real>
void Worker<Real>::take_loss(std::int64_t unit) {
  if (pipeline_.diverged_unit >= 0) out_.clear();
  if (out_.empty()) return;
  const double loss = pipeline_.loss(unit, out_);
  if (std::isfinite(loss)) {
    pipeline_.losses.push_back(loss);
  } else {
    pipeline_.diverged_unit = unit;
    out_.clear();
  }
}

template <typename Real>
void Worker<Real>::backward(std::int64_t s) {
  stage_ = s, unit_ = at(s).backwards(), in_backward_ = true;
  if (pipeline_.interference) pipeline_.interference(s, unit_);
  gradients(s).pop(in_);
  at(s).backward(in_, out_, work_);
  if (s == 0) return;
  if (s == first_)
    send(*links_.gradients_out);
  else
    gradients(s - 1).push(out_);
}

/// Takes in what has arrived, while fewer than `most` items wait for each pass.
template <typename Real>
bool Worker<Real>::receive(std::size_t most) {
  bool any = false;
  const auto take = [&](Ring<Item<Real>>* ring, Fifo<Item<Real>>& to) {
    while (ring != nullptr && to.size() < most && ring->try_pop(received_)) to.push(received_), any = true;
  };
  take(links_.activations_in, activations(first_));
  take(links_.gradients_in, gradients(last_ - 1));
  return any;
}

template <typename Real>
void Worker<Real>::send(Ring<Item<Real>>& ring) {
  while (!ring.try_push(out_))
    if (!receive(everything)) wait();
  resume();
}

template <typename Real>
void Worker<Real>::wait() {
  constexpr std::int64_t spins = 2000;
  if (links_.stopped == nullptr)
    throw workloads::TrialFailure("pipeline.deadlock", "stage " + std::to_string(stage_) + ", tick " +
                                                           std::to_string(tick()) + ": no stage can go on");
  if (links_.stopped->load(std::memory_order_relaxed)) throw Stopped{};
  if (polls_++ == 0) wait_start_ = std::chrono::steady_clock::now();
  if (polls_ > spins) std::this_thread::yield();
}

template <typename Real>
void Worker<Real>::resume() {
  if (polls_ == 0) return;
  polls_ = 0;
  waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - wait_start_).count();
}

/// In the clock of a pipeline that runs a forward and a backward per stage and tick.
template <typename Real>
std::int64_t Worker<Real>::tick() const {
  return in_backward_ ? unit_ + 2 * (pipeline_.stage_count() - 1) - stage_ : unit_ + stage_;
}

template class Worker<float>;
template class Worker<double>;

}  // namespace retrial::pipeline::inline engine
