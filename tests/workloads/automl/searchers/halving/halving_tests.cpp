// Group L of the specification of automated search: brackets, promotions and rules that stop a configuration.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/catch.hpp"
#include "workloads/automl/searchers/halving/halving.hpp"

namespace retrial::automl_halving_tests {

using namespace retrial::automl;

std::vector<std::vector<std::int64_t>> counts_of(const std::vector<Bracket>& brackets) {
  std::vector<std::vector<std::int64_t>> out;
  for (const Bracket& bracket : brackets) {
    out.emplace_back();
    for (const Rung& rung : bracket) out.back().push_back(rung.count);
  }
  return out;
}

double total_of(const std::vector<Bracket>& brackets) {
  double sum = 0;
  for (const Bracket& bracket : brackets)
    for (const Rung& rung : bracket) sum += static_cast<double>(rung.count) * rung.resource;
  return sum;
}

TEST_CASE("brackets of Hyperband") {
  using Counts = std::vector<std::vector<std::int64_t>>;
  const auto a = hyperband_brackets(1, 81, 3), b = hyperband_brackets(1, 16, 4), c = hyperband_brackets(1, 9, 3),
             d = hyperband_brackets(1, 64, 4), e = hyperband_brackets(1, 32, 2), f = hyperband_brackets(1, 16, 2),
             g = hyperband_brackets(1, 52, 3);
  CHECK(counts_of(a) == Counts{{81, 27, 9, 3, 1}, {34, 11, 3, 1}, {15, 5, 1}, {8, 2}, {5}});
  CHECK(a[0][2].resource == 9);
  CHECK(a[1][0].resource == 3);
  CHECK(a[3][1].resource == 81);
  CHECK(total_of(a) == 1902);
  CHECK(counts_of(b) == Counts{{16, 4, 1}, {6, 1}, {3}});
  CHECK(total_of(b) == 136);
  CHECK(counts_of(c) == Counts{{9, 3, 1}, {5, 1}, {3}});
  CHECK(total_of(c) == 78);
  CHECK(counts_of(d) == Counts{{64, 16, 4, 1}, {22, 5, 1}, {8, 2}, {4}});
  CHECK(total_of(d) == 1000);
  const auto first = [](const std::vector<Bracket>& brackets) {
    std::vector<std::int64_t> out;
    for (const Bracket& bracket : brackets) out.push_back(bracket[0].count);
    return out;
  };
  CHECK(first(e) == std::vector<std::int64_t>{32, 20, 12, 8, 6, 6});
  CHECK(total_of(e) == 1128);
  CHECK(first(f) == std::vector<std::int64_t>{16, 10, 7, 5, 5});
  CHECK(total_of(f) == 372);
  CHECK(first(g) == std::vector<std::int64_t>{27, 12, 6, 4});
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(g[i][0].resource, WithinRel(52 / std::pow(3, 3 - i), 1e-12));
  CHECK_THAT(total_of(g), WithinAbs(814.666666667, 1e-9));
}

// Mistake 20: log 243 / log 3 and log 1000 / log 10 fall just below 5 and 3 in double precision.
TEST_CASE("powers are counted, not divided") {
  CHECK(whole_power(81, 3) == 4);
  CHECK(whole_power(243, 3) == 5);
  CHECK(whole_power(1000, 10) == 3);
  CHECK(whole_power(125, 5) == 3);
  CHECK(whole_power(1, 3) == 0);
  CHECK(whole_power(242.9, 3) == 4);
}

TEST_CASE("equal rungs become one") {
  const auto rungs = whole_rungs({{9, .4}, {3, 1.2}, {1, 3.5}});
  REQUIRE(rungs.size() == 2);
  CHECK(rungs[0].count == 9);
  CHECK(rungs[0].resource == 1);
  CHECK(rungs[1].count == 1);
  CHECK(rungs[1].resource == 4);
}

TEST_CASE("who is promoted, and where a rung stops") {
  const std::vector<double> losses{.5, .3, .4, .2, .6, .1, .3};
  std::vector<Climber> rung;
  for (std::size_t i = 0; i < losses.size(); ++i) rung.push_back({losses[i], static_cast<std::int64_t>(i)});
  std::ranges::sort(rung, {}, [](const Climber& c) { return std::pair(c.loss, c.id); });
  CHECK(promotable(rung, 3) == std::vector<std::int64_t>{5, 3});
  rung[0].promoted = true;
  CHECK(promotable(rung, 3) == std::vector<std::int64_t>{3});
  CHECK_THAT(stopping_cutoff({.9, .1, .5, .4, .3}, 4), WithinAbs(.3, 1e-12));
  CHECK(std::isinf(stopping_cutoff({.9}, 4)));
}

TEST_CASE("each rule stops what it should, and nothing else") {
  const std::vector<double> others{.1, .2, .3, .4, .5}, good{.9, .25}, bad{.9, .35}, failed{.1, INFINITY};
  const auto stops = [&](Pruner pruner, const std::vector<double>& losses, std::int64_t ended = 9) {
    return prunes({.eta = 4, .pruner = pruner, .low = .2, .high = .3, .patience = 1, .gain = .1}, losses, others,
                  ended);
  };
  CHECK_FALSE(stops(Pruner::median, good));
  CHECK(stops(Pruner::median, bad));
  CHECK_FALSE(stops(Pruner::median, bad, 4));    // too few have ended
  CHECK_FALSE(stops(Pruner::median, {.1, .9}));  // its best loss counts
  CHECK(stops(Pruner::percentile, good));
  CHECK_FALSE(stops(Pruner::percentile, {.2}));
  CHECK(stops(Pruner::stopping, bad));
  CHECK_FALSE(stops(Pruner::stopping, {.15}));
  CHECK_FALSE(stops(Pruner::threshold, good));
  CHECK(stops(Pruner::threshold, bad));
  CHECK(stops(Pruner::threshold, {.1}));
  CHECK_FALSE(stops(Pruner::patient, {.9}));
  CHECK_FALSE(stops(Pruner::patient, {.9, .7}));
  CHECK(stops(Pruner::patient, {.9, .85}));
  CHECK_FALSE(stops(Pruner::promotion, bad));
  CHECK(stops(Pruner::median, failed, 0));
}

// p of all plus signs is 2^-n: .125 of three folds, .0625 of four. Of the signs + + + - with the ranks 2, 3, 4, 1 it is
// 2 / 16: only + + + + and + + + - have W+ >= 9.
TEST_CASE("signed ranks over folds stop a configuration that is worse than the best") {
  const std::vector<double> best{.10, .20, .30, .40}, worse{.12, .23, .34, .45}, mixed{.12, .23, .34, .39};
  const auto stops = [&](std::span<const double> own, std::span<const double> other) {
    return prunes({.pruner = Pruner::wilcoxon}, std::vector{.5}, std::vector{.4}, 9, {.own = own, .best = other});
  };
  CHECK(stops(worse, best));
  CHECK_FALSE(stops(best, worse));
  CHECK_FALSE(stops(mixed, best));
  CHECK_FALSE(stops(std::span(worse).first(3), best));
  CHECK_FALSE(stops(best, best));
  CHECK_FALSE(stops(worse, {}));
}

Space line() {
  return Space({{.name = "x", .low = 0, .high = 1, .init = .5}, {.name = "y", .low = 0, .high = 1, .init = .5}});
}

double loss_of(const Suggestion& at) {
  return std::get<double>(at.configuration.at("x")) + 1 / static_cast<double>(at.fidelity);
}

TEST_CASE("Hyperband runs its brackets rung by rung and waits for each") {
  const Space space = line();
  const auto sampler = hyperband_sampler(space, {.seed = 2}, {.least = 1, .most = 9});
  std::map<std::int64_t, int> evaluations;
  std::map<std::int64_t, Suggestion> seen;
  for (std::int64_t id = 0; id < 13; ++id) {
    const auto next = sampler->propose(id);
    REQUIRE(next);
    ++evaluations[next->fidelity];
    if (next->resumes) CHECK(next->configuration == seen.at(next->parent).configuration);
    seen[id] = *next;
    sampler->observe(id, loss_of(*next));
  }
  CHECK(evaluations == std::map<std::int64_t, int>{{1, 9}, {3, 3}, {9, 1}});
  for (std::int64_t id = 13; id < 18; ++id) CHECK(sampler->propose(id)->fidelity == 3);
  CHECK_FALSE(sampler->propose(18));
}

TEST_CASE("a rung of failures ends its bracket") {
  const Space space = line();
  const auto sampler = hyperband_sampler(space, {.seed = 2}, {.least = 1, .most = 9});
  for (std::int64_t id = 0; id < 9; ++id) {
    REQUIRE(sampler->propose(id));
    sampler->observe(id, INFINITY);
  }
  CHECK(sampler->propose(9)->fidelity == 3);
}

TEST_CASE("ASHA promotes before it starts anew, each configuration once") {
  const Space space = line();
  const auto sampler = asha_sampler(space, {.seed = 2}, {.least = 1, .most = 27});
  std::map<std::int64_t, int> evaluations;
  std::set<std::int64_t> parents;
  for (std::int64_t id = 0; id < 200; ++id) {
    const auto next = sampler->propose(id);
    REQUIRE(next);
    ++evaluations[next->fidelity];
    if (next->resumes) CHECK(parents.insert(next->parent).second);
    sampler->observe(id, loss_of(*next));
  }
  CHECK(evaluations[27] > 0);
  for (const auto& [lower, upper] : {std::pair{1, 3}, {3, 9}, {9, 27}})
    CHECK(evaluations[upper] * 2 <= evaluations[lower]);
}

// Mistake 13: a bracket that depends on the random name of an unnamed study.
TEST_CASE("the bracket of a configuration depends on seed and number alone") {
  const Space space = line();
  const auto firsts = [&](std::uint64_t seed) {
    const auto sampler = hyperband_sampler(space, {.seed = seed}, {.least = 1, .most = 27, .drawn_brackets = true});
    std::vector<std::int64_t> out;
    for (std::int64_t id = 0; id < 60; ++id) out.push_back(sampler->propose(id)->fidelity);
    return out;
  };
  CHECK(firsts(3) == firsts(3));
  CHECK(firsts(3) != firsts(4));
  for (const std::int64_t fidelity : {1, 3, 9, 27}) CHECK(std::ranges::count(firsts(3), fidelity) > 0);
}

TEST_CASE("rules that stop leave few at the top") {
  const Space space = line();
  for (const Pruner pruner : {Pruner::stopping, Pruner::median, Pruner::percentile, Pruner::wilcoxon}) {
    const auto sampler = asha_sampler(space, {.seed = 2}, {.least = 1, .most = 27, .pruner = pruner});
    std::int64_t top = 0, bottom = 0;
    for (std::int64_t id = 0; id < 300; ++id) {
      const auto next = sampler->propose(id);
      REQUIRE(next);
      top += next->fidelity == 27 ? 1 : 0;
      bottom += next->fidelity == 1 ? 1 : 0;
      sampler->observe_folds(id, std::vector(static_cast<std::size_t>(next->fidelity), loss_of(*next)));
      sampler->observe(id, loss_of(*next));
    }
    CAPTURE(static_cast<int>(pruner), top, bottom);
    CHECK(top > 0);
    CHECK(top * 2 < bottom);
  }
}

}  // namespace retrial::automl_halving_tests
