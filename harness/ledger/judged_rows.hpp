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

/// A published row beside the trials of one variant.
struct JudgedRow {
  published::Row row;
  std::string variant;
  std::size_t failed = 0;                           ///< trials without a finite value
  std::optional<variance::PublishedCheck> check;    ///< of the score that the trials report; absent: no finite one
  std::optional<variance::PublishedCheck> at_best;  ///< of their best test epoch, where that is what was published
  std::vector<published::KeyDifference> differences;
  RowOutcome outcome = RowOutcome::undecided;
  std::string reason;  ///< why it is neither confirmed nor refuted; a remark where it is
};

struct LedgerSettings {
  double margin = 0.5, alpha = 0.05;  ///< margin in the unit of the rows
};

enum class Stands { stands, fails, open };
[[nodiscard]] std::string name_of(Stands outcome);

/// A difference that a publication concludes from, between two variants of a study.
struct AskedGap {
  published::Gap gap;
  double published = 0.0;
  std::string candidate, baseline;               ///< variants
  bool comparable = false;                       ///< both are comparable with the published rows
  std::int64_t pairs = 0;                        ///< with a finite score of both
  std::optional<variance::Estimate> difference;  ///< mean of the pairs; paired t interval, none below two
  Stands outcome = Stands::open;
};

struct AskedClaim {
  std::string name, text;
  std::vector<AskedGap> gaps;  ///< those that the study has two variants for
};

struct LedgerReport {
  std::string study;
  LedgerSettings settings;
  std::vector<std::string> held;  ///< sources with one seed for all trials: their share of the spread is not in the sd
  std::vector<JudgedRow> rows;
  std::vector<AskedClaim> claims = {};  ///< what the study can be asked of the ledger's conclusions
};

/// Rows that a variant of the study is about (same data set, method and networks). A row is
///   not comparable  other data (files that are not the published ones, another division, a subset), another protocol,
///                   or a value that nobody verified;
///   confirmed, refuted, undecided  as variance::check_published says; never confirmed by a variant that chooses its
///                   epoch on the test set, nor refuted by one whose mean is above for that reason. A row published at
///                   its best test epoch is refuted only when our best test epochs refute it as well.
/// Error{incomparable} when trials have not run yet, or the study's seeds are no independent repeats.
[[nodiscard]] LedgerReport judge_ledger(const published::Table& table, const results::Store& store,
                                        const StudyView& study, const LedgerSettings& settings);

/// variance::seeds_needed, and two at least: one run of each decides nothing.
[[nodiscard]] std::int64_t runs_needed(double sd, double gap);

[[nodiscard]] std::int64_t rows_with(const LedgerReport& report, RowOutcome outcome);
[[nodiscard]] std::int64_t gaps_with(const LedgerReport& report, Stands outcome);

/// What the page says, of rows that can be compared and of conclusions that can be asked: different when a row is
/// refuted or a conclusion fails, else inconclusive when one is undecided or open, else ok, and incomparable when there
/// is neither.
[[nodiscard]] Exit exit_of(const LedgerReport& report);

}  // namespace retrial::harness::inline ledger
