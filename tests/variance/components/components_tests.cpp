#include "variance/components/components.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/components/reml.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::components_tests {

// Expected values: independent programs (the specification of the variance layer, table T), and closed forms.

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
const Clusters table{{.912, .918, .915, .909}, {.921, .926, .919, .924}, {.905, .911, .908, .902}};
const Clusters unbalanced{{.70, .72, .71}, {.75, .74}, {.69, .73, .70, .71}, {.78}};

Values flat(const Clusters& clusters) {
  Values all;
  for (const auto& c : clusters) all.insert(all.end(), c.begin(), c.end());
  return all;
}

Factor factor_of(const Clusters& clusters) {
  Factor factor{.source = "search"};
  for (std::uint32_t i = 0; i < clusters.size(); ++i) factor.level.insert(factor.level.end(), clusters[i].size(), i);
  return factor;
}

/// Restricted deviance of the one-way model in closed form.
double oneway_deviance(const Clusters& clusters, double between, double within) {
  double precision = 0.0, weighted = 0.0, deviance = 0.0;
  for (const auto& c : clusters) {
    const double n = static_cast<double>(c.size()), w = n / (within + n * between);
    double sum = 0.0;
    for (const double x : c) sum += x;
    precision += w;
    weighted += w * sum / n;
    deviance += (n - 1) * std::log(within) + std::log(within + n * between);
  }
  const double center = weighted / precision;
  for (const auto& c : clusters) {
    const double n = static_cast<double>(c.size());
    double sum = 0.0, squares = 0.0;
    for (const double x : c) sum += x - center, squares += (x - center) * (x - center);
    deviance += (squares - between / (within + n * between) * sum * sum) / within;
  }
  return deviance + std::log(precision);
}
}  // namespace

TEST_CASE("one-way analysis of variance of three searches") {
  const auto result = oneway(table);
  CHECK_THAT(*result.msb, WithinRel(2.573333333e-4, 1e-9));
  CHECK_THAT(*result.msw, WithinRel(1.322222222e-5, 1e-9));
  CHECK_THAT(result.between->variance.point, WithinRel(6.102777778e-5, 1e-9));
  CHECK_THAT(*result.icc, WithinAbs(.8219229330, 1e-10));
  CHECK_THAT(*result.between->df, WithinAbs(1.7986981188, 1e-9));
  CHECK_THAT(*result.between->variance.low, WithinRel(1.5801158e-5, 1e-7));
  CHECK_THAT(*result.between->variance.high, WithinRel(3.4363826e-3, 1e-7));
  CHECK_THAT(result.between->share + result.within->share, WithinAbs(1, 1e-15));
  CHECK(*result.icc_interval.low < *result.icc);
  CHECK(*result.icc_interval.high > *result.icc);
}

TEST_CASE("clusters of unequal size") {
  const auto result = oneway(unbalanced);
  CHECK_THAT(result.k0, WithinAbs(2.3333333333, 1e-10));
  CHECK_THAT(result.between->variance.point, WithinRel(7.317857143e-4, 1e-9));
  CHECK_THAT(*result.msw, WithinRel(1.875e-4, 1e-9));
  CHECK_FALSE(result.icc_interval.low);
}

TEST_CASE("an intra-class correlation is one: the published moment is not") {
  CHECK_THAT(*rho_moment(table), WithinAbs(5.4332399627, 1e-9));
  Stream draws(3);
  for (int i = 0; i < 2000; ++i) {
    Clusters clusters(2 + static_cast<std::size_t>(i % 4));
    for (auto& cluster : clusters)
      for (int k = 0; k < 3; ++k) cluster.push_back(normal(draws.next()));
    const auto icc = oneway(clusters).icc;
    if (!icc || *icc < 0.0 || *icc > 1.0) FAIL("intra-class correlation outside [0, 1]");
  }
}

