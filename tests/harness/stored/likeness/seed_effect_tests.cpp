#include "harness/stored/likeness/seed_effect.hpp"

#include <limits>

#include "tests/catch.hpp"

namespace retrial::tests::seed_effect_tests {

using harness::SeedEffect;
using harness::SeedRuns;

namespace {

struct Run {
  std::string seed;
  double score;
  std::string left;
};

SeedEffect effect_of(const std::vector<Run>& runs) {
  SeedRuns all;
  for (const auto& run : runs) all.add({.seeds = run.seed, .score = run.score, .left = run.left});
  return all.effect();
}

}  // namespace

TEST_CASE("three runs with different seeds that left the same have a dead seed; two, or three of one seed, are open") {
  CHECK(effect_of({{"1", .9, "x"}, {"2", .9, "x"}, {"3", .9, "x"}}) == SeedEffect::none);
  CHECK(effect_of({{"1", .9, "x"}, {"2", .9, "x"}}) == SeedEffect::unknown);
  CHECK(effect_of({{"1", .9, "x"}, {"1", .9, "x"}, {"1", .9, "x"}}) == SeedEffect::unknown);
  CHECK(effect_of({}) == SeedEffect::unknown);
}

TEST_CASE("one differing score, however small, shows the seed; a differing output alone does not") {
  CHECK(effect_of({{"1", .9, "x"}, {"2", .9, "x"}, {"3", .9, "x"}, {"4", .9000000000000001, "x"}}) ==
        SeedEffect::shown);
  CHECK(effect_of({{"1", .9, "x"}, {"2", .9, "x"}, {"3", .9, "y"}}) == SeedEffect::output);
}

TEST_CASE("a score at its bound, or none, is no evidence against the seed") {
  for (const double score : {0.0, 1.0, 100.0, std::numeric_limits<double>::infinity()})
    CHECK(effect_of({{"1", score, "x"}, {"2", score, "x"}, {"3", score, "x"}}) == SeedEffect::bound);
}

TEST_CASE("a finding names variant, metric, value and number of seeds") {
  CHECK(
      harness::seed_sentence({.variant = "b", .metric = "acc", .effect = SeedEffect::none, .seeds = 3, .score = .88}) ==
      "the seed of b changes nothing: acc is 0.88 and the output repeats in 3 runs with different seeds");
  CHECK(harness::seed_sentence({.variant = "b", .metric = "acc", .effect = SeedEffect::shown, .seeds = 3, .score = .88})
            .empty());
}

}  // namespace retrial::tests::seed_effect_tests
