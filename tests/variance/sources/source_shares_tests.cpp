#include "variance/sources/source_shares.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::source_shares_tests {

// Expected values: closed forms of the models below, and table T of the specification of the variance layer, whose
// components were computed by two independent programs.

using namespace retrial::variance;

namespace {

double z(std::uint64_t key, std::uint64_t index) {
  return normal(block(key, index, 0)[0]);
}

/// y = outer z_cluster + inner z_run.
Clusters nested_data(std::uint64_t key, double outer, double inner, std::uint64_t clusters, std::uint64_t runs) {
  Clusters out;
  for (std::uint64_t c = 0; c < clusters; ++c) {
    out.emplace_back();
    for (std::uint64_t j = 0; j < runs; ++j)
      out.back().push_back(outer * z(derive(key, "outer"), c) + inner * z(derive(key, "inner"), c * runs + j));
  }
  return out;
}

bool covers(const Estimate& estimate, double value) {
  return *estimate.low <= value && value <= *estimate.high;
}

NoiseStratum noise_of(const std::vector<double>& replicates) {
  return noise_stratum(replicates);
}

}  // namespace

TEST_CASE("components of nested runs are those of the analysis of variance, with Satterthwaite's interval") {
  const Clusters table{{.912, .918, .915, .909}, {.921, .926, .919, .924}, {.905, .911, .908, .902}};
  const auto shares = nested_shares("search", "init", table, {});
  REQUIRE(shares.sources.size() == 2);
  CHECK_THAT(shares.sources[0].raw, WithinRel(6.102777778e-5, 1e-9));
  CHECK_THAT(shares.sources[1].raw, WithinRel(1.322222222e-5, 1e-9));
  CHECK_THAT(shares.sources[0].share.point, WithinAbs(.8219229330, 1e-10));
  CHECK_THAT(*shares.sources[0].variance.low, WithinRel(1.5801158e-5, 1e-7));
  CHECK_THAT(*shares.sources[0].variance.high, WithinRel(3.4363826e-3, 1e-7));
  CHECK_FALSE(shares.interaction);
  CHECK_FALSE(shares.noise);
}

TEST_CASE("intervals of shares cover the true share as often as they say, and 0 where a source does nothing") {
  // 400 tables: a level of 95 % gives 380 with a standard error of 4.4; four of them below, nothing above.
  for (const double outer : {1.0, 0.0}) {
    int covered = 0, reaches_zero = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      const auto key = derive(derive(11, "tables"), i);
      const auto shares =
          nested_shares("a", "b", nested_data(key, outer, 1.0, 6, 5), {}, {.resamples = 400, .key = key});
      covered += covers(shares.sources[0].share, outer * outer / (outer * outer + 1.0)) ? 1 : 0;
      reaches_zero += *shares.sources[0].share.low == 0.0 ? 1 : 0;
    }
    CHECK(covered >= 362);
    if (outer == 0.0) CHECK(reaches_zero >= 362);
    if (outer == 1.0) CHECK(reaches_zero <= 200);  // the control: a source that does something is told apart from 0
  }
}

TEST_CASE("one source at a time: known standard deviations come back, a dead source is exactly 0") {
  // 4,000 runs: a sample variance is off by 4 sqrt(2 / 4000) = 9 % once in 16,000 studies.
  const std::uint64_t n = 4000;
  Clusters alone(3);
  std::vector<double> together;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double a = 3 * z(1, i), b = 2 * z(2, i);
    alone[0].push_back(a);
    alone[1].push_back(b);
    alone[2].push_back(7.0);
    together.push_back(3 * z(3, i) + 2 * z(4, i));
  }
  const auto shares = one_at_a_time_shares({"a", "b", "dead"}, alone, together, {}, {.resamples = 200, .key = 5});
  CHECK_THAT(shares.sources[0].variance.point, WithinRel(9.0, .09));
  CHECK_THAT(shares.sources[1].variance.point, WithinRel(4.0, .09));
  CHECK_THAT(shares.sources[0].share.point, WithinAbs(9.0 / 13, .09));
  CHECK(shares.sources[2].variance.point == 0.0);
  CHECK(shares.sources[2].share.point == 0.0);
  REQUIRE(shares.interaction);
  CHECK(covers(shares.interaction->share, 0.0));
  CHECK(shares.total == *sample_variance(together));
}

