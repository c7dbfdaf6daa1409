#include <cmath>
#include <limits>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

struct Replications {
  double variances = 0.0, squares = 0.0, sum = 0.0;
};

Replications replications_of(std::span<const double> differences) {
  require_finite("differences", differences);
  if (differences.size() != 10)
    throw InvalidInput("differences", std::to_string(differences.size()),
                       "ten, of five replications of two-fold cross-validation");
  Replications result;
  for (std::size_t i = 0; i < 10; i += 2) {
    const double first = differences[i], second = differences[i + 1];
    result.variances += (first - second) * (first - second) / 2.0;
    result.squares += first * first + second * second;
    result.sum += first + second;
  }
  return result;
}

}  // namespace

TestResult five_by_two_t(std::span<const double> differences) {
  const Replications r = replications_of(differences);
  TestResult result{.df = 5.0, .method = "5x2cv t"};
  const double se = std::sqrt(r.variances / 5.0), first = differences[0];
  if (se == 0.0) result.note = "degenerate: the differences of a replication are identical";
  if (se == 0.0 && first == 0.0) return result;
  const double t = se > 0.0 ? first / se : std::copysign(std::numeric_limits<double>::infinity(), first);
  result.statistic = t;
  const StudentTails tails = student_tails(t, 5.0);
  result.p_less = tails.below;
  result.p_greater = tails.above;
  result.p_two = tails.two();
  return result;
}

TestResult five_by_two_f(std::span<const double> differences) {
  const Replications r = replications_of(differences);
  TestResult result{.df = 10.0, .df_within = 5.0, .method = "combined 5x2cv F"};
  if (r.variances == 0.0) result.note = "degenerate: the differences of a replication are identical";
  if (r.squares == 0.0) return result;
  const double f = r.variances > 0.0 ? r.squares / (2.0 * r.variances) : std::numeric_limits<double>::infinity();
  result.statistic = f;
  result.p_two = f_above(f, 10.0, 5.0);
  result.p_greater = r.sum > 0.0 ? result.p_two / 2.0 : 1.0 - result.p_two / 2.0;
  result.p_less = r.sum < 0.0 ? result.p_two / 2.0 : 1.0 - result.p_two / 2.0;
  return result;
}

namespace {

TestOutcome five_by_two(const TwoSamples& scores, const TestSettings& settings, const TestResult& result) {
  const auto differences = differences_of(scores);
  return judged(result, settings,
                {.point = *mean(differences), .level = 1.0 - settings.alpha, .method = "none: the ten are dependent"},
                mean_difference);
}

}  // namespace

TestOutcome run_five_by_two_t(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_t(differences_of(scores)));
}

TestOutcome run_five_by_two_f(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_f(differences_of(scores)));
}

}  // namespace retrial::variance::inline means
