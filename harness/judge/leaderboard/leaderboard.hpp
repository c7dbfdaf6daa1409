#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/design/comparison.hpp"
#include "variance/many/joint_differences.hpp"

namespace retrial::harness::inline judge::inline leaderboard {

/// One variant, compared with the reference.
struct Member {
  enum class Word { better, worse, equivalent, open };

  std::string variant;
  std::int64_t pairs = 0;         ///< with a finite score on both sides
  std::int64_t left_out = 0;      ///< the other pairs
  std::int64_t failed = 0;        ///< runs of this variant without a finite score
  std::int64_t failed_alone = 0;  ///< of them, in pairs where the reference has a score
  std::int64_t reference_failed_alone = 0;
  std::optional<double> mean;            ///< mean of its finite scores
  variance::JointDifference difference;  ///< variant - reference
  Word word = Word::open;
};
/// "better", "worse", "equivalent", "not settled".
[[nodiscard]] std::string_view name_of(Member::Word word);

/// Every other variant of a study compared with one of them, as one family of claims with a joint error rate. It is not
/// the declared comparison: it is a view of all variants, for choosing what to test next.
struct Leaderboard {
  struct LeftOut {
    std::string variant, reason;
  };

  std::string reference;
  results::MetricDef metric;
  double alpha = 0.05;
  std::optional<double> margin;
  std::optional<double> reference_mean;
  std::int64_t reference_runs = 0, reference_failed = 0;
  std::vector<Member> members;  ///< in study order
  std::string rule;             ///< the declared test, which judges one pair
  /// The candidate of the declared comparison with this reference, and its verdict; absent for another reference.
  std::optional<std::pair<std::string, variance::Status>> judged;
  std::vector<LeftOut> left_out;  ///< not finished, other data, seeds that change nothing; they count in the family
  /// Scores of every variant that takes part, the reference included, by pair.
  std::map<std::string, std::vector<std::optional<double>>> scores;
};

/// A leaderboard answers a question of three or more variants with a fixed number of pairs: the pairs of a sequential
/// design stop where two of its variants decided.
[[nodiscard]] bool has_leaderboard(const StudyView& study);

/// The looks at a leaderboard: every other variant against the reference, but for the pair of the declared comparison,
/// which `judged` is a look at. They are one family.
[[nodiscard]] std::vector<Look> leaderboard_looks(const results::Store& store, const StudyView& study,
                                                  const Comparison& judged, const std::string& reference);

/// `judged`: the comparison whose metric, alpha and margin are used.
[[nodiscard]] Leaderboard leaderboard_of(const results::Store& store, const StudyView& study,
                                         const std::vector<PlannedTrial>& trials, const Comparison& judged,
                                         const std::string& reference);

}  // namespace retrial::harness::inline judge::inline leaderboard
