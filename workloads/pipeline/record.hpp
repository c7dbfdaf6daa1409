#pragma once

#include "results/json/json.hpp"
#include "workloads/interface/trial/run.hpp"
#include "workloads/pipeline/engine/account.hpp"
#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::pipeline {

/// Digest of all weights under this name (psum2 of the tensors in logical row-major order, by stage), and with
/// `by_stage` also one per stage.
template <typename Real>
void record_weights(const Pipeline<Real>& pipeline, std::string_view name, std::int64_t step, bool by_stage,
                    workloads::Recorder& recorder);

/// Sums over all stages.
template <typename Real>
[[nodiscard]] Counters counters_of(const Pipeline<Real>& pipeline);

/// Throws TrialFailure("pipeline.delay_mismatch") with stage, expected and counted delays, unless every stage has
/// counted what the model says.
template <typename Real>
void check_delays_of(const Pipeline<Real>& pipeline);

/// The artifact of a trial (delays, counters, rates, memory), and the metrics about delays, use and memory.
template <typename Real>
void record_account(const Pipeline<Real>& pipeline, const MemoryAccount& memory, const Values& values,
                    workloads::Recorder& recorder);

}  // namespace retrial::pipeline
