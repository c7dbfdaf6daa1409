#pragma once

#include "harness/judge/design/comparison.hpp"
#include "harness/stored/stored_study.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// A judged comparison of a stored study.
struct Judged {
  const StudyView& study;
  const Comparison& comparison;
  variance::Verdict verdict;
};

/// Schema retrial.verdict/1: every field of the verdict in snake case, derived numbers rounded to 10 significant
/// digits, null where unknown. Floating-point numbers are written as such, for --json.
[[nodiscard]] Json verdict_document(const Judged& judged);

/// Sequential verdicts only: the outcomes of the judged trials, which must reproduce. The same for any number of jobs
/// and after any number of kills; the store's own outcome digest also counts pairs that ran beyond the boundary.
[[nodiscard]] std::vector<results::Outcome> judged_outcomes(const Comparison& comparison,
                                                            const variance::Verdict& verdict);
[[nodiscard]] results::Digest judged_outcome_digest(const Comparison& comparison, const variance::Verdict& verdict);

/// Digest of the judged records.
[[nodiscard]] results::Digest inputs_of(const Comparison& comparison, const variance::Verdict& verdict);

/// The declared design as a verdict shows it.
[[nodiscard]] Json design_fields(const variance::Design& design);
/// Sequential verdicts only: where it stopped, and the evidence there. An INVALID verdict names its reason and no
/// number that could be mistaken for one of a valid design.
[[nodiscard]] Json sequential_fields(const variance::Verdict& verdict);
/// Sequential verdicts only: every look, for --looks.
[[nodiscard]] Json look_rows(const variance::Verdict& verdict);

/// The place of a look among those at its question, and the rate that they share.
[[nodiscard]] Json look_json(const Sequence& sequence);

/// The subject of a verdict: "kd|scratch/accuracy", candidate first.
[[nodiscard]] std::string claim_of(const variance::Design& design);

}  // namespace retrial::harness::inline judge::inline verdict
