#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variance/comparisons/status.hpp"
#include "variance/comparisons/test_outcome.hpp"
#include "variance/designs/design.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/samples/score_bound.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"
#include "variance/verdict/failures.hpp"
#include "variance/wins/decide.hpp"
#include "variance/wins/win.hpp"

/// The judgment of a declared design: everything that a report states about two variants and one metric. Text and
/// numbers come from one struct so that they cannot disagree.
namespace retrial::variance::inline verdict {

/// Scores of both variants by pair index, in the order of the plan. Absent: the trial failed. Not finite: it diverged,
/// which is data and loses its pair under every failure policy.
struct PairedScores {
  std::vector<std::optional<double>> candidate = {}, baseline = {};
  Direction direction = Direction::none;
  std::optional<double> resolution = {};        ///< smallest step of the metric, e.g. 100 / test items
  std::optional<std::int64_t> test_items = {};  ///< the metric is an accuracy (or error rate) over this many items
  bool scores_in_percent = false;
  bool same_test_items = false;  ///< every run is tested on the same items, so their choice is not part of the variance
  /// Scores of which only a bound is known, by pair: a pair whose order it leaves open is a tie. Empty: all are exact.
  std::vector<ScoreBound> candidate_bounds = {}, baseline_bounds = {};
  /// Items that tell as much as `test_items` where some appear several times; absent: none does.
  std::optional<std::int64_t> effective_items = {};
  std::optional<std::pair<double, double>> range = {};  ///< lowest and highest possible score: intervals end there
};

/// One variant by itself, in the unit of the metric.
struct VariantSummary {
  std::int64_t runs = 0, missing = 0, diverged = 0;  ///< runs: trials with a finite score
  std::int64_t at_least = 0, at_most = 0;            ///< runs of which only a bound is known
  std::optional<double> mean, sd;
  std::optional<double> binomial_floor;  ///< sd from the choice of the test items alone
  /// Share of the variance; above 1 reads "100 % or more". Absent when all runs are tested on the same items.
  std::optional<double> floor_share;
};

struct Equivalence {
  Tost test;
  Estimate difference;  ///< interval of level 1 - 2 alpha, inside the margin iff equivalent
};

struct Flags {
  bool drift = false;          ///< differences drift along the seed list (runs test, p < .01)
  bool coarse_metric = false;  ///< fewer distinct scores than half the runs
  bool small_sample = false;   ///< too few untied pairs for BETTER even if the candidate wins all
  bool degenerate = false;     ///< scores or differences without spread
  bool conditional_on_ties = false;
  bool same_test_items = false;  ///< copied from PairedScores
};

/// The state of a sequential design after the complete pairs of a plan, from its first pair on.
struct SequentialPart {
  SequentialState state = SequentialState::go_on;  ///< anything else: no further pair changes the verdict
  std::int64_t at_n = 0;                           ///< judged pairs of the plan, including tied and left-out ones
  std::int64_t given = 0;                          ///< complete pairs; pairs after at_n are kept but not judged
  std::int64_t left_out = 0;                       ///< judged pairs left out by the failure policy
  std::vector<SequentialStep> looks;  ///< one for each pair that was not left out, up to the last judged pair
  std::vector<std::int64_t> pair_of;  ///< pairs of the plan that each look used
  /// For BETTER: 1 / the largest e-value so far, at most 1. Absent for `curtailed` after a pair that was neither won
  /// nor lost: its values before and after are not of one e-process.
  std::optional<double> always_valid_p;
  std::optional<std::int64_t> wins_to_better, losses_to_against;  ///< in a row, while undecided; rules on wins only
  /// Rules on wins only: at win rates 1/2 and design.levels().win_rate(). Of `curtailed`: given the judged pairs that
  /// were neither won nor lost, if all others are.
  std::optional<Operating> at_half, at_win_rate;
  Status low_means = Status::not_meaningful;  ///< verdict of a rule on wins after too few wins
};

struct Verdict {
  Status status = Status::invalid;
  std::optional<InvalidReason> reason;  ///< INVALID only
  std::string detail;                   ///< INVALID only: more about the reason
  Design design;
  PairedWin counts;                 ///< judged pairs; pairs in which both failed are among its ties
  std::int64_t both_failed = 0;     ///< pairs in which neither trial has a finite score, of counts.ties
  std::int64_t open_pairs = 0;      ///< tied pairs in which a score is a bound, of counts.ties
  std::int64_t dropped_pairs = 0;   ///< left out by the failure policy
  FailedPairs failures = {};        ///< failures among the judged pairs
  std::int64_t complete_pairs = 0;  ///< with two finite scores
  VariantSummary candidate, baseline;
  Estimate paired_p;  ///< P(candidate beats baseline), ties count as half, level 1 - alpha
  Estimate untied_p;  ///< the share of the untied pairs that the candidate wins: what the sign rule judges
  std::optional<UnpairedTheta> unpaired;  ///< from all pairs of runs; failed and diverged ones rank last
  std::optional<double> paired_theta_se;  ///< standard error of the same theta if runs share seeds
  std::optional<PairedT> difference;      ///< candidate - baseline over complete pairs, unit of the metric
  /// Fixed designs only: BETTER or WORSE if the t interval of the mean difference excludes 0; else INCONCLUSIVE.
  Status mean_favors = Status::inconclusive;
  std::optional<double> pairing_gain;
  std::optional<Equivalence> equivalence;
  /// For the declared number of pairs: size at 1/2, power at design.levels().win_rate(), wins needed, min p.
  FixedRule planned;
  FixedRule applied;                     ///< for the judged untied pairs
  double p_better = 1.0, p_worse = 1.0;  ///< exact one-sided sign test of the untied pairs
  std::optional<MorePairs> more_pairs;   ///< INCONCLUSIVE only
  std::optional<RunsTest> drift_test;
  /// Sequential designs only. Results that need a fixed number of pairs (p values, intervals that hold at one look) are
  /// then absent: unpaired, equivalence, bounds of `difference`; p_better and p_worse are undefined.
  std::optional<SequentialPart> sequential;
  std::optional<TestOutcome> test;  ///< fixed designs that declare a test other than pab_exact
  Flags flags;
  std::vector<std::string> warnings;
  /// Looks at this question up to this one, set by who keeps count of them, and how often at least one of them calls
  /// one of two equal variants BETTER, at most.
  std::int64_t looks = 1;
  double looks_rate = 0;

