#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/claims/judged_claims.hpp"
#include "harness/judge/design/comparison.hpp"
#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/report/report.hpp"
#include "variance/verdict/pair_outcomes.hpp"

namespace retrial::harness::inline study_report::inline material {

using variance::PairOutcome;

struct PairRow {
  std::int64_t index = 0;
  std::optional<double> candidate, baseline;  ///< absent: failed; not finite: diverged
  PairOutcome outcome = PairOutcome::left_out;

  /// candidate - baseline where both are finite.
  [[nodiscard]] std::optional<double> difference() const;
};

/// A comparison that could be judged.
struct Judgement {
  Comparison comparison;
  variance::Verdict verdict;
  std::vector<PairRow> pairs;
};

/// Reason that a study has no verdict, and the remedy.
struct NoVerdict {
  std::string word;     ///< "UNFINISHED", "NO VERDICT"
  std::string problem;  ///< a sentence
  std::string advice;   ///< a sentence
};

/// The input of every section of a report: read once, never written.
struct Material {
  const results::Store& store;
  StudyView study;
  std::string file;  ///< name of the store without its folder
  std::vector<PlannedTrial> trials;
  std::vector<results::TrialRow> attempts;  ///< this study's trials, by (started_ns, record)
  std::optional<Judgement> judgement;
  NoVerdict none;                      ///< without a judgment
  std::optional<JudgedClaims> claims;  ///< absent without registered claims, and where they cannot be judged
  std::string claims_problem;          ///< why they cannot be
  bool finished = false;
  /// Looks at further comparisons that tables of the workload judge, in the order in which they are made.
  std::shared_ptr<std::vector<Look>> asked = std::make_shared<std::vector<Look>>();

  /// The verdict is not INVALID: estimates may be shown.
  [[nodiscard]] bool decided() const;
  /// For a study with a judgment.
  [[nodiscard]] Judged judged() const;
};

/// Error{integrity} for a damaged store, Error{incomparable} for trials of two kinds of CPU: no table of them is shown.
/// A comparison that cannot be judged for another reason is part of the material, not an error.
[[nodiscard]] Material read_material(const results::Store& store, StudyView study);

}  // namespace retrial::harness::inline study_report::inline material
