#pragma once

#include "harness/check/check_protocol.hpp"

namespace retrial::harness::inline check {

/// Something that changes nothing, or is not what it is called.
struct LivenessFinding {
  std::string kind;  ///< dead-parameter, dead-source, order-dependent, test-selection, duplicate-variants, or one of
                     ///< the workload's own probes (dead-term, ...)
  std::string variant;
  std::string subject;   ///< "key temperature", "source init", "variant b", "loss term attention"
  std::string compared;  ///< what was compared, both sides named
};

/// A key that no trial changed.
struct LeftOut {
  std::string variant, key;
};

/// What the liveness check looked at and found.
struct LivenessReport {
  std::vector<LivenessFinding> findings;
  std::size_t parameters = 0, sources = 0, trials = 0;
  std::vector<std::string> probes;     ///< kinds that the workload answers itself
  std::vector<std::string> looked_at;  ///< by them: "kd: loss term ce"
  /// Variants that run the code of another one, which is named: what is equal in both is shown there.
  std::vector<std::pair<std::string, std::string>> same_code;
  std::vector<LeftOut> exempt;    ///< keys that only matter to evaluation: not checked
  std::vector<LeftOut> of_ties;   ///< keys that only matter where scores tie: not checked
  std::vector<LeftOut> untested;  ///< keys no other legal value was found for
};

/// Changes every key that a variant reads, and every source that it honours, one at a time, and demands that some
/// outcome metric or digest changes; of variants that run the same code what they share is shown once. Asks the worker
/// the probes that the workload declares. Two variants with identical outcomes, variants whose outcome depends on what
/// the process ran before, and variants that select on the test set are findings too. Trials end after
/// `settings.most_steps` optimiser steps of each network, so that a key is dead when it changes neither those steps nor
/// the evaluation nor the sequence of learning rates.
[[nodiscard]] LivenessReport check_liveness(const Study& study, const PlanInputs& inputs,
                                            const CheckSettings& settings);

}  // namespace retrial::harness::inline check
