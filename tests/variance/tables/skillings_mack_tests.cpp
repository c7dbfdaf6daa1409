#include <cmath>
#include <optional>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"
#include "variance/tables/table_with_holes.hpp"

namespace retrial::tests::skillings_mack_tests {

using namespace retrial::variance;

namespace {

constexpr std::nullopt_t hole = std::nullopt;

/// Four assembly methods in nine blocks, the example of Skillings and Mack 1981.
const TableWithHoles assembly{.methods = {"a", "b", "c", "d"},
                              .rows = {{3.2, 4.1, 3.8, 4.2},
                                       {3.1, 3.9, 3.4, 4.0},
                                       {4.3, 3.5, 4.6, 4.8},
                                       {3.5, 3.6, 3.9, 4.0},
                                       {3.6, 4.2, 3.7, 3.9},
                                       {4.5, 4.7, 3.7, hole},
                                       {hole, 4.2, 3.4, hole},
                                       {4.3, 4.6, 4.4, 4.9},
                                       {3.5, hole, 3.7, 3.9}}};
const TableWithHoles ties{.methods = {"a", "b", "c", "d"},
                          .rows = {{1, 2, 2, hole},
                                   {3, 3, hole, 1},
                                   {2, 1, 1, 1},
                                   {hole, 5, 5, hole},
                                   {4, 2, 3, 4},
                                   {1, hole, 2, 2},
                                   {7, 7, 7, 7},
                                   {hole, hole, 3, hole}}};

}  // namespace

TEST_CASE("the published example of Skillings and Mack") {
  // R's package Skillings.Mack prints 15.493049, p .001440296302; so does an own NumPy program that enumerates the
  // permutations of every block for the covariance and inverts it by the pseudoinverse.
  const TestResult test = skillings_mack(assembly);
  CHECK_THAT(*test.statistic, WithinRel(15.493048797529273, 1e-12));
  CHECK(test.df == 3.0);
  CHECK_THAT(test.p_two, WithinRel(.001440296302490859, 1e-11));
  const auto sums = weighted_rank_sums(assembly);
  const std::vector<double> known{14.12559752, -4.28124415, 4.28124415, -14.12559752};
  for (std::size_t j = 0; j < 4; ++j) CHECK_THAT(sums[j], WithinAbs(known[j], 1e-8));
}

TEST_CASE("ties have the covariance that permutations of their block give") {
  // The same own program: permutations enumerated, so that nothing is assumed about ties.
  const TestResult test = skillings_mack(ties);
  CHECK_THAT(*test.statistic, WithinRel(.32079086434646786, 1e-12));
  CHECK(test.df == 3.0);
  CHECK_THAT(test.p_two, WithinRel(.9560720109023362, 1e-12));
}

TEST_CASE("without holes it is Friedman's test, with ties or without") {
  for (const double step : {0.0, 1.0})
    for (std::uint64_t series = 0; series < 10; ++series) {
      Stream draws(derive(5, "friedman"), series);
      MethodTable full{.methods = {"a", "b", "c", "d", "e"}, .rows = {}};
      TableWithHoles same{.methods = full.methods, .rows = {}};
      for (int i = 0; i < 7; ++i) {
        std::vector<double> row;
        for (int j = 0; j < 5; ++j) {
          const double x = normal(draws.next());
          row.push_back(step > 0.0 ? std::round(x / step) : x);
        }
        full.rows.push_back(row);
        same.rows.emplace_back(row.begin(), row.end());
      }
      const auto known = friedman(full).corrected;
      CHECK_THAT(*skillings_mack(same).statistic, WithinAbs(*known.statistic, 1e-10));
      CHECK_THAT(skillings_mack(same).p_two, WithinAbs(known.p_two, 1e-12));
    }
}

TEST_CASE("pairs of methods use the data sets that both have") {
  // All 2^n signs enumerated in NumPy, Holm by hand: 6 x .015625 = .09375.
  const auto pairs = pairs_with_holes(assembly);
  REQUIRE(pairs.size() == 6);
  const std::vector<double> p{.171875, .1796875, .015625, .34375, .1875, .015625};
  const std::vector<std::int64_t> rows{7, 8, 7, 8, 6, 7};
  const std::vector<bool> first{false, false, false, true, false, false};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK_THAT(pairs[i].p, WithinAbs(p[i], 1e-12));
    CHECK(pairs[i].rows == rows[i]);
    CHECK(pairs[i].first_ahead == first[i]);
  }
  CHECK_THAT(pairs[2].p_adjusted, WithinAbs(.09375, 1e-12));
}

TEST_CASE("a pair without a common data set counts in the correction") {
  const TableWithHoles chain{.methods = {"a", "b", "c"}, .rows = {{1, 2, hole}, {2, 3, hole}, {hole, 1, 2}}};
  const auto pairs = pairs_with_holes(chain);
  CHECK(pairs[1].rows == 0);
  CHECK(pairs[1].p == 1.0);
  CHECK(skillings_mack(chain).df == 2.0);
}

TEST_CASE("tables that nothing can be ranked in are refused") {
  CHECK(refused_field([] {
          (void)skillings_mack({.methods = {"a", "b", "c", "d"}, .rows = {{1, 2, hole, hole}, {hole, hole, 1, 2}}});
        }) == "methods");
  CHECK(refused_field([] {
          (void)skillings_mack({.methods = {"a", "b"}, .rows = {{1, 2}, {1, hole}}});
        }) == "data sets with two scores");
  CHECK(refused_field([] { (void)skillings_mack({.methods = {"a", "b"}, .rows = {{1, 2}, {1}}}); }) == "rows[1]");
  CHECK(refused_field([] {
          (void)skillings_mack({.methods = {"a", "b"}, .rows = {{1, 2}, {1, std::nan("")}}});
        }) == "rows[1][1]");
}

TEST_CASE("all methods tied on every data set have no statistic; ties that link nothing take a degree of freedom") {
  CHECK_FALSE(skillings_mack({.methods = {"a", "b"}, .rows = {{1, 1}, {2, 2}}}).statistic);
  const TestResult part =
      skillings_mack({.methods = {"a", "b", "c"}, .rows = {{1, 2, hole}, {1, 3, hole}, {hole, 2, 2}}});
  // Only a and b are told apart, as in a table of these two: chi-squared 2 with one degree of freedom.
  CHECK(part.df == 1.0);
  CHECK_THAT(*part.statistic, WithinAbs(2.0, 1e-12));
}

}  // namespace retrial::tests::skillings_mack_tests
