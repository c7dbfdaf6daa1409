#pragma once

#include "harness/check_protocol.hpp"

namespace retrial::harness {

/// What the liveness check looked at and found.
struct LivenessReport {
  std::vector<CheckFinding> findings;
  std::size_t parameters = 0, sources = 0, trials = 0;
  std::vector<std::string> exempt;    ///< keys that only matter to evaluation: not checked
  std::vector<std::string> untested;  ///< keys no other legal value was found for
};

/// Changes every key that a variant reads, and every source that it honours, one at a time, and demands that some
/// outcome metric or digest changes. Two variants with identical outcomes, and variants whose outcome depends on what
/// the process ran before, are findings too.
[[nodiscard]] LivenessReport check_liveness(const Study& study, const PlanInputs& inputs,
                                            const CheckSettings& settings);

/// Other legal values of a key: one of a number (times 1.5 plus 0.1, plus 1, ...) or boolean, every one of a list of
/// choices, where two words may mean the same; empty when none passes the declaration's checks. A key is dead when no
/// such value changes anything.
[[nodiscard]] std::vector<Value> changed_values(const workloads::Declaration& declaration, const Values& values,
                                                const workloads::Parameter& parameter);

}  // namespace retrial::harness
