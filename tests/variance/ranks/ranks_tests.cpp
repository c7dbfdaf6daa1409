#include "variance/ranks/ranks.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/parallel.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::tests::ranks_tests {

// Values from R, SciPy and google/benchmark tests or computed by two independent programs (the specification of the
// variance layer names them), unless a test says otherwise.

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores females{20, 11, 17, 12}, males{19, 22, 16, 29, 24};
const Scores a{.81, .83, .80, .86, .84}, b{.80, .82, .79, .81, .83};
const Scores textbook{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
}  // namespace

TEST_CASE("mid-ranks share the mean of their places") {
  CHECK(doubled_midranks(Scores{30, 10, 20, 20}, 0.0) == std::vector<std::int64_t>{8, 2, 5, 5});
  CHECK(tie_term(std::vector<std::int64_t>{5, 5, 8, 2}) == 6.0);
}

TEST_CASE("Mann-Whitney without ties agrees with SciPy's example") {
  const auto result = mann_whitney(males, females);
  CHECK(result.test.statistic == 17.0);
  CHECK(mann_whitney(females, males).test.statistic == 3.0);
  CHECK_THAT(result.test.p_two, WithinAbs(.1111111111, 1e-10));
  CHECK_THAT(result.test.p_greater, WithinAbs(.0555555556, 1e-10));
}

TEST_CASE("a tie does not make Mann-Whitney an approximation") {
  const Scores few{8, 8}, many{7, 4.54, 800};
  const auto exact = mann_whitney(few, many).test;
  CHECK(exact.exact);
  CHECK_THAT(exact.p_two, WithinAbs(.8, 1e-12));
  CHECK_THAT(exact.p_greater, WithinAbs(.4, 1e-12));
  CHECK_THAT(mann_whitney_normal(few, many).p_two, WithinAbs(.7670968684, 1e-10));
  CHECK_THAT(mann_whitney(a, b).test.p_two, WithinAbs(.2698412698, 1e-10));
  CHECK_THAT(mann_whitney_normal(a, b).p_two, WithinAbs(.2462516997, 1e-10));
}

TEST_CASE("labellings without ties are counted as Mann and Whitney's recurrence counts them") {
  // f(n, m, u) = f(n - 1, m, u - m) + f(n, m - 1, u), the last run of the pool being the candidate's or not (1947).
  const std::size_t most = 9, top = most * most;
  std::vector ways(most + 1, std::vector(most + 1, std::vector<double>(top + 1)));
  for (std::size_t n = 0; n <= most; ++n)
    for (std::size_t m = 0; m <= most; ++m)
      for (std::size_t u = 0; u <= n * m; ++u)
        ways[n][m][u] =
            n == 0 || m == 0 ? (u == 0 ? 1.0 : 0.0) : (u >= m ? ways[n - 1][m][u - m] : 0.0) + ways[n][m - 1][u];
  for (const auto& [n, m] : {std::pair{1, 1}, std::pair{9, 9}, std::pair{3, 8}, std::pair{8, 3}, std::pair{9, 1}}) {
    const auto at_most = rank_sum_at_most(n, m);
    const auto& counted = ways[static_cast<std::size_t>(n)][static_cast<std::size_t>(m)];
    const double all = std::accumulate(counted.begin(), counted.end(), 0.0);
    double sum = 0.0;
    REQUIRE(at_most.size() == static_cast<std::size_t>(n * m + 1));
    for (std::size_t u = 0; u < at_most.size(); ++u) CHECK(at_most[u] == (sum += counted[u]) / all);
  }
  CHECK(rank_sum_law_counts(33, 33));
  CHECK_FALSE(rank_sum_law_counts(34, 34));
}

