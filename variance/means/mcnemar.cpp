#include <algorithm>
#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline means {

McNemar mcnemar(std::int64_t wins, std::int64_t losses) {
  require_at_least("wins", wins, 0);
  require_at_least("losses", losses, 0);
  const std::int64_t n = wins + losses;
  McNemar result;
  if (n == 0) return result;
  const double distance = std::max(0.0, std::fabs(static_cast<double>(wins - losses)) - 1.0);
  result.chi_squared = distance * distance / static_cast<double>(n);
  result.p_chi_squared = chi_squared_above(result.chi_squared, 1.0);
  result.p_exact = binomial_two_sided(std::min(wins, losses), n, 0.5);
  result.p_greater = binomial_at_least(wins, n, 0.5);
  result.p_less = binomial_at_most(wins, n, 0.5);
  const double half = binomial_exactly(wins, n, 0.5) / 2.0;
  result.mid_greater = result.p_greater - half;
  result.mid_less = result.p_less - half;
  result.p_mid = std::min(1.0, 2.0 * std::min(result.mid_less, result.mid_greater));
  return result;
}

namespace {

struct Discordant {
  std::int64_t wins = 0, losses = 0;
};

Discordant discordant_items(const TwoSamples& scores) {
  Discordant result;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    result.wins += scores.candidate[i] > scores.baseline[i] ? 1 : 0;
    result.losses += scores.candidate[i] < scores.baseline[i] ? 1 : 0;
  }
  return result;
}

constexpr std::int64_t chi_squared_from = 25;

TestOutcome mcnemar_outcome(const TwoSamples& scores, const TestSettings& settings, bool mid) {
  const Discordant found = discordant_items(scores);
  const std::int64_t n = found.wins + found.losses;
  const McNemar test = mcnemar(found.wins, found.losses);
  const char* const estimand = "share of the discordant items that the candidate gets right";
  Estimate share{.point = 0.5, .level = 1.0 - settings.alpha, .method = "none: no discordant item"};
  if (n > 0) share = clopper_pearson(found.wins, n, settings.alpha);
  TestResult result{.statistic = test.chi_squared, .df = 1.0};
  if (mid) {
    result.p_less = test.mid_less, result.p_greater = test.mid_greater, result.p_two = test.p_mid;
    result.method = "McNemar, mid-p";
  } else if (n >= chi_squared_from) {
    // The one-sided p of chi-squared is half of it on the side of the sign.
    const double half = test.p_chi_squared / 2.0;
    result.p_less = found.wins < found.losses ? half : 1.0 - half;
    result.p_greater = found.wins > found.losses ? half : 1.0 - half;
    result.p_two = test.p_chi_squared;
    result.method = "McNemar, chi-squared with continuity correction";
  } else {
    result.p_less = test.p_less, result.p_greater = test.p_greater, result.p_two = test.p_exact;
    result.exact = true;
    result.method = "McNemar, exact binomial";
  }
  TestOutcome outcome = judged(result, settings, share, estimand);
  outcome.details = {{"only_candidate_right", static_cast<double>(found.wins)},
                     {"only_baseline_right", static_cast<double>(found.losses)},
                     {"p_chi_squared", test.p_chi_squared},
                     {"p_exact", test.p_exact},
                     {"p_mid", test.p_mid}};
  return outcome;
}

}  // namespace

TestOutcome run_mcnemar(const TwoSamples& scores, const TestSettings& settings) {
  return mcnemar_outcome(scores, settings, false);
}

TestOutcome run_mcnemar_mid_p(const TwoSamples& scores, const TestSettings& settings) {
  return mcnemar_outcome(scores, settings, true);
}

}  // namespace retrial::variance::inline means
