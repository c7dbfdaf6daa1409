#pragma once

#include <string>
#include <vector>

#include "results/text/value.hpp"
#include "workloads/pipeline/engine/stage.hpp"

namespace retrial::pipeline {

/// A part of a method that leaves a trace in the counters of the stages.
struct Promise {
  std::string method, key;
  std::int64_t Counters::*counter;
};

/// What a trial under these keys promises to do, also where another key (horizon = 0) switches it off. Empty where
/// nothing can differ: no stage has a delay, or one update is all there is.
[[nodiscard]] std::vector<Promise> promises_of(const Values& values, const Method& method);
/// Throws TrialFailure("pipeline.method_inactive") for a promise whose counter is 0.
void check_promises(const std::vector<Promise>& promises, const Counters& counted, const std::string& variant);

}  // namespace retrial::pipeline
