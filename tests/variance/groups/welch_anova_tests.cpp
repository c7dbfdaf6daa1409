#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/groups/groups.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::tests::welch_anova_tests {

using namespace retrial::variance;
using Groups = std::vector<std::vector<double>>;

namespace {

const Groups groups{
    {24.5, 23.5, 26.4, 27.1, 29.9}, {28.4, 34.2, 29.5, 32.2, 30.1, 31.0}, {26.1, 28.3, 24.3, 26.2, 27.8, 25.0, 29.9}};

}  // namespace

TEST_CASE("Welch's analysis of variance as statsmodels computes it") {
  // statsmodels 0.15.0, anova_oneway(groups, use_var="unequal", welch_correction=True)
  const TestResult test = welch_anova(groups);
  CHECK_THAT(*test.statistic, WithinRel(7.782104118249793, 1e-12));
  CHECK(test.df == 2.0);
  CHECK_THAT(*test.df_within, WithinRel(9.047788747645056, 1e-12));
  CHECK_THAT(test.p_two, WithinRel(.010811740022235365, 1e-11));
}

TEST_CASE("of two groups it is Welch's t test, squared") {
  const Groups two{groups[0], groups[1]};
  const TestResult test = welch_anova(two);
  // The closed form of Welch's t for these ten scores and its p from Student's law.
  const auto mean = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v;
    return sum / double(x.size());
  };
  const auto error = [&](const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += (v - mean(x)) * (v - mean(x));
    return sum / double(x.size() - 1) / double(x.size());
  };
  const double a = error(two[0]), b = error(two[1]), t = (mean(two[0]) - mean(two[1])) / std::sqrt(a + b);
  const double df = (a + b) * (a + b) / (a * a / 4 + b * b / 5);
  CHECK_THAT(*test.statistic, WithinRel(t * t, 1e-12));
  CHECK_THAT(*test.df_within, WithinRel(df, 1e-12));
  CHECK_THAT(test.p_two, WithinRel(student_tails(t, df).two(), 1e-10));
}

TEST_CASE("the pairs of Games and Howell") {
  // SciPy 1.17.1, studentized_range.ppf and .sf with Welch's degrees of freedom of each pair; statsmodels 0.15.0,
  // pairwise_tukeyhsd(use_var="unequal"), prints the same to eight digits.
  const auto pairs = games_howell(groups);
  REQUIRE(pairs.size() == 3);
  const std::vector<std::vector<double>> known{{-4.62, -8.623789277499426, -.6162107225005746, .02643718559154773},
                                               {-.52, -4.40611584901456, 3.366115849014553, .9208347496382259},
                                               {4.1, 1.037948812789287, 7.162051187210709, .010658627228352202}};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_THAT(pairs[i].difference.point, WithinAbs(known[i][0], 1e-12));
    CHECK_THAT(*pairs[i].difference.low, WithinAbs(known[i][1], 1e-8));
    CHECK_THAT(*pairs[i].difference.high, WithinAbs(known[i][2], 1e-8));
    CHECK_THAT(pairs[i].p, WithinAbs(known[i][3], 1e-9));
    CHECK(((*pairs[i].difference.low > 0 || *pairs[i].difference.high < 0) == (pairs[i].p <= .05)));
  }
  CHECK(pairs[2].first == 1);
  CHECK(pairs[2].second == 2);
}

TEST_CASE("groups that cannot be weighed are refused by place") {
  CHECK(refused_field([] { (void)welch_anova(Groups{{1, 2}}); }) == "groups");
  CHECK(refused_field([] { (void)welch_anova(Groups{{1, 2}, {1}}); }) == "groups[1]");
  CHECK(refused_field([] { (void)welch_anova(Groups{{1, 2}, {3, 3}}); }) == "groups[1]");
  CHECK(refused_field([] { (void)games_howell(Groups{{1, 2}, {3, std::nan("")}}); }) == "groups[1][1]");
  CHECK(refused_field([] { (void)games_howell(Groups{{1, 2}, {3, 4}}, 1e-12); }) == "alpha");
}

TEST_CASE("means that are far apart have a small p, but none of 0") {
  const auto pairs = games_howell(Groups{{0, 1, 2, 1, 0}, {1e6, 1e6 + 1, 1e6 + 2, 1e6, 1e6 + 1}});
  CHECK(pairs[0].p > 0.0);
  CHECK(pairs[0].p < 1e-9);
}

}  // namespace retrial::tests::welch_anova_tests
