#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/stored/stored_study.hpp"
#include "results/store/store.hpp"
#include "results/text/error.hpp"
#include "variance/designs/published.hpp"
#include "workloads/published/match.hpp"
#include "workloads/published/table.hpp"

namespace retrial::harness::inline ledger {

enum class RowOutcome { confirmed, refuted, undecided, not_comparable };
[[nodiscard]] std::string name_of(RowOutcome outcome);

/// A published row compared with the trials of one variant.
struct JudgedRow {
  published::Row row;
  std::string variant;
  std::size_t failed = 0;                           ///< trials without a finite value
  std::optional<variance::PublishedCheck> check;    ///< for the reported score; absent: no finite score
  std::optional<variance::PublishedCheck> at_best;  ///< for the best test epoch, if that was published
  std::vector<published::KeyDifference> differences;
  RowOutcome outcome = RowOutcome::undecided;
  std::string reason;  ///< why it is neither confirmed nor refuted; else a remark
};

struct LedgerSettings {
  double margin = 0.5, alpha = 0.05;  ///< margin in the unit of the rows
};

/// not_asked: the study has no two variants that could tell.
enum class Answer { confirmed, contradicted, open, not_asked };
/// As documents spell it: "stands", "fails", "open", "not asked".
[[nodiscard]] std::string name_of(Answer outcome);

/// A difference that a published conclusion rests on: one of its parts, tested between two variants of a study.
struct TestedGap {
  published::Gap gap;
  double published = 0.0;
  std::string candidate, baseline;  ///< variants; empty: not asked
  bool comparable = false;          ///< both variants are comparable with the published rows
  std::int64_t pairs = 0;           ///< with finite scores of both variants
  bool retried = false;  ///< trials were run again after a failure more often than the design allows: nothing is tested
  std::optional<variance::Estimate> difference;  ///< mean of the pairs; paired t interval from two pairs on
  Answer outcome = Answer::open;
};

struct TestedClaim {
  std::string name, text;
  std::vector<TestedGap> gaps;  ///< its parts, at least one of them tested

  /// not_asked if a part is; else contradicted if a part is, open if a part is, confirmed if all parts are.
  [[nodiscard]] Answer outcome() const;
};

struct LedgerReport {
  std::string study;
  LedgerSettings settings;
  std::vector<std::string> held;  ///< sources with one seed for all trials: not part of the sd
  std::vector<JudgedRow> rows;
  std::vector<TestedClaim> claims = {};  ///< published conclusions of which the study tests a part
  bool recorded = true;                  ///< the store counts the looks at its variants
};

/// Compares the rows that a variant of the study matches (same data set, method and networks). A row is
///   not comparable  other data (files other than the published ones, another split, a subset), another protocol, or an
///                   unverified value;
///   confirmed, refuted, undecided  as in variance::check_published. A variant that chooses its epoch on the test set
///                   never confirms a row, nor refutes it by a higher mean. A row published at its best test epoch is
///                   refuted only if our best test epochs refute it as well.
/// Error{incomparable} if trials have not run yet, or the study's seeds are not independent repeats.
[[nodiscard]] LedgerReport judge_ledger(const published::Table& table, const results::Store& store,
                                        const StudyView& study, const LedgerSettings& settings);

/// Runs of each variant with which Welch's test, two-sided 5 %, finds a difference of means of `gap` with probability
/// 90 %, from the noncentral t. Absent if a million are too few. sd > 0, gap not 0.
[[nodiscard]] std::optional<std::int64_t> runs_needed(double sd, double gap);

[[nodiscard]] std::int64_t rows_with(const LedgerReport& report, RowOutcome outcome);
[[nodiscard]] std::int64_t claims_with(const LedgerReport& report, Answer outcome);
/// Contradicted parts of conclusions that were not asked as a whole.
[[nodiscard]] std::int64_t parts_against(const LedgerReport& report);

/// From the comparable rows and the tested conclusions: different if a row is refuted or a part of a conclusion is
/// contradicted, else inconclusive if a row is undecided or a conclusion open, else ok; incomparable if both are empty.
/// A conclusion that was not asked counts by its contradicted parts only.
[[nodiscard]] Exit exit_of(const LedgerReport& report);

}  // namespace retrial::harness::inline ledger
