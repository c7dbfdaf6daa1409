#include "harness/stored/likeness/folded_seed.hpp"

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
  // Two of six pairs repeat another one; of five, one does.
  CHECK(folded_seed(pairs_of(6, folded)));
  CHECK(!folded_seed(pairs_of(5, folded)));
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

TEST_CASE("few pairs show a folded seed, and coarse scores are hardly ever taken for one") {
  // Right answers among 10, 30, 32 or 96 items, of which the variants share most: scores of few values, highly
  // correlated. Each rate was simulated with NumPy as well (at most 1.6 % of studies of four and more pairs).
  struct Coarse {
    int shared, own;
  };
  std::mt19937_64 engine(20210403);
  constexpr int studies = 2000;
  for (const int count : {4, 5, 6, 7, 8, 9, 20}) {
    CAPTURE(count);
    int found = 0;
    for (int study = 0; study < studies; ++study)
      found += folded_seed(pairs_of(count, [&](int) { return folded(static_cast<int>(engine() % 4)); })) ? 1 : 0;
    // Chance that 5 or 6 seeds fall into at most 3 or 4 of 4 classes: 1 - 240/1024 and 1.
    CHECK(found > (count == 4 ? .2 : count == 5 ? .7 : .95) * studies);
    for (const auto& [shared, own] : {Coarse{6, 3}, Coarse{20, 10}, Coarse{30, 1}, Coarse{90, 3}}) {
      std::binomial_distribution<int> both(shared, .9), plain(own, .8), better(own, .9);
      int alarms = 0;
      for (int study = 0; study < studies; ++study)
        alarms += folded_seed(pairs_of(count,
                                       [&](int) {
                                         const int common = both(engine);
                                         return std::pair(common + plain(engine), common + better(engine));
                                       }))
                      ? 1
                      : 0;
      CAPTURE(shared, own);
      CHECK(alarms <= (count == 20 ? 0 : .025) * studies);
    }
  }
}

}  // namespace retrial::tests::folded_seed_tests
