#include "variance/sources/sensitivity.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::sensitivity_tests {

using namespace retrial::variance;

namespace {
/// f = 3 u1 + 2 u2 + u3 + u4 / 2 + 1.5 u1 u2: first-order shares 9, 4, 1, .25 of 16.5, the rest is one interaction.
double model(std::uint64_t key, const std::vector<std::uint32_t>& seeds) {
  const auto u = [&](std::size_t s) { return normal(block(derive(key, std::uint64_t{s}), seeds[s], 0)[0]); };
  return 3 * u(0) + 2 * u(1) + u(2) + .5 * u(3) + 1.5 * u(0) * u(1);
}

std::vector<double> scores_of(std::uint64_t key, const SeedDesign& design) {
  std::vector<double> scores;
  for (const auto& seeds : design) scores.push_back(model(key, seeds));
  return scores;
}

constexpr std::array first{9 / 16.5, 4 / 16.5, 1 / 16.5, .25 / 16.5};

using Shares = std::function<std::vector<double>(std::uint64_t key)>;
std::array<double, 4> rmse(const Shares& estimate, int repetitions) {
  std::array<double, 4> squares{};
  for (int r = 0; r < repetitions; ++r) {
    const auto shares = estimate(derive(9, static_cast<std::uint64_t>(r)));
    for (std::size_t s = 0; s < 4; ++s) squares[s] += (shares[s] - first[s]) * (shares[s] - first[s]);
  }
  for (double& x : squares) x = std::sqrt(x / repetitions);
  return squares;
}

std::vector<double> saltelli(std::uint64_t key, std::uint32_t rows) {
  std::vector<double> shares;
  for (const auto& share : saltelli_estimate(scores_of(key, saltelli_design(rows, 4)), 4, {.resamples = 0}))
    shares.push_back(share.raw_first);
  return shares;
}
}  // namespace

TEST_CASE("a Saltelli design changes one source at a time against its row") {
  const auto design = saltelli_design(3, 2);
  CHECK(design.size() == 12);
  CHECK(design[4] == std::vector<std::uint32_t>{2, 2});
  CHECK(design[5] == std::vector<std::uint32_t>{3, 3});
  CHECK(design[6] == std::vector<std::uint32_t>{3, 2});
  CHECK(design[7] == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("shares of a model with an interaction, estimated as well as published") {
  // Root mean squared errors of an independent simulation (the specification of the variance layer), 10 %.
  const auto few = rmse([](std::uint64_t key) { return saltelli(key, 53); }, 600);  // 318 runs
  const std::array expected{.169, .128, .050, .024};
  for (std::size_t s = 0; s < 4; ++s) CHECK_THAT(few[s], WithinRel(expected[s], .1));
}

TEST_CASE("total shares count every interaction that a source takes part in") {
  const auto shares = saltelli_estimate(scores_of(4, saltelli_design(20'000, 4)), 4, {.resamples = 0});
  const std::array total{11.25 / 16.5, 6.25 / 16.5, 1 / 16.5, .25 / 16.5};
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK_THAT(shares[s].total.point, WithinAbs(total[s], .015));
    CHECK_THAT(shares[s].first.point, WithinAbs(first[s], .03));
  }
}

TEST_CASE("one source at a time inherits the luck of its base seed, matched pairs do not") {
  const auto one_at_a_time = [](std::uint64_t key) {
    std::vector<double> shares;
    for (std::size_t s = 0; s < 4; ++s) {
      SeedDesign design(200, std::vector<std::uint32_t>(4, 0));
      for (std::uint32_t run = 0; run < 200; ++run) design[run][s] = run + 1;
      const auto scores = scores_of(key, design);
      double mean = 0, squares = 0;
      for (const double x : scores) mean += x / 200;
      for (const double x : scores) squares += (x - mean) * (x - mean) / 199;
      shares.push_back(squares / 16.5);
    }
    return shares;
  };
  const auto matched = [](std::uint64_t key) {
    const auto design = matched_design(320, 4, key);
    return matched_estimate(scores_of(key, design), design);
  };
  const auto luck = rmse(one_at_a_time, 300), pairs = rmse(matched, 300);
  CHECK_THAT(luck[0], WithinRel(.62, .15));
  CHECK_THAT(luck[1], WithinRel(.45, .15));
  for (std::size_t s = 0; s < 4; ++s) CHECK(pairs[s] <= .11);
}

TEST_CASE("pairs of a matched design share one seed and nothing else") {
  const auto design = matched_design(20, 3, 8);
  for (std::size_t i = 0; i < 20; ++i) {
    std::array<int, 3> partners{};
    for (std::size_t j = 0; j < 20; ++j) {
      if (i == j) continue;
      int shared = 0;
      for (std::size_t s = 0; s < 3; ++s)
        if (design[i][s] == design[j][s]) ++shared, ++partners[s];
      CHECK(shared <= 1);
    }
    CHECK(partners == std::array{1, 1, 1});
  }
  CHECK(matched_design(20, 3, 8) == design);
  CHECK(matched_design(20, 3, 9) != design);
}

TEST_CASE("intervals of shares are drawn from the key, and scores without spread have no shares") {
  const auto scores = scores_of(1, saltelli_design(53, 4));
  const auto one = saltelli_estimate(scores, 4, {.key = 1}), again = saltelli_estimate(scores, 4, {.key = 1});
  CHECK(*one[0].first.low == *again[0].first.low);
  CHECK(*one[0].first.low < one[0].first.point);
  CHECK(*one[0].first.high > one[0].first.point);
  CHECK(saltelli_estimate(std::vector<double>(12, .5), 4, {.resamples = 0})[0].first.point == 0.0);
  CHECK(refused_field([] { (void)saltelli_estimate(std::vector<double>(13, .5), 4); }) == "scores");
  CHECK(refused_field([] { (void)matched_design(7, 3, 1); }) == "runs");
  CHECK(refused_field([] { (void)saltelli_design(1, 3); }) == "rows");
}

}  // namespace retrial::tests::sensitivity_tests
