#include <algorithm>
#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/comparisons/labelling.hpp"
#include "variance/means/classical.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/sample.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

/// Sums that differ by rounding only are equal: the observed assignment is itself among those it is compared with.
double slack_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double x : values) sum += std::fabs(x);
  return 1e-12 * sum;
}

struct SignWalk {
  std::span<const double> values;
  double observed, slack;
  TailCount tails;

  void walk(std::size_t i, double sum) {
    if (i < values.size()) {
      walk(i + 1, sum + values[i]);
      walk(i + 1, sum - values[i]);
      return;
    }
    count(sum);
  }
  void count(double sum) {
    tails.at_most += sum <= observed + slack ? 1 : 0;
    tails.at_least += sum >= observed - slack ? 1 : 0;
    ++tails.total;
  }
  void draw(std::uint64_t key, std::uint64_t r) {
    Stream stream(key, r);
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size();) {
      std::uint64_t bits = stream.next();
      const std::size_t end = std::min(values.size(), i + 64);
      for (; i < end; ++i, bits >>= 1) sum += (bits & 1) != 0 ? -values[i] : values[i];
    }
    count(sum);
  }
};

/// The sum of `values` under all 2^n signs, or under drawn ones: sign i of a draw is bit i mod 64 of word i / 64 of its
/// stream; 1 means minus.
TailCount signed_tails(std::span<const double> values, const Relabelling& how) {
  SignWalk walk{.values = values, .observed = 0.0, .slack = slack_of(values), .tails = {}};
  for (const double x : values) walk.observed += x;
  if (values.size() < 62 && (std::int64_t{1} << values.size()) <= how.enumerate_to) {
    walk.walk(0, 0.0);
    return walk.tails;
  }
  walk.tails.exact = false;
  const std::uint64_t key = key_of_draws(how);
  for (std::int64_t r = 0; r < how.draws; ++r) walk.draw(key, static_cast<std::uint64_t>(r));
  return walk.tails;
}

TestResult from_tails(const TailCount& tails, double statistic) {
  const double less = tails.p_less(), greater = tails.p_greater();
  return {
      .statistic = statistic,
      .p_less = less,
      .p_greater = greater,
      .p_two = doubled_tail(less, greater),
      .drawn = !tails.exact,
      .exact = tails.exact,
      .method = tails.exact ? "exact permutation law" : "permutation law, " + std::to_string(tails.total) + " draws"};
}

}  // namespace

TestResult paired_permutation(std::span<const double> differences, const Relabelling& how) {
  require_finite("differences", differences);
  require_at_least("pairs", static_cast<std::int64_t>(differences.size()), 1);
  return from_tails(signed_tails(differences, how), *mean(differences));
}

TestResult permutation_test(std::span<const double> candidate, std::span<const double> baseline,
                            const Relabelling& how) {
  const Sample a(std::vector<double>(candidate.begin(), candidate.end()), "candidate");
  const Sample b(std::vector<double>(baseline.begin(), baseline.end()), "baseline");
  std::vector<double> pool(candidate.begin(), candidate.end());
  pool.insert(pool.end(), baseline.begin(), baseline.end());
  double observed = 0.0;
  for (const double x : candidate) observed += x;
  // With the pool fixed, the difference of means rises with the sum of the candidate's scores.
  const auto total = static_cast<std::uint32_t>(pool.size()), n = static_cast<std::uint32_t>(candidate.size());
  const auto tails =
      relabelled_tails(total, n, how, observed, slack_of(pool), [&](std::span<const std::uint32_t> chosen) {
        double sum = 0.0;
        for (const std::uint32_t i : chosen) sum += pool[i];
        return sum;
      });
  return from_tails(tails, *mean(candidate) - *mean(baseline));
}

namespace {

Estimate mean_interval(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  if (differences.size() < 2)
    return {.point = differences[0], .level = 1.0 - settings.alpha, .method = "none: one pair"};
  return paired_t(differences, {.alpha = settings.alpha})->mean;
}

}  // namespace

TestOutcome run_paired_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  TestOutcome outcome = judged(paired_permutation(differences, relabelling(settings)), settings,
                               mean_interval(scores, settings), mean_difference);
  note_min_p(outcome, std::pow(0.5, static_cast<double>(differences.size()) - 1.0), settings);
  return outcome;
}

TestOutcome run_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto result = permutation_test(scores.candidate, scores.baseline, relabelling(settings));
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  TestOutcome outcome = judged(result, settings, t.difference, mean_difference);
  const double labellings =
      std::exp(log_choose(scores.candidate.count() + scores.baseline.count(), scores.candidate.count()));
  note_min_p(outcome, std::min(1.0, 2.0 / labellings), settings);
  return outcome;
}

}  // namespace retrial::variance::inline means
