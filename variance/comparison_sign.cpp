#include <cmath>

#include "variance/comparison_parts.hpp"
#include "variance/decide.hpp"
#include "variance/distributions.hpp"
#include "variance/paired.hpp"
#include "variance/win.hpp"

namespace retrial::variance {
namespace {

void add_counts(TestOutcome& outcome, const PairedWin& counts) {
  outcome.details.emplace_back("wins", static_cast<double>(counts.wins));
  outcome.details.emplace_back("ties", static_cast<double>(counts.ties));
  outcome.details.emplace_back("losses", static_cast<double>(counts.losses));
}

}  // namespace

/// Exact binomial tails of the untied pairs; INVALID (ties) beyond the limit.
TestOutcome sign_outcome(const PairedWin& counts, const TestSettings& settings) {
  const Estimate share = win_interval(counts, settings.alpha, settings.interval);
  TestOutcome outcome;
  if (counts.untied() == 0 || counts.tie_share() > settings.tie_limit) {
    outcome = all_tied("exact sign test", share, win_share);
    outcome.notes = {"more than the allowed share of pairs is tied"};
  } else {
    const double greater = binomial_at_least(counts.wins, counts.untied(), 0.5);
    const double less = binomial_at_most(counts.wins, counts.untied(), 0.5);
    outcome = judged(TestResult{.statistic = static_cast<double>(counts.wins),
                                .p_less = less,
                                .p_greater = greater,
                                .p_two = doubled_tail(less, greater),
                                .exact = true,
                                .method = "exact sign test"},
                     settings, share, win_share);
    note_least_p(outcome, std::pow(0.5, static_cast<double>(counts.untied() - 1)), settings);
  }
  note_interval(outcome, settings);
  add_counts(outcome, counts);
  return outcome;
}

TestOutcome run_sign(const TwoSamples& scores, const TestSettings& settings) {
  return sign_outcome(counts_of(scores, settings), settings);
}

}  // namespace retrial::variance
