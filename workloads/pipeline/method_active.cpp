#include "workloads/pipeline/method_active.hpp"

#include <algorithm>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::pipeline {

std::vector<Promise> promises_of(const Values& values, const Method& method) {
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < method.stages(); ++s) longest = std::max(longest, method.lateness(s));
  if (std::min(longest, method.updates - 1) <= 0) return {};
  const CorrectorRule& corrector = rule_of(method.corrector);
  std::vector<Promise> made;
  const auto add = [&](bool promised, const char* name, const char* key, std::int64_t Counters::*counter) {
    if (promised) made.push_back({name, key, counter});
  };
  const char* spike_key = method.corrector == Corrector::gsc ? "gsc_b" : "spike";
  add(corrector.predictor != Predictor::none, "weight prediction", "horizon", &Counters::predicted_reads);
  add(corrector.spikes || method.corrector == Corrector::gsc, "spike compensation", spike_key,
      &Counters::spiked_updates);
  add(method.corrector == Corrector::pipemare, "PipeMare's correction", "corrector", &Counters::corrected_reads);
  add(method.corrector == Corrector::dc_asgd, "compensation of the gradient", "dc_lambda",
      &Counters::compensated_updates);
  add(rule_of(method.semantics).backward_as_forward, "reads of older weights", "semantics",
      &Counters::stale_stash_reads);
  add(number_in(values, "pipemare_samples") > 0, "PipeMare's rates", "pipemare_samples", &Counters::scaled_rates);
  return made;
}

void check_promises(const std::vector<Promise>& promises, const Counters& counted, const std::string& variant) {
  for (const Promise& promise : promises)
    if (counted.*promise.counter == 0)
      throw workloads::TrialFailure("pipeline.method_inactive", promise.method + " of variant " + variant +
                                                                    " never happened (key " + promise.key + ")");
}

}  // namespace retrial::pipeline
