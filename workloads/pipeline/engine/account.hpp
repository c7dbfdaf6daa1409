#pragma once

#include <cstdint>
#include <span>

#include "workloads/pipeline/arithmetic/network.hpp"
#include "workloads/pipeline/methods/method.hpp"

namespace retrial::pipeline::inline engine {

/// Numbers held during a run, in weights and values of activations.
struct MemoryAccount {
  std::int64_t weights = 0;     ///< weights of the network
  std::int64_t velocity = 0;    ///< state of the optimizer for each weight
  std::int64_t versions = 0;    ///< weights of now and all older ones that a pass may still read
  std::int64_t predictors = 0;  ///< earlier weights or mean steps, at stages with a delay
  std::int64_t activations =
      0;  ///< all micro-batches in flight: stage inputs, and the values a backward needs unless it is recomputed
  std::int64_t rebuild = 0;  ///< older weights that only a loaded run reads, to make graphs again
};
[[nodiscard]] MemoryAccount memory_account(const Method& method, const Network& network, bool rebuilds = false);

/// Work of a stage in one step of the clock: a forward and a backward of different samples (tick), or one of them
/// (slot).
enum class SlotModel { tick, slot };

/// The share of steps in which a stage works, over all stages and the whole run, if every pass takes one step and a
/// result can be used in the next: 2 T / (2 makespan) or 2 T / makespan for T micro-batches. Without a delay every
/// sample passes alone; an update that drains refills the pipeline. A network that lags as a whole is a simulation;
/// the program of the pipeline it simulates is that of one_f_one_b.
[[nodiscard]] double utilisation(SlotModel model, std::span<const Program> programs);
[[nodiscard]] double utilisation(SlotModel model, const Method& method);
/// The number of steps.
[[nodiscard]] std::int64_t makespan(SlotModel model, std::span<const Program> programs);

/// Delay -> micro-batches that a stage must have counted: min(update, lateness) of each.
[[nodiscard]] std::int64_t expected_count(const Method& method, std::int64_t stage, std::int64_t delay);

}  // namespace retrial::pipeline::inline engine