TEST_CASE("what clusters cannot say is absent") {
  CHECK_FALSE(oneway({{1, 2, 3}}).between);
  CHECK(oneway({{1, 2, 3}}).within);
  CHECK_FALSE(oneway({{1}, {2}}).within);
  CHECK_FALSE(oneway({{1, 1}, {1, 1}}).icc);
  const auto equal_means = oneway({{1, 3}, {3, 1}});  // less between than chance: reported as 0, raw value kept
  CHECK(equal_means.between->variance.point == 0.0);
  CHECK(equal_means.between->raw < 0.0);
  CHECK_FALSE(equal_means.between->variance.high);
  CHECK(refused_field([] { (void)oneway({}); }) == "clusters");
  CHECK(refused_field([] { (void)oneway({{1}, {}}); }) == "clusters[1]");
  CHECK(refused_field([] { (void)oneway({{1, std::nan("")}}); }) == "clusters[0][1]");
}

TEST_CASE("two crossed sources, by hand") {
  // Row effects 0, 3; column effects 0, 1, 2; one interaction. Sums of squares: rows 13.5 + ..., computed by hand
  // below.
  const std::vector<std::vector<Values>> cells{{{1}, {2}, {3}}, {{4}, {5}, {9}}};
  // Means: rows 2, 6; columns 2.5, 3.5, 6; grand 4. Sums of squares: rows 24, columns 13, all 40, rest 3.
  const auto result = crossed(cells, "init", "order");
  REQUIRE(result.components.size() == 3);
  CHECK_THAT(result.components[0].variance.point, WithinAbs((24.0 - 1.5) / 3, 1e-12));
  CHECK_THAT(result.components[1].variance.point, WithinAbs((6.5 - 1.5) / 2, 1e-12));
  CHECK_THAT(result.components[2].variance.point, WithinAbs(1.5, 1e-12));
  CHECK(result.components[2].source == "interaction and noise");
}

TEST_CASE("replicated cells tell interaction from noise") {
  Stream draws(5);
  const double row_sd = 2, column_sd = 1, both_sd = 1.5, noise_sd = .5;
  std::vector<double> rows(40), columns(40);
  for (double& x : rows) x = row_sd * normal(draws.next());
  for (double& x : columns) x = column_sd * normal(draws.next());
  std::vector<std::vector<Values>> cells(40, std::vector<Values>(40));
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) {
      const double both = both_sd * normal(draws.next());
      for (int k = 0; k < 2; ++k) cells[i][j].push_back(rows[i] + columns[j] + both + noise_sd * normal(draws.next()));
    }
  const auto result = crossed(cells, "init", "order").components;
  REQUIRE(result.size() == 4);
  CHECK_THAT(result[0].variance.point, WithinRel(4.0, .6));
  CHECK_THAT(result[1].variance.point, WithinRel(1.0, .6));
  CHECK_THAT(result[2].variance.point, WithinRel(2.25, .1));
  CHECK_THAT(result[3].variance.point, WithinRel(.25, .1));
  CHECK_THAT(result[0].share + result[1].share + result[2].share + result[3].share, WithinAbs(1, 1e-12));
  for (auto& row : cells)
    for (auto& cell : row) cell[1] = cell[0];
  CHECK(crossed(cells, "init", "order").components[3].variance.point == 0.0);
  cells[1][2].pop_back();
  CHECK(refused_field([&] { (void)crossed(cells, "a", "b"); }) == "cells[1][2]");
}

TEST_CASE("replicates with every seed frozen") {
  const auto same = noise_stratum(Values(5, .91));
  CHECK(same.bit_identical);
  CHECK_FALSE(same.variance.low);
  const auto noisy = noise_stratum(Values{1, 2, 3, 4, 5});
  CHECK_FALSE(noisy.bit_identical);
  CHECK_THAT(*noisy.variance.low, WithinAbs(4 * 2.5 / 11.143287, 1e-6));  // chi-squared tables, 4 df
  CHECK_THAT(*noisy.variance.high, WithinAbs(4 * 2.5 / .484419, 1e-4));
  CHECK(refused_field([] { (void)noise_stratum(Values(4, 1)); }) == "runs");
}

