#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variance/audit/audit.hpp"
#include "variance/designs/design.hpp"
#include "variance/offers/null_scores.hpp"

/// Everything that the program offers for a verdict: every row of the tables of tests, designs, tests of tables,
/// corrections and aggregates, and the reports that judge several claims. Each is asked on simulated scores whose truth
/// is known, through the function that the program calls, and must keep the error rate that it promises. A new row of a
/// table is audited by itself; `unaudited` names one that no cell can ask.
namespace retrial::variance::inline offers {

enum class OfferKind { test, design, table_test, group_test, group_pairs, correction, aggregate, report };
/// "test", "design", "table test", "group test", "pairs of groups", "correction", "aggregate", "report".
[[nodiscard]] std::string_view name_of(OfferKind kind);

struct Offer {
  OfferKind kind = OfferKind::test;
  std::string name;
  bool operator==(const Offer&) const = default;
};
/// The rows of all tables. Corrections are called by their name in `--adjust`, aggregates as in `--aggregate`.
[[nodiscard]] std::vector<Offer> all_offers();

/// The false verdict whose share is the error rate.
enum class FalseVerdict {
  either,          ///< BETTER or WORSE, the more frequent of the two: alpha is promised for each
  both,            ///< BETTER and WORSE together
  equivalent,      ///< EQUIVALENT, where the difference is the margin
  not_meaningful,  ///< NOT MEANINGFUL, where the candidate wins gamma of the pairs
};
/// "BETTER or WORSE", "BETTER and WORSE", "EQUIVALENT", "NOT MEANINGFUL".
[[nodiscard]] std::string_view name_of(FalseVerdict error);

/// A cell outside the assumptions of its rule: the rule promises nothing there and is known to err.
struct Departure {
  std::string_view why;
  std::optional<double> rate;  ///< absent: known only to be above the level
  double tolerance = 0.0;      ///< accuracy of the rate
};

struct OfferCell {
  Offer offer;
  FalseVerdict error = FalseVerdict::either;
  double level = 0.05;  ///< promised by the rule
  NullScores scores = NullScores::gaussian;
  bool paired = true;
  std::int64_t runs = 10, baseline_runs = 10;  ///< pairs; runs of each variant; runs of each task; data sets
  std::int64_t many = 1;                       ///< candidates, methods, tasks or claims
  double shift = 0.0;                          ///< candidate's scores, in standard deviations
  double spread = 1.0;                         ///< candidate's standard deviation / baseline's
  double effects = 0.0;                        ///< share of the candidates that are truly better
  double task_effects = 0.0;  ///< spread of the true difference between tasks, in standard deviations of a run
  NullScores task_model = NullScores::gaussian;  ///< law of those differences
  double together = 0.0;                         ///< claims about a share: correlation of the sets of a pair
  double rope = 0.0;                             ///< Bayesian tests: its half width, in standard deviations of a run
  std::optional<std::pair<double, double>> band = {};  ///< designs only: the candidate wins `band.second` of the pairs
  std::string_view aggregate = {};                     ///< task bootstrap only
  Sides sides = Sides::one;
  std::string_view test = "pab_exact";   ///< designs only
  std::vector<std::int64_t> looks = {};  ///< designs only
  double failed = 0.0;                   ///< designs only: share of the trials that fail
  bool worst_fail = false;               ///< it is the candidate's worst runs that fail, not any
  FailurePolicy failure = FailurePolicy::loss;
  bool slow = false;  ///< simulated `drawing_reps` times
  std::optional<Departure> departure = {};
};
/// "t3, 5 v 20 runs", followed by the differences from the plain cell. Unique among the cells of an offer.
[[nodiscard]] std::string text_of(const OfferCell& cell);

/// Every cell of an offer, first those in which it promises something, the plainest first; none for a row that needs a
/// setting no cell knows.
[[nodiscard]] std::vector<OfferCell> cells_of(const Offer& offer, const Levels& levels = {});
/// The cells of these offers; with `quick` only the first of each.
[[nodiscard]] std::vector<OfferCell> offer_grid(std::span<const Offer> offers, bool quick, const Levels& levels = {});
/// Offers without a cell in which they promise something.
[[nodiscard]] std::vector<Offer> unaudited(std::span<const Offer> offers, std::span<const OfferCell> cells);

/// Result of one cell.
struct OfferRow {
  OfferCell cell;
  std::int64_t reps = 0;
  std::array<std::int64_t, 6> verdicts{};  ///< by Status
  bool repeated = false;                   ///< the first simulations were above the limit; these are others
  AuditOutcome outcome = AuditOutcome::none;
  [[nodiscard]] double share(Status status) const;
  [[nodiscard]] double rate() const;  ///< share of the false verdict
  [[nodiscard]] double se() const;    ///< sqrt(rate (1 - rate) / reps)
};
/// Simulates one cell. A promise is kept with a rate of at most its level + 3 standard errors. A cell above that is
/// simulated again, with four times as many other simulations, which decide: of hundreds of promises that are met
/// exactly, one would fail by chance otherwise. A cell in which nothing could be judged fails. Simulation s draws from
/// stream s of the key "comparison:audit/<scores>/<runs>", purpose "audit": rules that differ in nothing else see the
/// same scores. InvalidInput as in audit_cell.
[[nodiscard]] OfferRow audit_offer(const OfferCell& cell, const AuditSettings& settings);
[[nodiscard]] bool passes(std::span<const OfferRow> rows);

}  // namespace retrial::variance::inline offers
