#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/declared/claims.hpp"
#include "results/digest/sha256.hpp"

namespace retrial::harness::inline judge::inline looks {

/// The question of a comparison, whatever its design: one error rate belongs to it.
struct Question {
  std::string baseline, candidate;    ///< names of variants of the study
  std::string metric, direction;      ///< "higher", "lower"; "none" for a claim about a metric without one
  std::optional<double> value = {};   ///< the baseline is this number
  Contrast contrast = {};             ///< in place of baseline and candidate; compared with `value`
  std::vector<ShareCell> cells = {};  ///< likewise: the share of these sets that is won
};

/// The question of a declared design.
[[nodiscard]] Question question_of(const DesignView& design);

/// The question of a registered claim; a claim about a number asks another question than one about a second variant.
[[nodiscard]] Question question_of(const RegisteredClaim& claim, const std::vector<results::MetricDef>& defs);

/// Digest of a question: workload, metric and direction, and of both variants the data set and the keys that are read
/// and differ from their defaults (for a program its argv template). The names, the order of the two sides, the seeds,
/// the number of pairs, the mode and the build of the program make no other question. Nor does the order of the
/// variants of a contrast, or a common factor of its weights and its value; the difference of two variants asks what a
/// comparison of them asks.
[[nodiscard]] results::Digest digest_of(const Question& question, const results::Store& store, const StudyView& study);
/// The same for sides that are studies of two stores.
struct QuestionSide {
  const results::Store& store;
  const StudyView& study;
};
[[nodiscard]] results::Digest digest_of(const Question& question, const QuestionSide& baseline,
                                        const QuestionSide& candidate);
/// The same for a study that is not stored yet.
[[nodiscard]] results::Digest digest_of(const Question& question, const Plan& plan);

/// Digest of everything in a study document that shapes the trials of a given variant: seed, sources and mode. Two
/// studies with equal draws and one question have the same trials, as far as their pairs go.
[[nodiscard]] results::Digest draw_of(const Json& study);

}  // namespace retrial::harness::inline judge::inline looks
