#pragma once

#include <string>
#include <vector>

#include "harness/check/liveness.hpp"

namespace retrial::harness::inline check {

/// Other legal values of a key: one of a number (times 1.5 plus 0.1) or boolean, a few of a count (plus 1, plus 2,
/// ...), of a text its default and the empty one, every one of a list of choices, since two may mean the same; empty
/// when none passes the declaration's checks. A key is dead when no such value changes anything.
[[nodiscard]] std::vector<Value> changed_values(const workloads::Declaration& declaration, const Values& values,
                                                const workloads::Parameter& parameter);

/// A key or a source with the trials that change nothing else, in the order they are tried. Dead: none of them has
/// another outcome than the unchanged trial.
struct Change {
  std::string kind, subject;
  std::vector<results::PlanEntry> trials;
  std::string tried;  ///< "4 and 6.1"
};

/// The first variant before this one that runs the same code: it reads the same keys, honours the same sources and
/// differs in numbers alone, none of which is 0 for one of them only (0 is a switch). Null: there is none.
[[nodiscard]] const StudyVariant* shown_before(const Study& study, const StudyVariant& variant);

/// Every key that the variant reads and every source that it honours; of a variant whose code is shown before, the keys
/// alone that have another value there. Counts them in the report, and lists there what is not checked.
[[nodiscard]] std::vector<Change> changes_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                                             LivenessReport& report);

}  // namespace retrial::harness::inline check
