#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/estimates/effects_text.hpp"
#include "harness/estimates/two_sides.hpp"
#include "harness/judge/verdict/requirement.hpp"
#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/replication.hpp"

namespace retrial::harness::inline scores::inline outcomes {

/// One test of two named variants.
struct ScoreTest {
  std::string candidate, baseline;
  variance::TestSettings settings;
  variance::TestOutcome outcome;
  std::uint64_t root = 0;                                           ///< root seed of the draws
  std::vector<std::string> warnings;                                ///< warnings of the caller, e.g. pairs left out
  std::string observation = "pair";                                 ///< noun for one observation
  std::string unit = {};                                            ///< unit of the scores
  bool drawn_root = false;                                          ///< the root seed was drawn just now
  std::vector<double> tested_candidate = {}, tested_baseline = {};  ///< the scores that were tested
  std::optional<variance::Replication> replication = {};            ///< only for a single reported test
  Standing standing = {};              ///< tests on a store; a score file is taken on trust
  std::optional<TwoSides> sides = {};  ///< the scores before the failure policy; absent for a model of many tasks
  std::optional<MeasuredEffects> effects = {};  ///< absent where runs are not independent, or not scores
};

/// Runs one test. The random key depends on the two names and the root seed, so that every test of them draws the same.
void run_test(ScoreTest& test, const std::string& name, std::vector<double> candidate, std::vector<double> baseline);
/// Effect sizes and spreads of the finite scores, with intervals at the level of the settings. Nothing for a test of
/// bits or folds, whose rows are not independent runs, and for an INVALID outcome.
void measure_effects(ScoreTest& test, const RunScores& candidate, const RunScores& baseline, bool paired);

/// Schema retrial.test/1. Derived numbers are rounded to 10 significant digits; missing values are null; an infinite
/// statistic is the text "inf".
[[nodiscard]] Json test_document(const ScoreTest& test);
[[nodiscard]] std::string test_page(const ScoreTest& test);
/// The page in parts: headline with its subject; the numbers of both sides, the evidence and all remarks.
[[nodiscard]] report::Banner test_banner(const ScoreTest& test);
[[nodiscard]] std::vector<report::Block> test_blocks(const ScoreTest& test);
/// "new is BETTER than old"; `reason` follows INVALID.
[[nodiscard]] report::Banner verdict_banner(const std::string& candidate, const std::string& baseline,
                                            variance::Status status, std::string_view reason = "",
                                            variance::About about = variance::About::level);
/// "higher is better"; of a test of spread "less spread is steadier".
[[nodiscard]] std::string wanted_words(const ScoreTest& test);
/// "2 and 9 degrees of freedom"; empty for a statistic without them.
[[nodiscard]] std::string freedom_text(const std::optional<double>& df, const std::optional<double>& within);
/// "better", "steadier", "equivalent": what a p of the test is for.
[[nodiscard]] std::string claim_word(variance::Status status, variance::About about);

}  // namespace retrial::harness::inline scores::inline outcomes
