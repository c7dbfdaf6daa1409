#include "variance/components/reml.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/components/reml_references.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/dense.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::reml_tests {

// Expected values: lme4 and statsmodels (reml_references.hpp), the definition of the deviance with dense matrices, and
// closed forms.

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {

struct Table {
  Values scores;
  std::vector<Factor> factors;
};

Table table_of(const RemlReference& reference) {
  Table table{.scores = reference.scores, .factors = {}};
  for (std::size_t k = 0; k < reference.factors.size(); ++k)
    table.factors.push_back({.source = "f" + std::to_string(k), .level = reference.factors[k]});
  return table;
}

Values points_of(const Reml& fit) {
  Values out;
  for (const auto& component : fit.components) out.push_back(component.variance.point);
  return out;
}

/// log|V| + log|X'V^-1 X| + y'Py by its definition; infinite where V is singular.
double deviance_of(const Table& table, const Values& variances) {
  const std::size_t n = table.scores.size();
  Matrix v(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      v(i, j) = i == j ? variances.back() : 0.0;
      for (std::size_t s = 0; s < table.factors.size(); ++s)
        if (table.factors[s].level[i] == table.factors[s].level[j]) v(i, j) += variances[s];
    }
  const auto root = cholesky(v);
  if (!root) return std::numeric_limits<double>::infinity();
  const auto ones = solve(*root, Values(n, 1.0));
  const double precision = std::accumulate(ones.begin(), ones.end(), 0.0);
  const double center = std::inner_product(ones.begin(), ones.end(), table.scores.begin(), 0.0) / precision;
  Values rest = table.scores;
  for (double& x : rest) x -= center;
  const auto weighted = solve(*root, rest);
  return log_determinant(*root) + std::log(precision) +
         std::inner_product(rest.begin(), rest.end(), weighted.begin(), 0.0);
}

enum class Hole { none, random, row, block, corner };

bool is_hole(Hole kind, std::uint32_t i, std::uint32_t j, std::uint32_t size, double chance) {
  if (kind == Hole::random) return chance < 0.25;
  if (kind == Hole::row) return i == 1;
  if (kind == Hole::block) return i < 2 && j < 2;
  return kind == Hole::corner && (i < size / 2) != (j < size / 2);  // two tables that share no source
}

/// score = 80 + sds[0] a_i + sds[1] b_j + sds[2] noise.
Table crossed_table(std::uint64_t seed, std::uint32_t size, const Values& sds, Hole kind) {
  Stream draws(seed);
  Values rows(size), columns(size);
  for (double& x : rows) x = sds[0] * normal(draws.next());
  for (double& x : columns) x = sds[1] * normal(draws.next());
  Table out{.scores = {}, .factors = {{.source = "init", .level = {}}, {.source = "order", .level = {}}}};
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) {
      const double chance = uniform(draws.next()), noise = sds[2] * normal(draws.next());
      if (is_hole(kind, i, j, size, chance)) continue;
      out.scores.push_back(80 + rows[i] + columns[j] + noise);
      out.factors[0].level.push_back(i);
      out.factors[1].level.push_back(j);
    }
  return out;
}

/// No move of one variance, or of all, lowers the deviance.
bool is_lowest(const Table& table, const Reml& fit) {
  const auto at = points_of(fit);
  const double total = std::accumulate(at.begin(), at.end(), 0.0);
  const double lowest = deviance_of(table, at), slack = 1e-9 * std::max(1.0, std::fabs(lowest));
  if (std::fabs(lowest - *fit.deviance) > slack) return false;
  for (std::size_t s = 0; s < at.size(); ++s)
    for (const double factor : {0.0, 0.5, 0.99, 1.01, 2.0}) {
      auto moved = at;
      moved[s] = at[s] > 0.0 ? at[s] * factor : factor * 0.01 * total;
      if (deviance_of(table, moved) < lowest - slack) return false;
    }
  return true;
}

double variance_of_effects(const Table& table, std::size_t factor, const Values& effects) {
  Values seen(effects);
  for (std::size_t level = effects.size(); level-- > 0;)
    if (std::ranges::count(table.factors[factor].level, static_cast<std::uint32_t>(level)) == 0)
      seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(level));
  return *sample_variance(seen);
}

/// The scores of `table` replaced by those of the effects alone.
void set_effects(Table& table, const Values& rows, const Values& columns) {
  for (std::size_t i = 0; i < table.scores.size(); ++i)
    table.scores[i] = 80 + rows[table.factors[0].level[i]] + columns[table.factors[1].level[i]];
}

}  // namespace