TEST_CASE("laws that are kept between calls give the same bits on one, two and eight threads, in any order") {
  // Each thread keeps the last law it needed: sizes change from call to call, and threads take calls as they come.
  const auto values = [](std::uint64_t key, std::size_t count) {
    Scores scores;
    Stream stream(key);
    for (std::size_t i = 0; i < count; ++i) scores.push_back(normal(stream.next()));
    return scores;
  };
  const auto all = [&](std::size_t threads) {
    std::vector<std::vector<double>> p(60);
    parallel_for(p.size(), threads, [&](std::size_t i) {
      const Scores x = values(i, 5 + i % 7), y = values(1'000 + i, 5 + i % 4);
      const Wilcoxon signs = wilcoxon(x);
      const Estimate shift = hodges_lehmann(x, .1);
      p[i] = {mann_whitney(x, y).test.p_two, signs.test.p_less, signs.test.p_greater, *shift.low, *shift.high};
    });
    return p;
  };
  const auto one = all(1);
  CHECK(all(2) == one);
  CHECK(all(8) == one);
}

TEST_CASE("the counted law goes over into the summed one, and ends where all is counted") {
  // 33 against 33 is counted in integers, 34 against 34 summed in doubles; all beaten is one labelling of C(66, 33).
  const auto lowest = [](int runs) {
    Scores low, high;
    for (int i = 0; i < runs; ++i) low.push_back(i), high.push_back(100.0 + i);
    return mann_whitney(low, high).test;
  };
  CHECK_THAT(lowest(33).p_less, WithinRel(1.0 / 7219428434016265740.0, 1e-15));
  CHECK_THAT(lowest(34).p_less, WithinRel(1.0 / 28453041475240576740.0, 1e-12));
  CHECK(lowest(33).p_greater == 1.0);
}

TEST_CASE("the exact tied law agrees with counting every labelling") {
  // The mean-difference test on integers that rank as they are spaced: U and the sum of mid-ranks order alike.
  const Scores x{1, 2, 2, 3, 5}, y{2, 3, 3, 4};
  Scores pool = x, ranks;
  pool.insert(pool.end(), y.begin(), y.end());
  for (const auto rank : doubled_midranks(pool, 0.0)) ranks.push_back(static_cast<double>(rank));
  const auto tails = relabelled_tails(9, 5, {}, ranks[0] + ranks[1] + ranks[2] + ranks[3] + ranks[4], 0.0,
                                      [&](std::span<const std::uint32_t> chosen) {
                                        double sum = 0;
                                        for (const auto i : chosen) sum += ranks[i];
                                        return sum;
                                      });
  CHECK_THAT(mann_whitney(x, y).test.p_less, WithinRel(tails.p_less(), 1e-12));
  CHECK_THAT(mann_whitney(x, y).test.p_greater, WithinRel(tails.p_greater(), 1e-12));
}

TEST_CASE("the least attainable p says how many runs a claim needs") {
  const auto least = [](std::size_t n) { return mann_whitney(Scores(n, 1.0), Scores(n, 0.0)).min_p; };
  CHECK_THAT(least(2), WithinAbs(1.0 / 3, 1e-12));
  CHECK_THAT(least(3), WithinAbs(.1, 1e-12));
  CHECK_THAT(least(4), WithinAbs(.0285714286, 1e-10));
  CHECK_THAT(least(5), WithinAbs(.0079365079, 1e-10));
}

TEST_CASE("the exact and the normal law meet at a hundred runs each") {
  Scores x, y;
  for (std::size_t i = 0; i < 100; ++i) {
    x.push_back(normal(block(3, i, 0)[0]) + .1);
    y.push_back(normal(block(3, i, 0)[1]));
  }
  const auto exact = mann_whitney(x, y).test;
  CHECK(exact.exact);
  CHECK_THAT(exact.p_two, WithinRel(mann_whitney_normal(x, y).p_two, .02));
  y.push_back(0.0);
  CHECK_FALSE(mann_whitney(x, y).test.exact);
}

TEST_CASE("Brunner-Munzel by t") {
  const auto result = brunner_munzel(a, b, BrunnerMunzelLaw::student);
  CHECK_THAT(*result.statistic, WithinAbs(1.4044937664, 1e-10));
  CHECK_THAT(*result.df, WithinAbs(6.8441162305, 1e-10));
  CHECK_THAT(result.p_two, WithinAbs(.2038918572, 1e-10));
}

TEST_CASE("Brunner-Munzel below twenty runs is a permutation test") {
  const auto result = brunner_munzel(a, b);
  CHECK(result.exact);
  const auto reversed = brunner_munzel(b, a);
  CHECK(*reversed.statistic == -*result.statistic);
  CHECK(reversed.p_less == result.p_greater);
  // Separated: one labelling of C(6, 3) = 20 has an infinite statistic.
  const auto separated = brunner_munzel(Scores{4, 5, 6}, Scores{1, 2, 3});
  CHECK(separated.statistic == std::numeric_limits<double>::infinity());
  CHECK(separated.p_greater == .05);
  const auto many = brunner_munzel(Scores(20, 1.0), Scores(20, 0.0), BrunnerMunzelLaw::student);
  CHECK_THAT(many.p_greater, WithinRel(1.0 / 137846528820.0, 1e-10));  // 1 / C(40, 20)
  CHECK_FALSE(brunner_munzel(Scores{1, 1}, Scores{1, 1}).statistic);
  CHECK(refused_field([] {
          (void)brunner_munzel(Scores(12, 1.0), Scores{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        }) == "seed");
}

TEST_CASE("Wilcoxon's signed ranks on a textbook sample") {
  const auto result = wilcoxon(textbook);
  CHECK(result.w_plus == 96.0);
  CHECK(result.w_minus == 24.0);
  CHECK_THAT(result.test.p_two, WithinAbs(.041259765625, 1e-12));
  CHECK_THAT(result.test.p_greater, WithinAbs(.0206298828125, 1e-12));
}

TEST_CASE("rounding of decimal data does not break ties of signed ranks") {
  const Scores x{.5, .825, .375, .5}, y{.525, .775, .325, .55};
  Scores d(4);
  for (std::size_t i = 0; i < 4; ++i) d[i] = x[i] - y[i];
  CHECK(wilcoxon(d, 1e-12 * .825).w_plus == 6.0);
  CHECK_THAT(wilcoxon(d, 1e-12 * .825).test.p_greater, WithinAbs(.5, 1e-12));
  CHECK(wilcoxon(d, 0.0).w_plus == 5.0);  // the control: without a tolerance the noise ranks
}

TEST_CASE("zeros are dropped, or ranked and left out") {
  const Scores d{0, 1, -2, 3};
  CHECK(wilcoxon(d).w_plus == 4.0);                     // ranks 1 2 3 of 1 -2 3
  CHECK(wilcoxon(d, 0.0, Zeros::pratt).w_plus == 6.0);  // ranks 2 3 4
  CHECK(wilcoxon(d, 0.0, Zeros::pratt).w_minus == 3.0);
  CHECK_FALSE(wilcoxon(Scores{0, 0}).test.statistic);
}

TEST_CASE("above two hundred differences the signed ranks are normal, next to the exact law") {
  Scores d;
  for (std::size_t i = 0; i < 201; ++i) d.push_back(normal(block(5, i, 0)[0]) + .1);
  const auto approximate = wilcoxon(d).test;
  CHECK_FALSE(approximate.exact);
  d.pop_back();
  CHECK(wilcoxon(d).test.exact);
  CHECK_THAT(approximate.p_two, WithinAbs(wilcoxon(d).test.p_two, .05));
}

TEST_CASE("the Hodges-Lehmann interval is the set of shifts that the signed ranks do not reject") {
  const auto estimate = hodges_lehmann(textbook, .05);
  const auto p_at = [&](double shift) {
    Scores moved = textbook;
    for (double& x : moved) x -= shift;
    return wilcoxon(moved).test.p_two;
  };
  CHECK(p_at(*estimate.low - .01) < .05);
  CHECK(p_at(*estimate.low + .01) > .05);
  CHECK(p_at(*estimate.high + .01) < .05);
  CHECK(p_at(*estimate.high - .01) > .05);
  CHECK_FALSE(hodges_lehmann(Scores{1, 2, 3, 4, 5}, .05).low);  // 2 * 2^-5 > .05
  CHECK(hodges_lehmann(Scores{1, 2, 3, 4, 5, 6}, .05).low);
}

}  // namespace retrial::tests::ranks_tests