TEST_CASE("restricted maximum likelihood of a balanced table is its analysis of variance") {
  const auto fit = reml(flat(table), {factor_of(table)});
  CHECK_THAT(fit.components[0].variance.point, WithinRel(6.102777778e-5, 1e-6));
  CHECK_THAT(fit.components[1].variance.point, WithinRel(1.322222222e-5, 1e-6));
  CHECK_THAT(fit.mean, WithinAbs(.9141666667, 1e-9));
  CHECK_THAT(fit.se, WithinAbs(.0080208063 / std::sqrt(3.0), 1e-8));
  CHECK_THAT(*fit.components[0].df, WithinAbs(1.7986981188, 1e-4));  // the information gives the same Satterthwaite df
}

TEST_CASE("two crossed factors, balanced, are the two-way analysis of variance") {
  const std::vector<std::vector<Values>> cells{{{1}, {2.5}, {3}}, {{4}, {5}, {9}}, {{0}, {1.5}, {2}}};
  Factor rows{.source = "init"}, columns{.source = "order"};
  Values y;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < 3; ++j) {
      rows.level.push_back(i);
      columns.level.push_back(j);
      y.push_back(cells[i][j][0]);
    }
  const auto fit = reml(y, {rows, columns});
  const auto anova = crossed(cells, "init", "order");
  for (std::size_t s = 0; s < 3; ++s)
    CHECK_THAT(fit.components[s].variance.point, WithinRel(anova.components[s].variance.point, 1e-5));
}

TEST_CASE("unbalanced: no neighbor has a smaller deviance than the fit") {
  const auto fit = reml(flat(unbalanced), {factor_of(unbalanced)});
  const double b = fit.components[0].variance.point, w = fit.components[1].variance.point;
  CHECK_THAT(oneway_deviance(unbalanced, b, w), WithinAbs(*fit.deviance, 1e-8));
  for (const double up : {.99, 1.01})
    for (const double across : {.99, 1.0, 1.01}) CHECK(oneway_deviance(unbalanced, b * up, w * across) > *fit.deviance);
}

TEST_CASE("a source without effect is exactly zero and its deviance says so") {
  const Clusters equal{{1, 3, 2}, {3, 1, 2}, {2, 2, 2.5}};
  const auto fit = reml(flat(equal), {factor_of(equal)});
  CHECK(fit.components[0].variance.point == 0.0);
  CHECK_FALSE(fit.components[0].variance.low);
  CHECK(fit.components[1].share == 1.0);
  CHECK(oneway_deviance(equal, .01, fit.components[1].variance.point) > *fit.deviance);
  CHECK(reml(Values(9, 1.0), {factor_of(equal)}).components[1].variance.point == 0.0);
}

TEST_CASE("units do not matter to shares") {
  auto scaled = flat(unbalanced);
  for (double& x : scaled) x = 1e6 * x - 7e5;
  const auto fit = reml(flat(unbalanced), {factor_of(unbalanced)}), big = reml(scaled, {factor_of(unbalanced)});
  CHECK_THAT(big.components[0].share, WithinAbs(fit.components[0].share, 1e-6));
  CHECK_THAT(big.components[0].variance.point, WithinRel(1e12 * fit.components[0].variance.point, 1e-5));
}

TEST_CASE("replicates of a fit are drawn from the key and spread around it") {
  const auto fit = reml(flat(table), {factor_of(table)});
  const auto one = reml_replicates(fit, {factor_of(table)}, 1, 200);
  CHECK(one == reml_replicates(fit, {factor_of(table)}, 1, 200));
  CHECK(one != reml_replicates(fit, {factor_of(table)}, 2, 200));
  CHECK(*std::ranges::min_element(one[0]) < fit.components[0].variance.point);
  CHECK(*std::ranges::max_element(one[0]) > fit.components[0].variance.point);
}

TEST_CASE("factors that explain nothing or everything are refused by name") {
  CHECK(refused_field([] { (void)reml(Values{1, 2, 3}, {{"a", {0, 1}}}); }) == "factors[0]");
  CHECK(refused_field([] { (void)reml(Values{1, 2, 3}, {{"a", {0, 0, 0}}}); }) == "factors[0]");
  CHECK(refused_field([] { (void)reml(Values{1, 2, 3}, {{"a", {0, 1, 2}}}); }) == "factors[0]");
  CHECK(refused_field([] { (void)reml(Values{1, 2}, {}); }) == "runs");
}

}  // namespace retrial::tests::components_tests
