#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/groups/groups.hpp"

namespace retrial::tests::kruskal_wallis_tests {

using namespace retrial::variance;
using Groups = std::vector<std::vector<double>>;

namespace {

const Groups tied{{1, 2, 2, 3, 5, 4}, {2, 4, 4, 6, 7}, {5, 5, 6, 7, 8, 8, 9}};

}  // namespace

TEST_CASE("Kruskal and Wallis with and without ties as SciPy computes them") {
  // SciPy 1.17.1, scipy.stats.kruskal
  const TestResult test = kruskal_wallis(tied);
  CHECK_THAT(*test.statistic, WithinRel(9.796086652690427, 1e-12));
  CHECK_THAT(test.p_two, WithinRel(.007461167868028278, 1e-12));
  CHECK(test.note.empty());
  const TestResult untied =
      kruskal_wallis(Groups{{1.1, 2.2, 3.3, 9.9, .5}, {4.4, 5.5, 6.6, 7.7, 12.0}, {8.8, .1, 1.7, 13.1, 10.3}});
  CHECK_THAT(*untied.statistic, WithinRel(2.24, 1e-12));
  CHECK_THAT(untied.p_two, WithinRel(.32627979462303913, 1e-12));
  CHECK_FALSE(kruskal_wallis(Groups{{1, 2, 3}, {4, 5, 6}}).note.empty());
}

TEST_CASE("Dunn's pairs of tied scores as scikit-posthocs computes them") {
  // scikit-posthocs 0.17.1, posthoc_dunn(p_adjust=None) and "holm"; mean ranks by scipy.stats.rankdata.
  const auto ranks = mean_ranks_of_groups(tied);
  CHECK_THAT(ranks[0], WithinRel(29.0 / 6, 1e-14));
  CHECK_THAT(ranks[1], WithinRel(8.8, 1e-14));
  CHECK_THAT(ranks[2], WithinRel(14.0, 1e-14));
  const auto pairs = dunn(tied);
  REQUIRE(pairs.size() == 3);
  const std::vector<std::vector<double>> known{{-1.2366740922712365, .21620810071421503, .21620810071421503},
                                               {-3.1104962301581898, .001867732798040245, .0056031983941207345},
                                               {-1.6765326436133974, .0936339076839959, .1872678153679918}};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_THAT(*pairs[i].z, WithinRel(known[i][0], 1e-12));
    CHECK_THAT(pairs[i].p, WithinRel(known[i][1], 1e-12));
    CHECK_THAT(pairs[i].p_adjusted, WithinRel(known[i][2], 1e-12));
  }
  CHECK(dunn(tied, Adjustment::none)[1].p_adjusted == pairs[1].p);
}

TEST_CASE("only the order of the scores matters") {
  Groups bent = tied;
  for (auto& group : bent)
    for (double& x : group) x = -std::exp(-x);
  CHECK(*kruskal_wallis(bent).statistic == *kruskal_wallis(tied).statistic);
}

TEST_CASE("scores that all tie have no statistic, and a resolution makes them tie") {
  const Groups close{{1.0, 1.1, 1.2}, {1.3, 1.4, 1.5}};
  CHECK(kruskal_wallis(close).statistic);
  CHECK_FALSE(kruskal_wallis(close, 10.0).statistic);
  CHECK(kruskal_wallis(close, 10.0).p_two == 1.0);
  CHECK_FALSE(dunn(close, Adjustment::holm, 10.0)[0].z);
  CHECK(dunn(close, Adjustment::holm, 10.0)[0].p_adjusted == 1.0);
}

TEST_CASE("groups without ranks are refused by place") {
  CHECK(refused_field([] { (void)kruskal_wallis(Groups{{1, 2}}); }) == "groups");
  CHECK(refused_field([] { (void)dunn(Groups{{1, 2}, {3}}); }) == "groups[1]");
}

}  // namespace retrial::tests::kruskal_wallis_tests