TEST_CASE("estimates are those of lme4, and no peer has a lower deviance") {
  for (const auto& reference : reml_references) {
    INFO(reference.name);
    const Table table = table_of(reference);
    const auto fit = reml(table.scores, table.factors);
    const auto at = points_of(fit);
    const double total = std::accumulate(at.begin(), at.end(), 0.0);
    REQUIRE(at.size() == reference.variances.size());
    for (std::size_t s = 0; s < at.size(); ++s) {
      CHECK_THAT(at[s], WithinAbs(reference.variances[s], 1e-6 * total));
      if (reference.variances[s] < 1e-12 * total) CHECK(at[s] == 0.0);
    }
    REQUIRE(fit.deviance);
    CHECK(*fit.deviance <= std::min(reference.lme4, reference.statsmodels) + 1e-9 * std::fabs(reference.lme4));
    CHECK_THAT(*fit.deviance, WithinAbs(deviance_of(table, at), 1e-9 * std::fabs(reference.lme4)));
  }
}

TEST_CASE("a thousand replicates of every table are solved") {
  for (const auto& reference : reml_references) {
    INFO(reference.name);
    const Table table = table_of(reference);
    const auto drawn = reml_replicates(reml(table.scores, table.factors), table.factors, 1, 1000);
    for (const auto& component : drawn) {
      CHECK(component.size() == 1000);
      CHECK(std::ranges::all_of(component, [](double x) { return std::isfinite(x) && x >= 0.0; }));
    }
  }
}

TEST_CASE("two hundred tables with holes of every kind have their lowest deviance, at once") {
  const std::vector<Values> sds{{0, 0, 1}, {.3, 0, 1}, {.3, .3, 1}, {1, .1, .5}, {2, 1, .01}};
  std::chrono::duration<double> longest{0};
  std::uint64_t seed = 0, borders = 0;
  for (const std::uint32_t size : {5u, 8u})
    for (const Hole kind : {Hole::none, Hole::random, Hole::row, Hole::block, Hole::corner})
      for (const auto& sd : sds)
        for (int repeat = 0; repeat < 4; ++repeat) {
          const Table table = crossed_table(++seed, size, sd, kind);
          INFO("seed " << seed);
          const auto begin = std::chrono::steady_clock::now();
          const auto fit = reml(table.scores, table.factors);
          longest = std::max<std::chrono::duration<double>>(longest, std::chrono::steady_clock::now() - begin);
          CHECK(is_lowest(table, fit));
          const auto at = points_of(fit);
          borders += std::ranges::count(at, 0.0) > 0;
        }
  CHECK(seed == 200);
  CHECK(borders > 40);
  CHECK(longest.count() < 0.1);
}

TEST_CASE("unbalanced clusters have their lowest deviance, at 0 too") {
  Stream draws(7);
  int borders = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    Table table{.scores = {}, .factors = {{.source = "search", .level = {}}}};
    for (std::uint32_t cluster = 0; cluster < 6; ++cluster) {
      const double effect = (repeat % 4) * .3 * normal(draws.next());
      const std::uint64_t runs = bounded(draws.next(), 6) + (cluster == 0 ? 2 : 1);
      for (std::uint64_t run = 0; run < runs; ++run) {
        table.scores.push_back(effect + normal(draws.next()));
        table.factors[0].level.push_back(cluster);
      }
    }
    const auto fit = reml(table.scores, table.factors);
    CHECK(is_lowest(table, fit));
    borders += fit.components[0].variance.point == 0.0 ? 1 : 0;
  }
  CHECK(borders > 50);
  CHECK(borders < 150);
}

TEST_CASE("the lower of two minima is found") {
  // At 0 the deviance rises with the variance between clusters, and yet it is lower at a third of the noise.
  const auto reference =
      std::ranges::find(reml_references, "clusters with a second, higher minimum at 0", &RemlReference::name);
  REQUIRE(reference != reml_references.end());
  const Table table = table_of(*reference);
  const double alone = *sample_variance(table.scores);
  CHECK(deviance_of(table, {.001 * alone, .999 * alone}) > deviance_of(table, {0, alone}));
  const auto fit = reml(table.scores, table.factors);
  CHECK(*fit.deviance < deviance_of(table, {0, alone}) - .01);
  CHECK(fit.components[0].variance.point > 0.0);
}

