#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/means/paired.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

/// Ways to cut `items` into `parts` non-empty runs, as a logarithm; -infinity if that is impossible.
double log_compositions(std::int64_t items, std::int64_t parts) {
  if (parts < 1 || parts > items) return -HUGE_VAL;
  return log_choose(items - 1, parts - 1);
}

/// P(R = runs) when all orders of the signs are equally likely: the runs alternate, starting with either sign.
double probability_of_runs(std::int64_t runs, std::int64_t above, std::int64_t below) {
  const double all = log_choose(above + below, above);
  const auto ways = [&](std::int64_t of_above, std::int64_t of_below) {
    return std::exp(log_compositions(above, of_above) + log_compositions(below, of_below) - all);
  };
  return ways(runs / 2, runs - runs / 2) + ways(runs - runs / 2, runs / 2);
}

}  // namespace

std::optional<RunsTest> runs_of_signs(std::span<const int> signs) {
  RunsTest test;
  int before = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] != 1 && signs[i] != -1)
      throw InvalidInput("signs[" + std::to_string(i) + "]", std::to_string(signs[i]), "1 and -1");
    ++(signs[i] > 0 ? test.above : test.below);
    test.runs += signs[i] != before ? 1 : 0;
    before = signs[i];
  }
  if (test.above == 0 || test.below == 0) return std::nullopt;
  const double a = static_cast<double>(test.above), b = static_cast<double>(test.below), n = a + b;
  test.mean = 1.0 + 2.0 * a * b / n;
  test.variance = 2.0 * a * b * (2.0 * a * b - n) / (n * n * (n - 1.0));
  test.z = test.variance > 0.0 ? (static_cast<double>(test.runs) - test.mean) / std::sqrt(test.variance) : 0.0;
  test.p_less = test.p_greater = 0.0;
  for (std::int64_t runs = 2; runs <= test.above + test.below; ++runs) {
    const double p = probability_of_runs(runs, test.above, test.below);
    if (runs <= test.runs) test.p_less += p;
    if (runs >= test.runs) test.p_greater += p;
  }
  test.p_less = std::min(1.0, test.p_less);
  test.p_greater = std::min(1.0, test.p_greater);
  test.p_two = std::min(1.0, 2.0 * std::min(test.p_less, test.p_greater));
  return test;
}

std::optional<RunsTest> runs_test(std::span<const double> values, double tolerance) {
  const auto middle = median(values);
  if (!middle) return std::nullopt;
  std::vector<int> signs;
  for (const double value : values)
    if (std::fabs(value - *middle) > tolerance) signs.push_back(value > *middle ? 1 : -1);
  return runs_of_signs(signs);
}

}  // namespace retrial::variance::inline means
