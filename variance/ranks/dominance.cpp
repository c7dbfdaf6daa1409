#include "variance/ranks/dominance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/random/bulk_draws.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/sample.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline ranks {
namespace {

using DrawnCounts = std::vector<std::uint32_t>;

/// Values in ascending order with the number of times each was drawn.
struct Weighted {
  std::span<const double> values;
  const DrawnCounts& count;
};

/// Walks both quantile functions at once. A step of the candidate is m wide, one of the baseline n, in units of
/// 1 / (n m), so that the merged breakpoints are integers.
double violation_of(const Weighted& a, const Weighted& b) {
  const std::int64_t n = static_cast<std::int64_t>(a.values.size()), m = static_cast<std::int64_t>(b.values.size());
  const std::int64_t end = n * m;
  std::size_t i = 0, j = 0;
  std::int64_t a_until = m * a.count[0], b_until = n * b.count[0], at = 0;
  double violated = 0.0, all = 0.0;
  while (at < end) {
    while (a_until <= at) a_until += m * a.count[++i];
    while (b_until <= at) b_until += n * b.count[++j];
    const std::int64_t next = std::min(a_until, b_until);
    const double distance = a.values[i] - b.values[j];
    const double area = static_cast<double>(next - at) * distance * distance;
    all += area;
    violated += distance < 0.0 ? area : 0.0;
    at = next;
  }
  return all > 0.0 ? violated / all : 0.5;
}

/// All resamples use the same two tables of counts.
class Resampler {
 public:
  Resampler(const Sample& a, const Sample& b, bool paired, std::span<const std::uint32_t> place_of_a,
            std::span<const std::uint32_t> place_of_b)
      : a_(a),
        b_(b),
        paired_(paired),
        place_of_a_(place_of_a),
        place_of_b_(place_of_b),
        of_a_(a.size()),
        of_b_(b.size()),
        words_(paired ? a.size() : a.size() + b.size()),
        places_(words_.size()) {}

  double draw(std::uint64_t key, std::uint64_t r) {
    std::ranges::fill(of_a_, 0U);
    std::ranges::fill(of_b_, 0U);
    const std::size_t n = a_.size(), m = words_.size() - n;
    const std::span<std::uint32_t> places(places_);
    fill_words(key, r, words_);
    fill_bounded(std::span(words_).first(n), static_cast<std::uint32_t>(n), places.first(n));
    if (m > 0) fill_bounded(std::span(words_).last(m), static_cast<std::uint32_t>(m), places.last(m));
    for (const std::uint32_t drawn : places.first(n)) {
      ++of_a_[place_of_a_[drawn]];
      if (paired_) ++of_b_[place_of_b_[drawn]];
    }
    for (const std::uint32_t drawn : places.last(m)) ++of_b_[place_of_b_[drawn]];
    return violation_of({a_, of_a_}, {b_, of_b_});
  }

 private:
  const Sample &a_, &b_;
  bool paired_;
  std::span<const std::uint32_t> place_of_a_, place_of_b_;
  DrawnCounts of_a_, of_b_;
  std::vector<std::uint64_t> words_;
  DrawnCounts places_;
};

/// Place in ascending order of each value.
std::vector<std::uint32_t> dominance_places(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size()), place(values.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return values[i] != values[j] ? values[i] < values[j] : i < j; });
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

Sample sample_of(std::span<const double> values, const char* field) {
  return Sample({values.begin(), values.end()}, field);
}

}  // namespace

Dominance aso(std::span<const double> candidate, std::span<const double> baseline, const DominanceOptions& options) {
  require_between("alpha", options.alpha, 0.0, 1.0);
  require_between("tau", options.tau, 0.0, 1.0);
  require_within("resamples", options.resamples, 100, 1'000'000'000);
  if (options.paired) require_pairs(candidate, baseline);
  const Sample a = sample_of(candidate, "candidate").sorted(), b = sample_of(baseline, "baseline").sorted();
  Dominance result{.ratio = violation_of({a, DrawnCounts(a.size(), 1)}, {b, DrawnCounts(b.size(), 1)})};
  if (std::ranges::equal(a.values(), b.values())) result.note = "identical";
  if (a.size() < 2 || b.size() < 2) {
    result.note = "more runs needed";
    return result;
  }
  const auto place_of_a = dominance_places(candidate), place_of_b = dominance_places(baseline);
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size()), scale = std::sqrt(n * m / (n + m));
  Resampler resampler(a, b, options.paired, place_of_a, place_of_b);
  std::vector<double> deviations(static_cast<std::size_t>(options.resamples));
  for (std::size_t r = 0; r < deviations.size(); ++r)
    deviations[r] = scale * (resampler.draw(options.key, r) - result.ratio);
  result.sd = sd(deviations);
  result.bound = std::clamp(result.ratio + *result.sd / scale * quantile(1.0 - options.alpha), 0.0, 1.0);
  result.dominates = *result.bound < options.tau;
  return result;
}

namespace {

// The bound is resampled from as few runs as there are, and of few runs it is far too low. One variant that dominates
// the other is larger, so the exact tests for that have to agree.

ExactClaims exact_pairs(const TwoSamples& scores) {
  const double rounding = tie_tolerance(std::nullopt, scores.candidate, scores.baseline);
  const TestResult test = wilcoxon(differences_of(scores), rounding).test;
  return {.law = "signed-rank test", .worse = test.p_less, .better = test.p_greater};
}

ExactClaims exact_runs(const TwoSamples& scores) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, std::nullopt);
  if (runs.all_tied()) return {.law = "Mann-Whitney test"};
  const TestResult test = mann_whitney(runs).test;
  return {.law = "Mann-Whitney test", .worse = test.p_less, .better = test.p_greater};
}

TestOutcome aso_outcome(const TwoSamples& scores, const TestSettings& settings, bool paired) {
  const DominanceOptions options{.alpha = claim_level(settings),
                                 .tau = settings.tau,
                                 .resamples = settings.resamples,
                                 .paired = paired,
                                 .key = key_of(settings, "aso")};
  const Dominance ours = aso(scores.candidate, scores.baseline, options);
  const Dominance theirs = aso(scores.baseline, scores.candidate, options);
  TestOutcome outcome{.statistic = ours.ratio,
                      .drawn = true,
                      .method = "almost stochastic order, " + std::to_string(settings.resamples) + " resamples",
                      .estimate = {.point = ours.ratio,
                                   .high = ours.bound,
                                   .level = 1.0 - options.alpha,
                                   .method = "upper bound, resampled deviation"},
                      .estimand = "share of the distance between the two distributions that favors the baseline"};
  if (ours.dominates)
    outcome.status = Status::better;
  else if (theirs.dominates)
    outcome.status = Status::worse;
  if (theirs.bound) outcome.details.emplace_back("reverse_bound", *theirs.bound);
  outcome.details.emplace_back("tau", settings.tau);
  require_exact(outcome, paired ? exact_pairs(scores) : exact_runs(scores), settings);
  paired ? note_too_few(outcome, scores.candidate.size(), settings) : note_too_few(outcome, scores, settings);
  if (!ours.note.empty()) outcome.notes.push_back(ours.note);
  if (settings.tau >= 0.5) outcome.notes.push_back("tau of .5 or more has a high type-I error");
  return outcome;
}

}  // namespace

TestOutcome run_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, false);
}

TestOutcome run_paired_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, true);
}

}  // namespace retrial::variance::inline ranks
