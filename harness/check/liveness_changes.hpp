#pragma once

#include <string>
#include <vector>

#include "harness/check/liveness.hpp"

namespace retrial::harness::inline check {

/// Other legal values of a key. Number (times 1.5 plus 0.1) or boolean: one. Count (plus 1, plus 2, ...): a few. Text:
/// its default and the empty text. List of choices: all of them, since two may mean the same. Empty if none passes the
/// checks of the declaration. A key is dead if no such value changes anything.
[[nodiscard]] std::vector<Value> changed_values(const workloads::Declaration& declaration, const Values& values,
                                                const workloads::Parameter& parameter);

/// A key or a source, with trials that change only it, in the order they are tried. It is dead if all of them have the
/// outcome of the unchanged trial.
struct Change {
  std::string kind, subject;
  std::vector<results::PlanEntry> trials;
  std::string tried;  ///< "4 and 6.1"
};

/// The first earlier variant that runs the same code: it reads the same keys, honors the same sources and differs only
/// in numbers, none of which is 0 in just one of the two (0 is a switch). Null if no variant does.
[[nodiscard]] const StudyVariant* shown_before(const Study& study, const StudyVariant& variant);

/// Every key that the variant reads and every source that it honors; if an earlier variant runs the same code, only
/// the keys with another value there. Adds the counts and the unchecked keys to the report.
[[nodiscard]] std::vector<Change> changes_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                                             LivenessReport& report);

}  // namespace retrial::harness::inline check
