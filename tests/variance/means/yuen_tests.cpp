#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/means/trimmed.hpp"

namespace retrial::tests::yuen_tests {

// SciPy 1.17.1.

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores first{81.2, 83.1, 80.4, 86.0, 84.7, 82.2, 79.9, 85.3, 83.8, 82.6},
    second{80.3, 82.9, 79.1, 81.7, 83.2, 80.8}, differences{.9, .2, 1.3, 4.3, 1.5, 1.4, -.2, 2.6, 1.9, 1.2};
}  // namespace

TEST_CASE("Yuen's t is SciPy's t test with a fifth trimmed at either end") {
  const auto t = yuen(first, second);  // ttest_ind(a, b, equal_var=False, trim=.2)
  CHECK_THAT(*t.test.statistic, WithinAbs(1.33799342501, 1e-10));
  CHECK_THAT(*t.test.df, WithinAbs(7.63699248845, 1e-10));
  CHECK_THAT(t.test.p_two, WithinAbs(.219366664628, 1e-11));
  CHECK_THAT(*t.difference.low, WithinAbs(-1.11291422264, 1e-10));  // its confidence_interval()
  CHECK_THAT(*t.difference.high, WithinAbs(4.1295808893, 1e-10));
}

TEST_CASE("the paired form is the same test of the differences against zeros") {
  const auto t = yuen_paired(differences);  // ttest_ind(d, zeros(10), equal_var=False, trim=.2)
  CHECK_THAT(*t.test.statistic, WithinAbs(6.0009282344, 1e-9));
  CHECK(*t.test.df == 5.0);
  CHECK_THAT(t.test.p_two, WithinAbs(.0018448606658, 1e-10));
  CHECK_THAT(t.difference.point, WithinAbs(1.36666666667, 1e-10));
}

TEST_CASE("runs that are far out change a trimmed mean by nothing") {
  Scores far = differences;
  far[3] = 4e4;
  CHECK(*yuen_paired(far).test.statistic == *yuen_paired(differences).test.statistic);
  Scores wild = first;
  wild[3] = 4e4;
  CHECK_THAT(*yuen(wild, second).test.statistic, WithinAbs(*yuen(first, second).test.statistic, 1e-12));
  CHECK(compare("paired_t", far, Scores(10, 0.0), {.direction = Direction::higher}).status == Status::inconclusive);
  CHECK(compare("yuen_paired", far, Scores(10, 0.0), {.direction = Direction::higher}).status == Status::better);
}

TEST_CASE("a middle that does not vary measures no chance: no statistic and no p of 0") {
  const auto t = yuen_paired(Scores{0, 1, 1, 1, 7});
  CHECK_FALSE(t.test.statistic);
  CHECK(t.test.p_two == 1.0);
  CHECK_FALSE(t.difference.low);
  CHECK_THAT(t.test.note, has_text("do not vary"));
  CHECK_FALSE(yuen(Scores{0, 1, 1, 1, 7}, Scores{0, 2, 2, 2, 7}).test.statistic);
  CHECK(yuen(Scores{0, 1, 1, 1, 7}, first).test.statistic);
}

TEST_CASE("fewer than five runs, where nothing would be cut off, are refused") {
  CHECK(refused_field([] { (void)yuen(Scores{1, 2, 3, 4}, first); }) == "candidate runs");
  CHECK(refused_field([] { (void)yuen(first, Scores{1, 2, 3, 4}); }) == "baseline runs");
  CHECK(refused_field([] { (void)yuen_paired(Scores{1, 2, 3, 4}); }) == "pairs");
}

}  // namespace retrial::tests::yuen_tests