TEST_CASE("scores that follow from their sources exactly have the variances of the effects, and no noise") {
  const Values rows{.3, -1.2, .7, 2.1, -.4}, columns{1.1, .2, -.9, .6, -.35};
  for (const Hole kind : {Hole::random, Hole::row, Hole::block}) {
    Table table = crossed_table(3, 5, {0, 0, 0}, kind);
    set_effects(table, rows, columns);
    const auto both = reml(table.scores, table.factors);
    CHECK_THAT(both.components[0].variance.point, WithinRel(variance_of_effects(table, 0, rows), 1e-10));
    CHECK_THAT(both.components[1].variance.point, WithinRel(variance_of_effects(table, 1, columns), 1e-10));
    CHECK(both.components[2].variance.point == 0.0);
    CHECK_FALSE(both.deviance);
    set_effects(table, rows, Values(5, 0.0));
    const auto one = reml(table.scores, table.factors);
    CHECK_THAT(one.components[0].variance.point, WithinRel(variance_of_effects(table, 0, rows), 1e-10));
    CHECK(one.components[1].variance.point == 0.0);
    CHECK(one.components[2].variance.point == 0.0);
    CHECK(one.components[0].share == 1.0);
    for (const auto& fit : {both, one})
      for (const auto& component : reml_replicates(fit, table.factors, 5, 1000)) CHECK(component.size() == 1000);
  }
}

TEST_CASE("noise of any size beside an effect keeps its digits") {
  // The effect of rows is so much larger that the other components are those of what it leaves.
  const auto fit_with = [](double size) {
    Table table = crossed_table(11, 5, {0, .7, 1}, Hole::random);
    const Values rows{.3, -1.2, .7, 2.1, -.4};
    for (std::size_t i = 0; i < table.scores.size(); ++i)
      table.scores[i] = rows[table.factors[0].level[i]] + size * (table.scores[i] - 80);
    return reml(table.scores, table.factors);
  };
  const auto reference = fit_with(1e-4);
  for (const double size : {1e-5, 1e-7, 1e-9, 1e-11}) {
    INFO(size);
    const auto fit = fit_with(size);
    for (const std::size_t s : {1u, 2u})
      CHECK_THAT(fit.components[s].variance.point / (size * size),
                 WithinRel(reference.components[s].variance.point / 1e-8, 1e-3));
    CHECK_THAT(fit.components[0].variance.point, WithinRel(reference.components[0].variance.point, 1e-3));
  }
}

TEST_CASE("the order of the runs, the names of the levels and the unit do not matter") {
  const Table table = crossed_table(21, 6, {1, .5, .7}, Hole::random);
  const auto fit = reml(table.scores, table.factors);
  Table other = table;
  std::ranges::reverse(other.scores);
  for (auto& factor : other.factors) {
    std::ranges::reverse(factor.level);
    for (auto& level : factor.level) level = 900 - 7 * level;
  }
  for (double& score : other.scores) score = 1e-3 * score + 5;
  const auto moved = reml(other.scores, other.factors);
  for (std::size_t s = 0; s < 3; ++s)
    CHECK_THAT(moved.components[s].variance.point, WithinRel(1e-6 * fit.components[s].variance.point, 1e-7));
  CHECK_THAT(moved.mean, WithinAbs(1e-3 * fit.mean + 5, 1e-10));
  CHECK_THAT(moved.se, WithinRel(1e-3 * fit.se, 1e-7));
}

TEST_CASE("sources that no runs tell apart are named") {
  const Values scores{1, 2, 4, 3, 6, 5};
  const std::vector<std::uint32_t> pairs{0, 0, 1, 1, 2, 2}, renamed{5, 5, 3, 3, 4, 4};
  try {
    (void)reml(scores, {{"init", pairs}, {"order", renamed}});
    FAIL("no error");
  } catch (const InvalidInput& error) {
    CHECK(error.field == "factors[1]");
    CHECK(error.value == "order");
    CHECK_THAT(error.allowed, has_text("that of init"));
  }
  // Two rows of two runs whose columns differ in every way: rows and columns add up to the noise.
  CHECK(refused_field([] {
          (void)reml(Values{1, 2, 4}, {{"init", {0, 0, 1}}, {"order", {0, 1, 0}}, {"split", {0, 1, 1}}});
        }) == "factors[2]");
}

}  // namespace retrial::tests::reml_tests