TEST_CASE("what sources do together and none alone is the interaction") {
  // y = 2 a + b + 3 a b around a base seed where a and b are 0: alone 4 and 1, together 4 + 1 + 9.
  const std::uint64_t n = 4000;
  Clusters alone(2);
  std::vector<double> together;
  for (std::uint64_t i = 0; i < n; ++i) {
    alone[0].push_back(2 * z(1, i));
    alone[1].push_back(z(2, i));
    together.push_back(2 * z(3, i) + z(4, i) + 3 * z(3, i) * z(4, i));
  }
  const auto shares = one_at_a_time_shares({"a", "b"}, alone, together, {}, {.resamples = 200, .key = 5});
  CHECK_THAT(shares.total, WithinRel(14.0, .25));
  CHECK_THAT(shares.interaction->raw, WithinRel(9.0, .35));
  CHECK_FALSE(covers(shares.interaction->share, 0.0));
  CHECK_FALSE(shares.warnings.empty());
}

TEST_CASE("numerical noise is subtracted from the sources and reported by itself") {
  const std::uint64_t n = 2000;
  Clusters alone(2);
  std::vector<double> together, replicates;
  for (std::uint64_t i = 0; i < n; ++i) {
    alone[0].push_back(2 * z(1, i) + z(5, i));
    alone[1].push_back(z(6, i));  // does nothing: what is seen is the noise
    together.push_back(2 * z(3, i) + z(7, i));
    replicates.push_back(z(8, i));
  }
  const auto with =
      one_at_a_time_shares({"a", "dead"}, alone, together, noise_of(replicates), {.resamples = 400, .key = 5});
  REQUIRE(with.noise);
  CHECK_THAT(with.noise->variance.point, WithinRel(1.0, .13));
  CHECK_THAT(with.sources[0].raw, WithinRel(4.0, .15));
  CHECK(std::fabs(with.sources[1].raw) < .13);
  CHECK(covers(with.sources[1].share, 0.0));
  CHECK(std::fabs(with.interaction->raw) < .7);
  // Without the stratum the dead source looks alive: the control.
  const auto without = one_at_a_time_shares({"a", "dead"}, alone, together, {}, {.resamples = 400, .key = 5});
  CHECK_FALSE(covers(without.sources[1].share, 0.0));
  // Bit-identical replicates are no component.
  const auto identical =
      one_at_a_time_shares({"a", "dead"}, alone, together, noise_of({3, 3, 3, 3, 3}), {.resamples = 0});
  CHECK_FALSE(identical.noise);
  CHECK(identical.sources[1].raw == without.sources[1].raw);
}

TEST_CASE("an additive crossed table has no interaction at all, whatever the rounding of its sums") {
  std::vector<std::vector<double>> cells(7), planted(7);
  for (std::uint64_t i = 0; i < 7; ++i)
    for (std::uint64_t j = 0; j < 9; ++j) {
      cells[i].push_back(80 + 2 * z(1, i) + z(2, j));
      planted[i].push_back(cells[i].back() + .5 * z(3, 9 * i + j));
    }
  const auto shares = crossed_shares({"a", "b"}, cells, noise_of({1, 1, 1, 1, 1}), {.resamples = 400, .key = 1});
  CHECK(shares.interaction->variance.point == 0.0);
  CHECK_THAT(shares.sources[0].share.point + shares.sources[1].share.point, WithinAbs(1.0, 1e-12));
  const auto other = crossed_shares({"a", "b"}, planted, noise_of({1, 1, 1, 1, 1}), {.resamples = 400, .key = 1});
  CHECK_THAT(other.interaction->variance.point, WithinRel(.25, .6));  // 48 degrees of freedom, 3 standard errors
  CHECK_FALSE(crossed_shares({"a", "b"}, planted, {}, {.resamples = 0}).warnings.empty());
}

TEST_CASE("seed designs give shares, intervals and the rest") {
  const auto model = [](const std::vector<std::uint32_t>& s) { return 3 * z(1, s[0]) + z(2, s[1]); };
  const auto design = saltelli_design(200, 3);
  std::vector<double> scores;
  for (const auto& seeds : design) scores.push_back(model(seeds));
  const auto shares = saltelli_shares({"a", "b", "dead"}, scores, {}, {.resamples = 300, .key = 2});
  CHECK_THAT(shares.sources[0].share.point, WithinAbs(.9, .25));
  CHECK(covers(shares.sources[0].share, .9));
  CHECK(covers(shares.sources[2].share, 0.0));
  CHECK(shares.sources[2].raw_share == 0.0);  // exchanging a dead source changes no bit
  CHECK(shares.sources[2].total_share->point == 0.0);
  const auto matched = matched_design(400, 3, 4);
  std::vector<double> paired;
  for (const auto& seeds : matched) paired.push_back(model(seeds));
  const auto first = matched_shares({"a", "b", "dead"}, paired, matched, {}, {.resamples = 300, .key = 2});
  CHECK(covers(first.sources[0].share, .9));
  CHECK(covers(first.sources[1].share, .1));
  CHECK(covers(first.sources[2].share, 0.0));
  CHECK_THROWS_AS(matched_shares({"a"}, paired, matched, {}), retrial::InvalidInput);
}

