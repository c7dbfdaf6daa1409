#include "variance/wins/win.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/ties.hpp"
#include "variance/wins/decide.hpp"
#include "variance/wins/tied_share.hpp"

namespace retrial::variance::inline wins {
namespace {

void require_win_counts(const PairedWin& counts) {
  require_at_least("wins", counts.wins, 0);
  require_at_least("ties", counts.ties, 0);
  require_at_least("losses", counts.losses, 0);
}

Estimate untied_interval(std::int64_t x, std::int64_t n, double alpha, WinMethod method) {
  switch (method) {
    case WinMethod::mid_p:
      return mid_p(x, n, alpha);
    case WinMethod::wilson:
      return wilson(x, n, alpha);
    case WinMethod::percentile:
      return percentile(x, n, alpha);
    case WinMethod::bootstrap_exact:
      return percentile(x, n, alpha);
    case WinMethod::clopper_pearson:
      break;
  }
  return clopper_pearson(x, n, alpha);
}

/// Coefficients of ((l + t z + w z^2) / N)^N.
std::vector<double> resample_law(const PairedWin& counts) {
  const double n = static_cast<double>(counts.pairs());
  const double loss = static_cast<double>(counts.losses) / n, tie = static_cast<double>(counts.ties) / n,
               win = static_cast<double>(counts.wins) / n;
  std::vector<double> law{1.0};
  for (std::int64_t i = 0; i < counts.pairs(); ++i) {
    std::vector<double> next(law.size() + 2, 0.0);
    for (std::size_t s = 0; s < law.size(); ++s) {
      next[s] += loss * law[s];
      next[s + 1] += tie * law[s];
      next[s + 2] += win * law[s];
    }
    law = std::move(next);
  }
  return law;
}

double quantile_of_law(const std::vector<double>& law, double q) {
  double below = 0.0;
  std::size_t s = 0;
  for (; s + 1 < law.size(); ++s) {
    below += law[s];
    if (below >= q) break;
  }
  return static_cast<double>(s) / static_cast<double>(law.size() - 1);
}

}  // namespace

double PairedWin::tie_share() const {
  return pairs() == 0 ? 0.0 : static_cast<double>(ties) / static_cast<double>(pairs());
}

double PairedWin::share() const {
  return pairs() == 0 ? 0.5 : static_cast<double>(2 * wins + ties) / static_cast<double>(2 * pairs());
}

PairedWin paired_win(std::span<const double> candidate, std::span<const double> baseline,
                     std::optional<double> resolution) {
  require_pairs(candidate, baseline);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
  const double tolerance = tie_tolerance(resolution, candidate, baseline);
  PairedWin counts;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const double difference = candidate[i] - baseline[i];
    if (std::fabs(difference) <= tolerance)
      ++counts.ties;
    else
      ++(difference > 0.0 ? counts.wins : counts.losses);
  }
  return counts;
}

Estimate win_interval(const PairedWin& counts, double alpha, WinMethod method) {
  require_win_counts(counts);
  require_between("alpha", alpha, 0.0, 0.5);
  if (counts.untied() == 0) return {.point = 0.5, .level = 1.0 - alpha, .method = "none: no pair without a tie"};
  const bool whole_law = method == WinMethod::percentile || method == WinMethod::bootstrap_exact;
  if (counts.ties > 0 && whole_law) return bootstrap_win_exact(counts, alpha);
  if (counts.ties > 0) return tied_share_interval(counts, alpha, method);
  return untied_interval(counts.wins, counts.untied(), alpha, method);
}

Estimate bootstrap_win_exact(const PairedWin& counts, double alpha) {
  require_win_counts(counts);
  require_between("alpha", alpha, 0.0, 0.5);
  require_at_least("pairs", counts.pairs(), 1);
  if (counts.ties == 0) return percentile(counts.wins, counts.pairs(), alpha);
  const auto law = resample_law(counts);
  return {.point = counts.share(),
          .low = quantile_of_law(law, alpha / 2.0),
          .high = quantile_of_law(law, 1.0 - alpha / 2.0),
          .level = 1.0 - alpha,
          .method = "percentile"};
}

double paired_gamma(double unpaired, double r) {
  require_between("r", r, -1.0, 1.0);
  require_between("gamma", unpaired, 0.0, 1.0);
  return normal_cdf(quantile(unpaired) * (1.0 / std::sqrt(1.0 - r)));
}

namespace {

void add_counts(TestOutcome& outcome, const PairedWin& counts) {
  outcome.details.emplace_back("wins", static_cast<double>(counts.wins));
  outcome.details.emplace_back("ties", static_cast<double>(counts.ties));
  outcome.details.emplace_back("losses", static_cast<double>(counts.losses));
}

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
    note_min_p(outcome, std::pow(0.5, static_cast<double>(counts.untied() - 1)), settings);
  }
  note_interval(outcome, settings);
  add_counts(outcome, counts);
  return outcome;
}

}  // namespace

TestOutcome run_sign(const TwoSamples& scores, const TestSettings& settings) {
  return sign_outcome(paired_win(scores.candidate, scores.baseline, settings.resolution), settings);
}

TestOutcome run_pab_exact(const TwoSamples& scores, const TestSettings& settings) {
  const PairedWin counts = paired_win(scores.candidate, scores.baseline, settings.resolution);
  TestOutcome outcome = sign_outcome(counts, settings);
  outcome.method = "exact binomial rule on untied pairs";
  if (settings.gamma) outcome.details.emplace_back("gamma", *settings.gamma);
  const Levels levels{.alpha = claim_level(settings), .beta = settings.beta, .gamma = settings.gamma};
  if (outcome.status == Status::invalid) return outcome;
  outcome.status = pab_exact(counts.wins, counts.untied(), levels);
  if (settings.gamma) outcome.p_not_meaningful = binomial_at_most(counts.wins, counts.untied(), *settings.gamma);
  return outcome;
}

}  // namespace retrial::variance::inline wins
