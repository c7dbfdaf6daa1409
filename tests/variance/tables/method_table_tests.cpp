#include "variance/tables/method_table.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/groups/studentised_range.hpp"
#include "variance/wins/effect.hpp"

namespace retrial::tests::method_table_tests {

// Demsar 2006, four classifiers on fourteen data sets (one entry .9751 to break a tie, as in SciPy's tests), values of
// SciPy and of two independent programs; constants of the studentised range as R prints them.

using namespace retrial::variance;

namespace {

MethodTable demsar() {
  const std::vector<std::vector<double>> columns{
      {.763, .599, .954, .628, .882, .936, .661, .583, .775, 1.0, .94, .619, .972, .957},
      {.768, .591, .971, .661, .888, .931, .668, .583, .838, 1.0, .962, .666, .981, .978},
      {.771, .590, .968, .654, .886, .916, .609, .563, .866, 1.0, .965, .614, .9751, .946},
      {.798, .569, .967, .657, .898, .931, .685, .625, .875, 1.0, .962, .669, .975, .970}};
  MethodTable table{.methods = {"c1", "c2", "c3", "c4"}, .rows = {}};
  for (std::size_t i = 0; i < 14; ++i)
    table.rows.push_back({columns[0][i], columns[1][i], columns[2][i], columns[3][i]});
  return table;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("Friedman and Iman-Davenport on the classifiers of Demsar") {
  const auto chi = friedman(demsar());
  CHECK_THAT(*chi.uncorrected.statistic, WithinAbs(9.2785714286, 1e-10));
  CHECK_THAT(chi.uncorrected.p_two, WithinAbs(.0258074967, 1e-10));
  const auto f = iman_davenport(demsar());
  CHECK_THAT(*f.uncorrected.statistic, WithinAbs(3.6863130321, 1e-10));
  CHECK_THAT(f.uncorrected.p_two, WithinAbs(.0198230062, 1e-10));
  CHECK_THAT(*f.corrected.statistic, WithinAbs(4.1851301115, 1e-10));
  CHECK(find_omnibus("iman_davenport")->uncorrected(demsar()).statistic == f.uncorrected.statistic);
  CHECK(find_omnibus("friedman")->uncorrected(demsar()).statistic == chi.uncorrected.statistic);
  CHECK(find_omnibus("quade")->uncorrected == nullptr);
}

TEST_CASE("aligned ranks and Quade on the classifiers of Demsar") {
  const auto aligned = aligned_ranks(demsar());
  CHECK_THAT(*aligned.statistic, WithinAbs(11.5527226632, 1e-10));
  CHECK_THAT(aligned.p_two, WithinAbs(.0090834883, 1e-10));
  const auto weighted = quade(demsar());
  CHECK_THAT(*weighted.statistic, WithinAbs(4.5232345160, 1e-10));
  CHECK_THAT(weighted.p_two, WithinAbs(.0081437004, 1e-10));
}

TEST_CASE("pairs of classifiers by their mean ranks") {
  const auto pairs = method_pairs(demsar());
  const std::vector<double> z{2.3421601751, .5123475383, 2.4153526805, -1.8298126368, .0731925055, 1.9030051422};
  REQUIRE(pairs.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK_THAT(pairs[i].z, WithinAbs(z[i], 1e-10));
  for (const auto& pair : pairs) CHECK(pair.p_ranks_adjusted >= pair.p_ranks);
}

TEST_CASE("the winner of a pair is that of its signed ranks, even where the mean ranks say otherwise") {
  // a beats b by far on ten data sets, with no method between them; b beats a by a hair on three, with five between.
  MethodTable table{.methods = {"a", "b", "c", "d", "e", "f", "g"}, .rows = {}};
  for (int i = 0; i < 10; ++i) table.rows.push_back({9.0 + i, 1.0, -1, -2, -3, -4, -5});
  for (int i = 0; i < 3; ++i) table.rows.push_back({1.0, 1.6, 1.1, 1.2, 1.3, 1.4, 1.5});
  const auto pair = method_pairs(table).front();
  CHECK(pair.z > 0.0);  // sums of ranks: 10 + 21 and 20 + 3
  // W- = 1 + 2 + 3 in mid-ranks of the three equal differences: 26 of 2^13 assignments have at most 6 on one side.
  CHECK(pair.first_ahead);
  CHECK(pair.p_wilcoxon < .01);
}

TEST_CASE("Kendall's W of the classifiers of Demsar") {
  // SciPy 1.17.1: friedmanchisquare(...).statistic / (14 x 3)
  CHECK_THAT(*kendall_w(demsar()), WithinRel(.2435320584926887, 1e-12));
  const MethodTable ordered{.methods = {"a", "b", "c"}, .rows = {{1, 2, 3}, {4, 5, 7}, {0, 1, 2}}};
  CHECK_THAT(*kendall_w(ordered), WithinAbs(1.0, 1e-14));
  CHECK_FALSE(kendall_w({.methods = {"a", "b"}, .rows = {{1, 1}, {2, 2}}}));
}

TEST_CASE("the critical differences of Nemenyi") {
  CHECK_THAT(nemenyi_distance(4, 14, .05), WithinAbs(1.2535591471, 1e-9));
  CHECK_THAT(nemenyi_distance(4, 14, .10), WithinAbs(1.1180601670, 1e-9));
  CHECK_THAT(nemenyi_distance(6, 50, .05), WithinAbs(1.0662621334, 1e-9));
  // Two methods: z_.975 sqrt(1 / N).
  CHECK_THAT(nemenyi_distance(2, 25), WithinAbs(1.959963984540054 / 5, 1e-9));
}

TEST_CASE("groups of methods whose ranks lie together overlap, and single ones are left out") {
  using Groups = std::vector<std::vector<std::size_t>>;
  CHECK(rank_groups({3.0, 1.0, 2.0, 5.0}, 1.0) == Groups{{1, 2}, {2, 0}});
  CHECK(rank_groups({3.0, 1.0, 2.0, 5.0}, 2.0) == Groups{{1, 2, 0}, {0, 3}});
  CHECK(rank_groups({1.0, 5.0}, 1.0).empty());
}

TEST_CASE("methods tied everywhere have no statistic; an order that never changes has an infinite F") {
  const MethodTable tied{.methods = {"a", "b"}, .rows = {{1, 1}, {2, 2}}};
  CHECK_FALSE(friedman(tied).corrected.statistic);
  CHECK(friedman(tied).corrected.p_two == 1.0);
  CHECK_FALSE(iman_davenport(tied).corrected.statistic);
  const MethodTable ordered{.methods = {"a", "b", "c"}, .rows = {{1, 2, 3}, {4, 5, 7}, {0, 1, 2}}};
  CHECK(iman_davenport(ordered).corrected.statistic == infinity);
  // Of the 3! orders in each of the second and third row, one is that of the first: 1 / 36.
  CHECK_THAT(iman_davenport(ordered).corrected.p_two, WithinAbs(1.0 / 36, 1e-12));
  CHECK_FALSE(iman_davenport(ordered).corrected.note.empty());
  const MethodTable twice{.methods = {"a", "b", "c"}, .rows = {{1, 2, 3}, {4, 5, 7}}};
  CHECK_THAT(iman_davenport(twice).corrected.p_two, WithinAbs(1.0 / 6, 1e-12));
  // Two methods tied in every row leave three orders, 1.5 1.5 3 and its like.
  const MethodTable with_ties{.methods = {"a", "b", "c"}, .rows = {{1, 1, 3}, {4, 4, 7}, {2, 2, 9}}};
  CHECK_THAT(iman_davenport(with_ties).corrected.p_two, WithinAbs(1.0 / 9, 1e-12));
}

TEST_CASE("a table that is not one is refused by row") {
  CHECK(refused_field([] { (void)friedman({.methods = {"a", "b"}, .rows = {{1, 2}, {1}}}); }) == "rows[1]");
  CHECK(refused_field([] {
          (void)friedman({.methods = {"a", "b"}, .rows = {{1, 2}, {1, std::nan("")}}});
        }) == "rows[1][1]");
  CHECK(refused_field([] { (void)friedman({.methods = {"a"}, .rows = {{1}, {2}}}); }) == "methods");
  CHECK(refused_field([] { (void)friedman({.methods = {"a", "b"}, .rows = {{1, 2}}}); }) == "data sets");
}

TEST_CASE("the studentised range") {
  CHECK_THAT(studentised_range_cdf(4, 3, infinity), WithinAbs(.987012338627, 1e-9));
  CHECK_THAT(studentised_range_cdf(1, 3, infinity), WithinAbs(.240712641229, 1e-9));
  CHECK_THAT(studentised_range_cdf(4, 3, 10), WithinAbs(.956650650240, 1e-9));
  CHECK_THAT(studentised_range_quantile(.95, 3, infinity), WithinAbs(3.314493155, 1e-9));
  CHECK_THAT(studentised_range_quantile(.95, 4, infinity), WithinAbs(3.633159575, 1e-9));
  CHECK_THAT(studentised_range_quantile(.95, 6, infinity), WithinAbs(4.030092053, 1e-9));
  const std::vector<double> five_percent{1.9600, 2.3437, 2.5690, 2.7278, 2.8497, 2.9483, 3.0309, 3.1017, 3.1637};
  for (std::int64_t k = 2; k <= 10; ++k)
    CHECK_THAT(studentised_range_quantile(.95, k, infinity) / std::sqrt(2.0),
               WithinAbs(five_percent[static_cast<std::size_t>(k - 2)], 5e-5));
}

TEST_CASE("Tukey's honest differences") {
  const std::vector<std::vector<double>> groups{
      {24.5, 23.5, 26.4, 27.1, 29.9}, {28.4, 34.2, 29.5, 32.2, 30.1}, {26.1, 28.3, 24.3, 26.2, 27.8}};
  const auto pairs = tukey(groups);
  REQUIRE(pairs.size() == 3);
  CHECK_THAT(pairs[0].difference.point, WithinAbs(-4.60, 1e-10));
  CHECK_THAT(*pairs[0].difference.low, WithinAbs(-8.249159004, 1e-8));
  CHECK_THAT(pairs[0].p, WithinAbs(.014448326736, 1e-9));
  CHECK_THAT(pairs[1].p, WithinAbs(.980310724094, 1e-9));
  CHECK_THAT(pairs[2].p, WithinAbs(.020331136740, 1e-9));
}

TEST_CASE("a level that the quadrature cannot reach is refused") {
  const std::vector<std::vector<double>> groups{{1, 2}, {3, 5}};
  CHECK(refused_field([&] { (void)tukey(groups, 1e-12); }) == "alpha");
  CHECK(refused_field([&] { (void)dunnett(groups, groups[0], 1e-12); }) == "alpha");
  CHECK(refused_field([] { (void)studentised_range_quantile(1.0 - 1e-15, 3, 10); }) == "p");
  CHECK(nemenyi_distance(3, 10, 1e-14) > nemenyi_distance(3, 10, 1e-12));
}

TEST_CASE("Dunnett's comparisons with a control") {
  const std::vector<std::vector<double>> groups{{3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}};
  const auto result = dunnett(groups, std::vector{2.9, 3.0, 2.5, 2.6, 3.2});
  CHECK_THAT(result[0].statistic, WithinAbs(.9087454522, 1e-10));
  CHECK_THAT(result[1].statistic, WithinAbs(-.0500711744, 1e-10));
  CHECK_THAT(result[0].p_two, WithinAbs(.5831724333, 1e-9));
  CHECK_THAT(result[1].p_two, WithinAbs(.9981925065, 1e-9));
  CHECK_THAT(result[0].p_greater, WithinAbs(.3022484377, 1e-9));
  CHECK_THAT(result[1].p_greater, WithinAbs(.6911529801, 1e-9));
}

TEST_CASE("effect sizes of two samples of accuracies") {
  const std::vector<double> a{.81, .83, .80, .86, .84}, b{.80, .82, .79, .81, .83};
  CHECK_THAT(*cohen_d(a, b), WithinAbs(.8889566370, 1e-10));
  CHECK_THAT(*hedges_g(a, b), WithinAbs(.8024641197, 1e-10));
  CHECK_THAT(*glass_delta(a, b), WithinAbs(1.1384199577, 1e-10));
  CHECK_THAT(cliff_delta(a, b), WithinAbs(.48, 1e-12));
  CHECK(a12_label(.74) == "large");
  CHECK(a12_label(.42) == "small");
  CHECK(a12_label(.5) == "negligible");
  CHECK_FALSE(cohen_d(std::vector{1.0, 1.0}, std::vector{1.0, 1.0}));
  // Medians .83 and .81, MADs .02 and .01: .02 / (1.4826 sqrt((.0004 + .0001) / 2)).
  CHECK_THAT(*median_effect(a, b), WithinAbs(.02 / (1.4826 * std::sqrt(.00025)), 1e-9));
}

}  // namespace retrial::tests::method_table_tests
