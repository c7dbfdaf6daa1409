#pragma once

#include "variance/comparisons/comparisons.hpp"
#include "variance/comparisons/labelling.hpp"
#include "variance/comparisons/test_result.hpp"

/// Shared parts of the tests of two variants. For .cpp files of tests.
namespace retrial::variance::inline comparisons {

/// alpha per directional claim.
[[nodiscard]] inline double claim_level(const TestSettings& settings) {
  return settings.sides == Sides::two ? settings.alpha / 2.0 : settings.alpha;
}
/// Settings of a permutation law; its draws have the purpose "permutation".
[[nodiscard]] Relabelling relabelling(const TestSettings& settings);
/// The key of draws for one purpose; InvalidInput{seed} if the comparison has no key.
[[nodiscard]] std::uint64_t key_of(const TestSettings& settings, std::string_view purpose);

/// BETTER or WORSE by one-sided p values, else EQUIVALENT if the p of equivalence within a given margin is at most
/// alpha, else INCONCLUSIVE.
[[nodiscard]] TestOutcome judged(const TestResult& result, const TestSettings& settings, Estimate estimate,
                                 std::string estimand, std::optional<double> p_equivalent = {});
[[nodiscard]] TestOutcome judged(const Posterior& posterior, const TestSettings& settings, Estimate estimate,
                                 std::string estimand);
/// INVALID (ties): no statistic and no p.
[[nodiscard]] TestOutcome all_tied(std::string method, Estimate estimate, std::string estimand);

/// Adds a note if `min_p`, the smallest attainable two-sided p, cannot support a claim.
void note_min_p(TestOutcome& outcome, double min_p, const TestSettings& settings);

/// One-sided p of an exact law for each claim of a posterior or of a bound, which by themselves hold no error rate.
struct ExactClaims {
  const char* law = "";  ///< e.g. "sign test"
  double worse = 1.0, better = 1.0;
  std::optional<double> equivalent = {};  ///< absent for a rule that makes no such claim
};
/// Withdraws a claim whose exact p is above alpha, with a note, and adds those p to the details: so equal variants are
/// called BETTER at most alpha of the time, whatever the number of runs and ties.
void require_exact(TestOutcome& outcome, const ExactClaims& exact, const TestSettings& settings);

/// Notes that the p is exact because scores repeat and, where there are too few pairs or runs of each variant to
/// decide, how many are needed.
void note_repeats(TestOutcome& outcome, std::size_t pairs, const TestSettings& settings);
void note_repeats(TestOutcome& outcome, const TwoSamples& runs, const TestSettings& settings);
/// Notes that this number can never decide, and how many can; nothing if it can.
void note_too_few(TestOutcome& outcome, std::size_t pairs, const TestSettings& settings);
void note_too_few(TestOutcome& outcome, const TwoSamples& runs, const TestSettings& settings);

/// Adds a note about the percentile interval of a share, if the settings select it.
void note_interval(TestOutcome& outcome, const TestSettings& settings);

/// InvalidInput{margin} without one.
[[nodiscard]] double margin_of(const TestSettings& settings);
/// Half the resolution, else 1e-12 of the largest score.
[[nodiscard]] double tolerance_of(const TwoSamples& scores, const TestSettings& settings);
[[nodiscard]] std::vector<double> differences_of(const TwoSamples& scores);

// Names of the estimands.
inline constexpr const char* mean_difference = "mean difference (candidate - baseline)";
inline constexpr const char* win_share = "P(candidate beats baseline), paired, ties count as half";
inline constexpr const char* beating = "P(candidate beats baseline), all pairs of runs, ties count as half";

// The functions of the table, each in the file of its test; variants of one test share a file.
using RunTest = TestOutcome(const TwoSamples&, const TestSettings&);

}  // namespace retrial::variance::inline comparisons

namespace retrial::variance::inline wins {
RunTest run_unpaired_win, run_sign, run_pab_exact;
}

namespace retrial::variance::inline means {
RunTest run_five_by_two_t, run_five_by_two_f, run_mcnemar, run_mcnemar_mid_p, run_paired_t, run_corrected_t, run_tost,
    run_paired_permutation, run_permutation, run_welch, run_welch_tost, run_yuen, run_yuen_paired;
}

namespace retrial::variance::inline spreads {
RunTest run_brown_forsythe, run_variance_ratio, run_pitman_morgan;
}

namespace retrial::variance::inline ranks {
RunTest run_brunner_munzel, run_aso, run_paired_aso, run_mann_whitney, run_wilcoxon;
}

namespace retrial::variance::inline bayes {
RunTest run_bayes_t, run_bayes_sign, run_bayes_signed_rank;
}
