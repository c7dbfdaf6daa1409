#pragma once

#include "harness/check/check_protocol.hpp"

namespace retrial::harness::inline check {

/// Something without effect, or not what its name says.
struct LivenessFinding {
  std::string kind;  ///< dead-parameter, dead-source, order-dependent, test-selection, duplicate-variants, or a probe
                     ///< of the workload (dead-term, ...)
  std::string variant;
  std::string subject;   ///< "key temperature", "source init", "variant b", "loss term attention"
  std::string compared;  ///< both sides of the comparison
};

/// A key that no trial changed.
struct LeftOut {
  std::string variant, key;
};

/// The coverage and the findings of a liveness check.
struct LivenessReport {
  std::vector<LivenessFinding> findings;
  std::size_t parameters = 0, sources = 0, trials = 0;
  std::vector<std::string> probes;     ///< kinds of finding that the workload detects itself
  std::vector<std::string> looked_at;  ///< parts that it probed: "kd: loss term ce"
  /// Variant, and the earlier variant that runs the same code: what both share is checked there.
  std::vector<std::pair<std::string, std::string>> same_code;
  std::vector<LeftOut> exempt;    ///< keys that affect evaluation only: not checked
  std::vector<LeftOut> of_rare;   ///< keys that matter only in rare cases: not checked
  std::vector<LeftOut> untested;  ///< keys without another legal value
};

/// Changes every key that a variant reads, and every source that it honors, one at a time, and requires that an
/// outcome metric or digest changes. What variants with the same code share is checked once. Runs the probes that the
/// workload declares. Also findings: two variants with identical outcomes, an outcome that depends on what the process
/// ran before, and selection on the test set. Trials end after `settings.max_steps` optimizer steps of each network,
/// so a key is dead if it changes neither those steps nor the evaluation nor the sequence of learning rates.
[[nodiscard]] LivenessReport check_liveness(const Study& study, const PlanInputs& inputs,
                                            const CheckSettings& settings);

}  // namespace retrial::harness::inline check