TEST_CASE("the share that no source has alone has an interval in seed designs: a planted one, and none") {
  // f = 2 a + b + w a b with standard normal a, b: variance 5 + w^2, of which w^2 is interaction.
  const auto rest_of = [](double w, bool saltelli) {
    const auto model = [&](const std::vector<std::uint32_t>& s) {
      return 2 * z(11, s[0]) + z(12, s[1]) + w * z(11, s[0]) * z(12, s[1]);
    };
    const auto design = saltelli ? saltelli_design(300, 2) : matched_design(1'200, 2, 4);
    std::vector<double> scores;
    for (const auto& seeds : design) scores.push_back(model(seeds));
    const SharesOptions options{.resamples = 400, .key = 6};
    return saltelli ? *saltelli_shares({"a", "b"}, scores, {}, options).interaction
                    : *matched_shares({"a", "b"}, scores, design, {}, options).interaction;
  };
  for (const bool saltelli : {true, false}) {
    INFO((saltelli ? "saltelli" : "matched"));
    const auto planted = rest_of(2.0, saltelli), none = rest_of(0.0, saltelli);
    REQUIRE(planted.share.low);
    CHECK(covers(planted.share, 4.0 / 9));
    CHECK(*planted.share.low > 0.1);
    CHECK_THAT(*planted.variance.high / *planted.share.high, WithinRel(planted.raw / planted.raw_share, 1e-9));
    CHECK(*none.share.low == 0.0);
    CHECK(*none.share.high < 0.35);
  }
}

TEST_CASE("a crossed table with holes is solved by restricted maximum likelihood") {
  using Holed = std::vector<std::vector<std::optional<double>>>;
  const auto model = [](std::uint64_t i, std::uint64_t j) { return 2 * z(1, i) + z(2, j) + .5 * z(3, 1'000 * i + j); };
  // Without a hole it is the analysis of variance: balanced REML with positive components equals it.
  Holed whole(6);
  std::vector<std::vector<double>> cells(6);
  for (std::uint64_t i = 0; i < 6; ++i)
    for (std::uint64_t j = 0; j < 5; ++j) {
      cells[i].push_back(model(i, j));
      whole[i].emplace_back(model(i, j));
    }
  const auto noise = noise_of({1, 1.1, .9, 1, 1});
  const auto fit = incomplete_crossed_shares({"a", "b"}, whole, noise, {.resamples = 0});
  const auto table = crossed_shares({"a", "b"}, cells, noise, {.resamples = 0});
  for (std::size_t s = 0; s < 2; ++s) CHECK_THAT(fit.sources[s].raw, WithinRel(table.sources[s].raw, 1e-5));
  CHECK_THAT(fit.interaction->raw, WithinRel(table.interaction->raw, 1e-5));
  CHECK_THAT(fit.noise->raw, WithinAbs(table.noise->raw, 1e-15));
  // Every sixth run lost of 16 x 16: variances 4, 1, .25; a source's has a standard error of 37 %, the rest one of 11
  // %.
  Holed holed(16);
  for (std::uint64_t i = 0; i < 16; ++i)
    for (std::uint64_t j = 0; j < 16; ++j)
      holed[i].push_back((7 * i + j) % 6 == 0 ? std::nullopt : std::optional(model(i, j)));
  const auto large = incomplete_crossed_shares({"a", "b"}, holed, {}, {.resamples = 50});
  CHECK_THAT(large.sources[0].raw, WithinRel(4.0, .9));
  CHECK_THAT(large.sources[1].raw, WithinRel(1.0, .9));
  CHECK_THAT(large.interaction->raw, WithinRel(.25, .33));
  CHECK(covers(large.sources[0].share, 4 / 5.25));
  CHECK(covers(large.sources[1].share, 1 / 5.25));
  CHECK(covers(large.interaction->share, .25 / 5.25));
  CHECK(large.sources[0].variance.low);
  REQUIRE(large.warnings.size() == 2);
  CHECK(large.warnings[0].find("42 of 256 cells") == 0);
  CHECK_THROWS_AS(incomplete_crossed_shares({"a", "b"}, {{1.0, 2.0}, {3.0, std::nullopt}}, {}), retrial::InvalidInput);
}

TEST_CASE("pivotal intervals of a small variance cover as promised; the others do not, and say so") {
  // Five groups of five runs, sd between groups .2 or 1 times that within. Of 400 tables .95 has a standard error of
  // .011. Measured before with 1,000 tables: Satterthwaite .60 of those that have an interval, bootstrap .83.
  const auto covered = [](double between, ShareIntervals method) {
    int inside = 0, intervals = 0;
    for (std::uint64_t table = 0; table < 400; ++table) {
      Clusters groups(5);
      for (std::uint64_t g = 0; g < 5; ++g)
        for (std::uint64_t k = 0; k < 5; ++k)
          groups[g].push_back(between * z(10'000 + table, g) + z(20'000 + table, 10 * g + k));
      const auto shares = nested_shares("a", "b", groups, {}, {.intervals = method, .resamples = 200, .key = table});
      const auto& variance = shares.sources[0].variance;
      if (!variance.low) continue;
      ++intervals;
      const double truth = between * between;
      inside += *variance.low <= truth && (!variance.high || *variance.high >= truth) ? 1 : 0;
    }
    return static_cast<double>(inside) / intervals;
  };
  CHECK_THAT(covered(.2, ShareIntervals::pivotal), WithinAbs(.95, .035));
  CHECK_THAT(covered(1, ShareIntervals::pivotal), WithinAbs(.95, .035));
  CHECK(covered(.2, ShareIntervals::satterthwaite) < .75);
  CHECK(covered(1, ShareIntervals::bootstrap) < .9);
  const auto noted = [](double between, std::uint64_t groups, ShareIntervals method) {
    Clusters table(groups);
    for (std::uint64_t g = 0; g < groups; ++g)
      for (std::uint64_t k = 0; k < 5; ++k) table[g].push_back(between * z(1, g) + z(2, 10 * g + k));
    return nested_shares("a", "b", table, {}, {.intervals = method}).warnings;
  };
  REQUIRE(noted(.4, 5, ShareIntervals::satterthwaite).size() == 1);
  CHECK_THAT(noted(.4, 5, ShareIntervals::satterthwaite)[0], has_text("of a here"));
  REQUIRE(noted(2, 20, ShareIntervals::bootstrap).size() == 1);
  CHECK_THAT(noted(2, 20, ShareIntervals::bootstrap)[0], has_text("93 % with 20"));
  CHECK(noted(3, 20, ShareIntervals::satterthwaite).empty());
  CHECK(noted(2, 21, ShareIntervals::bootstrap).empty());
  CHECK(noted(.4, 5, ShareIntervals::pivotal).empty());
}

TEST_CASE("the source that gains most is re-drawn first") {
  SourceShares shares{.total = 4};
  shares.sources = {{.source = "small"}, {.source = "large"}};
  shares.sources[0].share.point = .25;
  shares.sources[1].share.point = .75;
  const auto steps = order_of_purchase(shares, 10);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].source == "large");
  CHECK_THAT(steps[0].worth, WithinAbs(1 / (.25 + .75 / 10), 1e-12));
  CHECK_THAT(steps[1].worth, WithinAbs(10.0, 1e-12));
}

TEST_CASE("intervals depend on the key and on nothing else") {
  const auto data = nested_data(3, 1, 1, 5, 4);
  const auto low = [&](std::uint64_t key, ShareIntervals kind) {
    return *nested_shares("a", "b", data, {}, {.intervals = kind, .resamples = 500, .key = key}).sources[0].share.low;
  };
  CHECK(low(1, ShareIntervals::satterthwaite) == low(1, ShareIntervals::satterthwaite));
  CHECK(low(1, ShareIntervals::satterthwaite) != low(2, ShareIntervals::satterthwaite));
  CHECK(low(1, ShareIntervals::satterthwaite) != low(1, ShareIntervals::bootstrap));
}

TEST_CASE("drawn mean squares follow chi-squared, few degrees of freedom or many") {
  // Percentiles of 20,000 draws against the quantiles of the law: standard errors below .4 %, and 3 % with one degree.
  for (const std::uint64_t runs : {8, 501, 1500}) {
    Clusters alone(1);
    for (std::uint64_t i = 0; i < runs; ++i) alone[0].push_back(z(2, i));
    const double df = static_cast<double>(runs) - 1.0, ms = *sample_variance(alone[0]);
    const auto shares = one_at_a_time_shares({"a"}, alone, alone[0], {},
                                             {.intervals = ShareIntervals::bootstrap, .resamples = 20'000, .key = 3});
    CHECK_THAT(*shares.sources[0].variance.low / ms, WithinRel(chi_squared_quantile(.025, df) / df, .03));
    CHECK_THAT(*shares.sources[0].variance.high / ms, WithinRel(chi_squared_quantile(.975, df) / df, .02));
  }
}

TEST_CASE("designs that cannot be analysed are refused by name") {
  CHECK_THROWS_AS(nested_shares("a", "b", {{1, 2}}, {}), retrial::InvalidInput);
  CHECK_THROWS_AS(nested_shares("a", "b", {{1}, {2}}, {}), retrial::InvalidInput);
  CHECK_THROWS_AS(one_at_a_time_shares({"a"}, {{1, 2}}, std::vector<double>{1}, {}), retrial::InvalidInput);
  CHECK_THROWS_AS(crossed_shares({"a"}, {{1, 2}, {3, 4}}, {}), retrial::InvalidInput);
}

}  // namespace retrial::tests::source_shares_tests
