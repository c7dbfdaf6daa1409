#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "variance/bayes/bayes.hpp"
#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/random/bulk_draws.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline bayes {
namespace {

/// For every item, the number of items strictly below, and at or below, the value at which its pair changes sides.
struct Turns {
  std::vector<std::size_t> strictly, at_most;
};

Turns turns_of(const std::vector<double>& sorted, double sum_of_pair, double tolerance) {
  Turns turns;
  for (const double z : sorted) {
    const double other = sum_of_pair - z;
    const auto place = [&](double value) {
      return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
    };
    turns.strictly.push_back(place(other - tolerance));
    turns.at_most.push_back(
        static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), other + tolerance) - sorted.begin()));
  }
  return turns;
}

}  // namespace

Posterior signed_rank(std::span<const double> differences, const SignedRankOptions& options) {
  require_finite("differences", differences);
  require_at_least("pairs", static_cast<std::int64_t>(differences.size()), 1);
  require_within("draws", options.draws, 1'000, 1'000'000'000);
  require_not_negative("rope", options.rope);
  std::vector<double> items{0.0};
  items.insert(items.end(), differences.begin(), differences.end());
  const std::size_t n = items.size();
  std::vector<std::size_t> order(n), place(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return items[i] != items[j] ? items[i] < items[j] : i < j; });
  std::vector<double> sorted(n), weight(n), before(n + 1), drawn(n);
  std::vector<std::uint64_t> words(n);
  double largest = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    sorted[k] = items[order[k]];
    place[order[k]] = k;
    largest = std::max(largest, std::fabs(sorted[k]));
  }
  const double tolerance = 1e-12 * largest;
  const Turns low = turns_of(sorted, -2.0 * options.rope, tolerance),
              high = turns_of(sorted, 2.0 * options.rope, tolerance);

  std::int64_t left = 0, rope = 0, right = 0;  // twice the draws, so that a tie of left and right goes to both
  for (std::int64_t r = 0; r < options.draws; ++r) {
    fill_words(options.key, static_cast<std::uint64_t>(r), words);
    fill_exponentials(words, drawn);
    weight[place[0]] = gamma_half(words[0]);
    for (std::size_t i = 1; i < n; ++i) weight[place[i]] = drawn[i];
    for (std::size_t k = 0; k < n; ++k) before[k + 1] = before[k] + weight[k];
    double below = 0.0, above = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      below += weight[k] * (before[low.strictly[k]] + before[low.at_most[k]]) / 2.0;
      above += weight[k] * (before[n] - (before[high.strictly[k]] + before[high.at_most[k]]) / 2.0);
    }
    const double within = options.rope > 0.0 ? before[n] * before[n] - below - above : 0.0;
    const bool in_rope = within > below && within > above;
    rope += in_rope ? 2 : 0;
    left += in_rope || below < above ? 0 : below > above ? 2 : 1;
    right += in_rope || below > above ? 0 : below < above ? 2 : 1;
  }
  const double all = 2.0 * static_cast<double>(options.draws);
  return {.left = static_cast<double>(left) / all,
          .rope = static_cast<double>(rope) / all,
          .right = static_cast<double>(right) / all};
}

namespace {

/// Signed ranks of the distances from 0, and from both ends of the rope.
ExactClaims exact_ranks(std::span<const double> differences, double rope, double tolerance) {
  const auto from = [&](double hypothesis) {
    std::vector<double> distances(differences.begin(), differences.end());
    for (double& d : distances) d -= hypothesis;
    return wilcoxon(distances, tolerance).test;
  };
  const TestResult zero = from(0.0);
  ExactClaims exact{.law = "signed-rank test", .worse = zero.p_less, .better = zero.p_greater};
  if (rope > 0.0) exact.equivalent = std::max(from(-rope).p_greater, from(rope).p_less);
  return exact;
}

}  // namespace

TestOutcome run_bayes_signed_rank(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Posterior posterior = signed_rank(
      differences, {.rope = settings.rope, .draws = settings.resamples, .key = key_of(settings, "signedrank")});
  TestOutcome outcome = judged(posterior, settings,
                               win_interval(paired_win(scores.candidate, scores.baseline, settings.resolution),
                                            settings.alpha, settings.interval),
                               win_share);
  outcome.drawn = true;
  note_interval(outcome, settings);
  outcome.method = "Bayesian signed ranks, " + std::to_string(settings.resamples) + " draws";
  require_exact(outcome, exact_ranks(differences, settings.rope, tolerance_of(scores, settings)), settings);
  note_too_few(outcome, differences.size(), settings);
  return outcome;
}

}  // namespace retrial::variance::inline bayes
