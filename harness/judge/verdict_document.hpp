#pragma once

#include "harness/judge/comparison.hpp"
#include "harness/stored/stored_study.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge {

/// A judged comparison of a stored study.
struct Judged {
  const StudyView& study;
  const Comparison& comparison;
  variance::Verdict verdict;
};

/// Schema retrial.verdict/1: every field of the verdict in snake case, derived numbers rounded to 10 significant
/// digits, what is unknown null. Floating-point numbers stand as such: for --json.
[[nodiscard]] Json verdict_document(const Judged& judged);

/// The same as a store keeps and digests it: each number as the 16 hex digits of its bits.
[[nodiscard]] Json stored_form(const Json& document);

/// Of a sequential verdict: what must reproduce of the trials that were judged. The same for any number of jobs and
/// after any number of kills, where the store's own outcome digest also counts pairs that ran beyond the boundary.
[[nodiscard]] results::Digest judged_outcome_digest(const Comparison& comparison, const variance::Verdict& verdict);

/// Digest of the records that were judged.
[[nodiscard]] results::Digest inputs_of(const Comparison& comparison, const variance::Verdict& verdict);

/// The declared design as a verdict shows it.
[[nodiscard]] Json design_fields(const variance::Design& design);
/// Of a sequential verdict: where it stopped and what was known there. An INVALID one names its reason and no number
/// that could be taken for one of a valid design.
[[nodiscard]] Json sequential_fields(const variance::Verdict& verdict);
/// Of a sequential verdict: every look, for --looks.
[[nodiscard]] Json look_rows(const variance::Verdict& verdict);

/// What a verdict is about: "kd|scratch/accuracy", candidate first.
[[nodiscard]] std::string claim_of(const variance::Design& design);

}  // namespace retrial::harness::inline judge
