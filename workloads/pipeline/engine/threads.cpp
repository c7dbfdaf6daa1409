#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/engine/worker.hpp"

namespace retrial::pipeline::inline engine {
namespace {

[[noreturn]] void rethrow(const WorkerError& first) {
  try {
    std::rethrow_exception(first.error);
  } catch (const workloads::TrialFailure&) {
    throw;
  } catch (const std::exception& error) {
    throw workloads::TrialFailure("pipeline.worker", "stage " + std::to_string(first.stage) + ", tick " +
                                                         std::to_string(first.tick) + ": " + error.what());
  }
}

}  // namespace

template <typename Real>
void ThreadedEngine<Real>::run_workers(std::int64_t cut, bool free) {
  using Rings = std::vector<std::unique_ptr<Ring<Item<Real>>>>;
  const auto count = static_cast<std::size_t>(workers_);
  const std::int64_t stages = pipeline_.stage_count();
  Rings up, down;  // between worker p and p + 1
  for (std::size_t p = 0; p + 1 < count; ++p) {
    up.push_back(std::make_unique<Ring<Item<Real>>>(static_cast<std::size_t>(queue_)));
    down.push_back(std::make_unique<Ring<Item<Real>>>(static_cast<std::size_t>(queue_)));
  }
  std::atomic<bool> stopped{false};
  std::vector<std::optional<WorkerError>> errors(count);
  busy_seconds_.resize(count, 0.0);
  const auto work = [&](std::size_t p) {
    const auto from = static_cast<std::int64_t>(p) * stages / workers_,
               to = static_cast<std::int64_t>(p + 1) * stages / workers_;
    const bool left = p > 0, right = p + 1 < count;
    Worker<Real> worker(pipeline_, from, to,
                        {.activations_in = left ? up[p - 1].get() : nullptr,
                         .gradients_out = left ? down[p - 1].get() : nullptr,
                         .activations_out = right ? up[p].get() : nullptr,
                         .gradients_in = right ? down[p].get() : nullptr,
                         .stopped = &stopped});
    const auto start = std::chrono::steady_clock::now();
    try {
      free ? worker.run_free() : worker.run(cut);
    } catch (const Stopped&) {
    } catch (...) {
      errors[p] = {worker.tick(), worker.stage(), std::current_exception()};
      stopped.store(true, std::memory_order_relaxed);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    busy_seconds_[p] += elapsed.count() - worker.waited_seconds();
  };
  const auto start_of_all = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (std::size_t p = 1; p < count; ++p) threads.emplace_back(work, p);
    work(0);
  }
  elapsed_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_of_all).count();
  const WorkerError* first = nullptr;
  for (const auto& error : errors)
    if (error && (first == nullptr || std::pair(error->tick, error->stage) < std::pair(first->tick, first->stage)))
      first = &*error;
  if (first != nullptr) rethrow(*first);
}

template class ThreadedEngine<float>;
template class ThreadedEngine<double>;

}  // namespace retrial::pipeline::inline engine
