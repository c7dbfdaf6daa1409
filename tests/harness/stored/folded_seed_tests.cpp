#include "harness/stored/folded_seed.hpp"

#include <random>

#include "tests/catch.hpp"

namespace retrial::tests::folded_seed_tests {

using harness::folded_seed;
using harness::PairOutcome;

namespace {

/// Pairs of seeds 0, 1, ...: `of(seed)` gives the numbers of right answers of both variants.
template <typename Outcomes>
std::vector<PairOutcome> pairs_of(int count, const Outcomes& of) {
  std::vector<PairOutcome> pairs;
  for (int seed = 0; seed < count; ++seed) {
    const auto [a, b] = of(seed);
    pairs.push_back(
        {.seeds = std::to_string(seed), .baseline = std::to_string(a), .candidate = std::to_string(b), .tied = a == b});
  }
  return pairs;
}

std::pair<int, int> folded(int seed) {
  return {10 * (seed % 4), 10 * (seed % 4) + 3};
}

}  // namespace

TEST_CASE("twenty pairs of a program that uses seed % 4 are four pairs") {
  const auto found = folded_seed(pairs_of(20, folded));
  REQUIRE(found);
  CHECK(found->pairs == 20);
  CHECK(found->outcomes == 4);
  // Six of ten pairs repeat another one; of nine, five do.
  CHECK(folded_seed(pairs_of(10, folded)));
  CHECK(!folded_seed(pairs_of(9, folded)));
}

TEST_CASE("a variant that uses its whole seed clears the other, and so do scores that do not repeat or all repeat") {
  CHECK(!folded_seed(pairs_of(20, [](int seed) { return std::pair(seed % 4, 100 + seed); })));
  CHECK(!folded_seed(pairs_of(20, [](int seed) { return std::pair(100 + seed, seed % 4); })));
  CHECK(!folded_seed(pairs_of(20, [](int seed) { return std::pair(seed, seed + 1); })));
  CHECK(!folded_seed(pairs_of(20, [](int) { return std::pair(1, 2); })));
  CHECK(!folded_seed({}));
}

TEST_CASE("repeated pairs of one seed, as replicates are, count once") {
  auto pairs = pairs_of(20, [](int seed) { return std::pair(seed % 4, 9); });
  for (auto& pair : pairs) pair = {.seeds = pair.baseline, .baseline = pair.baseline, .candidate = "x" + pair.baseline};
  CHECK(!folded_seed(pairs));
}

TEST_CASE("scores that are equal in most pairs repeat together without a folded seed") {
  CHECK(!folded_seed(pairs_of(20, [](int seed) { return std::pair(seed % 4, seed % 4 == 3 ? 9 : seed % 4); })));
}

TEST_CASE("coarse scores are hardly ever taken for a folded seed") {
  // Right answers among 10 or 30 items, of which the variants share two thirds: scores of few values, highly
  // correlated.
  std::mt19937_64 engine(20210403);
  int alarms = 0;
  constexpr int studies = 2000;
  for (int study = 0; study < studies; ++study) {
    const int third = study % 2 == 0 ? 3 : 10;
    std::binomial_distribution<int> shared(2 * third, .9), own(third, .8), better(third, .9);
    const auto coarse = [&](int) {
      const int both = shared(engine);
      return std::pair(both + own(engine), both + better(engine));
    };
    alarms += folded_seed(pairs_of(20, coarse)) ? 1 : 0;
  }
  CHECK(alarms == 0);
}

}  // namespace retrial::tests::folded_seed_tests
