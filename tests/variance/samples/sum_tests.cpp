#include "variance/samples/summary.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::sum_tests {

using namespace retrial::variance;

namespace {

std::vector<double> draws(std::size_t count) {
  Stream stream(derive(1, "sum"));
  std::vector<double> values(count);
  for (double& value : values) value = uniform(stream.next(), -1.0, 1.0);
  return values;
}

/// The definition, level by level: sums of the blocks, then sums of neighbors until one is left.
double by_levels(const std::vector<double>& values) {
  std::vector<double> level;
  for (std::size_t at = 0; at < values.size(); at += 128) {
    double sum = 0;
    for (std::size_t i = at; i < std::min(at + 128, values.size()); ++i) sum += values[i];
    level.push_back(sum);
  }
  while (level.size() > 1) {
    std::vector<double> next;
    for (std::size_t i = 0; i < level.size(); i += 2)
      next.push_back(i + 1 < level.size() ? level[i] + level[i + 1] : level[i]);
    level = next;
  }
  return level.empty() ? 0.0 : level[0];
}

}  // namespace

TEST_CASE("the pairwise sum is the balanced tree over blocks of 128, to the bit") {
  for (std::size_t blocks = 0; blocks <= 17; ++blocks)
    for (const std::size_t rest : {0U, 1U, 127U}) {
      const auto values = draws(blocks * 128 + rest);
      REQUIRE(pairwise_sum(values) == by_levels(values));
    }
}

TEST_CASE("sums of nothing and of one value are exact") {
  CHECK(pairwise_sum({}) == 0.0);
  CHECK(pairwise_sum(std::vector{0.1}) == 0.1);
  CHECK(Neumaier().value() == 0.0);
}

TEST_CASE("the pairwise sum of a million tenths is off by less than a billionth where the plain loop is off by more") {
  const std::vector<double> tenths(1000000, 0.1);
  double loop = 0;
  for (const double x : tenths) loop += x;
  CHECK(std::fabs(pairwise_sum(tenths) - 100000.0) < 1e-9);
  CHECK(std::fabs(loop - 100000.0) > 1e-7);
}

TEST_CASE("Neumaier's sum keeps what a large term would swallow") {
  Neumaier sum;  // 1 + 1e100 + 1 - 1e100 = 2: the example of Neumaier 1974, where Kahan's sum gives 0
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  CHECK(sum.value() == 2.0);
}

}  // namespace retrial::tests::sum_tests