  /// Pairs with two scores that are equal.
  [[nodiscard]] std::int64_t tied_scores() const { return counts.ties - both_failed; }
  /// The win rate is that of the untied pairs, which the sign rule judges: some pairs are ties, and the design is
  /// fixed.
  [[nodiscard]] bool untied_only() const { return !sequential && counts.ties > 0; }
  /// The win rate that pages show. One that counts ties as half a win would be a mixture of wins and ties.
  [[nodiscard]] const Estimate& win_rate() const { return untied_only() ? untied_p : paired_p; }
  /// Rate of the applied rule: for the untied pairs of a fixed design; the declared one for a sequential design and a
  /// verdict that is INVALID.
  [[nodiscard]] double false_positive_rate() const;
};

/// Judges the scores as the design declared: precedence INVALID, BETTER or WORSE, EQUIVALENT, NOT MEANINGFUL,
/// INCONCLUSIVE. More pairs than declared are INVALID (extended), fewer INVALID (design-mismatch); numbers are reported
/// in both cases. Sequential designs: the scores are the complete pairs from the first on, and fewer than declared are
/// allowed. InvalidInput for a design out of range, lists of unequal length and a metric without direction.
[[nodiscard]] Verdict judge(const PairedScores& scores, const Design& design);

/// The verdict in plain English, one or two sentences that name both variants.
[[nodiscard]] std::string sentence(const Verdict& verdict);
/// The warnings of a verdict, one sentence each, in a fixed order.
[[nodiscard]] std::vector<std::string> warnings_of(const Verdict& verdict);

}  // namespace retrial::variance::inline verdict
