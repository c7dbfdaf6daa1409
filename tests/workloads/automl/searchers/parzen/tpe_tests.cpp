// Group J of the specification of automated search: densities of tree-structured Parzen estimators, from Optuna 4.8 and
// 5 and from a program that agrees with them.
#include <cmath>
#include <numeric>

#include "tests/catch.hpp"
#include "workloads/automl/searchers/parzen/parzen.hpp"
#include "workloads/automl/searchers/parzen/tpe.hpp"

namespace retrial::automl_tpe_tests {

using namespace retrial::automl;
using Kind = Hyperparameter::Kind;

struct Mixture {
  const char* id;
  Width width;
  double low, high;
  std::vector<double> seen, widths, at, log_densities;
};

TEST_CASE("widths of kernels and densities of mixtures on one range") {
  const std::vector<double> four{1, 2, 4, 7}, grid{0, 1, 2.5, 5, 9.5}, three{.05, .2, .9}, places{0, .2, .5, .99};
  const std::vector<Mixture> all{
      {"J1",
       Width::gaps,
       0,
       10,
       four,
       {5. / 3, 2, 3, 3, 10},
       grid,
       {-2.148238, -1.899921, -1.917148, -2.365097, -3.056218}},
      {"J2",
       Width::gaps_with_prior,
       0,
       10,
       four,
       {5. / 3, 2, 2, 2, 10},
       grid,
       {-2.226801, -1.960470, -1.935089, -2.283313, -3.234461}},
      {"J3",
       Width::scott,
       0,
       10,
       four,
       {5. / 3, 5. / 3, 5. / 3, 5. / 3, 10},
       grid,
       {-2.277545, -1.966005, -1.901088, -2.305184, -3.347775}},
      {"J4", Width::gaps, 0, 1, three, {.2, .7, .7, 1}, places, {.374947, .307360, -.152308, -.363899}},
      {"J5", Width::gaps_with_prior, 0, 1, three, {.2, .3, .4, 1}, places, {.356931, .348333, -.155801, -.416314}},
      {"J6", Width::scott, 0, 1, three, {.2, .2, .2, 1}, places, {.334109, .386648, -.483273, -.124431}},
  };
  for (const Mixture& one : all) {
    CAPTURE(one.id);
    Parzen mixture({KernelScale({.name = "x", .low = one.low, .high = one.high})}, one.width);
    for (std::size_t i = 0; i < one.seen.size(); ++i)
      mixture.insert(static_cast<std::int64_t>(i), std::span(&one.seen[i], 1));
    const auto widths = mixture.widths(0);
    REQUIRE(widths.size() == one.widths.size());
    for (std::size_t i = 0; i < widths.size(); ++i) CHECK_THAT(widths[i], WithinAbs(one.widths[i], 1e-6));
    const auto densities = mixture.log_density(one.at);
    for (std::size_t i = 0; i < one.at.size(); ++i) CHECK_THAT(densities[i], WithinAbs(one.log_densities[i], 1e-6));
  }
}

TEST_CASE("probabilities of choices") {
  Parzen mixture({KernelScale({.name = "c", .kind = Kind::choice, .choices = {"a", "b", "c"}})}, Width::gaps);
  std::int64_t age = 0;
  for (const double seen : {0., 0., 2.}) mixture.insert(age++, std::span(&seen, 1));
  const std::vector<double> at{0, 1, 2};
  const auto logs = mixture.log_density(at);
  CHECK_THAT(logs[0], WithinAbs(-.741937, 1e-6));
  CHECK_THAT(logs[1], WithinAbs(-1.658228, 1e-6));
  CHECK_THAT(logs[2], WithinAbs(-1.098612, 1e-6));
}

TEST_CASE("a logarithmic range has its kernels on the logarithm") {
  const KernelScale scale({.name = "x", .kind = Kind::log, .low = 1e-4, .high = 1e-1});
  CHECK_THAT((scale.low() + scale.high()) / 2, WithinAbs(-5.756463, 1e-6));
  Parzen mixture({scale}, Width::gaps);
  const double first = std::log(1e-3), second = std::log(1e-2);
  mixture.insert(0, std::span(&first, 1));
  mixture.insert(1, std::span(&second, 1));
  CHECK_THAT(mixture.widths(0)[0], WithinAbs(2.302585, 1e-6));
  CHECK_THAT(mixture.widths(0)[1], WithinAbs(2.302585, 1e-6));
  CHECK_THAT(mixture.widths(0)[2], WithinAbs(6.907755, 1e-6));
  const auto logs = mixture.log_density(std::vector{std::log(1e-3), std::log(3e-2)});
  CHECK_THAT(logs[0], WithinAbs(-1.814480, 1e-6));
  CHECK_THAT(logs[1], WithinAbs(-2.007416, 1e-6));
}

TEST_CASE("numbers of good configurations, and weights by age") {
  const std::vector<std::size_t> n{1, 10, 11, 50, 100, 250, 300}, good{1, 1, 2, 5, 10, 25, 25},
      m{1, 16, 17, 100, 400, 10000, 20000}, fewer{1, 1, 2, 3, 5, 25, 25};
  for (std::size_t i = 0; i < n.size(); ++i) CHECK(good_count(TpeMode::v5, n[i]) == good[i]);
  for (std::size_t i = 0; i < m.size(); ++i) CHECK(good_count(TpeMode::hyperopt, m[i]) == fewer[i]);
  const auto check = [](std::size_t count, const std::vector<double>& first) {
    const auto weights = age_weights(count);
    REQUIRE(weights.size() == count);
    for (std::size_t i = 0; i < first.size(); ++i) CHECK_THAT(weights[i], WithinAbs(first[i], 1e-6));
    return weights;
  };
  CHECK(check(30, {.033333, .275, .516667, .758333, 1})[29] == 1);
  CHECK(check(40, {.025, .094643, .164286, .233929, .303571})[14] == 1);
  CHECK(check(26, {.038462, 1})[25] == 1);
  CHECK(check(27, {.037037, 1, 1})[26] == 1);
  CHECK(age_weights(24) == std::vector<double>(24, 1.0));
}

/// What a mixture integrates to, by small steps.
double integral(const Parzen& mixture, const KernelScale& scale) {
  std::vector<double> at;
  const int steps = scale.is_whole() ? 0 : 20000;
  for (int i = 0; i < steps; ++i) at.push_back(scale.low() + scale.range() * (i + .5) / steps);
  for (int v = 4; scale.is_whole() && v < 40; ++v) at.push_back(std::log(v));
  double sum = 0;
  for (const double log : mixture.log_density(at)) sum += std::exp(log);
  return scale.is_whole() ? sum : sum * scale.range() / steps;
}

TEST_CASE("mixtures that lose and gain observations are those that never had the lost ones") {
  for (const Width width : {Width::gaps, Width::gaps_with_prior, Width::scott}) {
    const std::vector<KernelScale> scales{KernelScale({.name = "a", .low = 0, .high = 1}),
                                          KernelScale({.name = "b", .kind = Kind::log_integer, .low = 4, .high = 40}),
                                          KernelScale({.name = "c", .kind = Kind::choice, .choices = {"x", "y"}})};
    const auto point = [&](int i) {
      return std::vector<double>{std::fmod(i * .618034, 1), std::log(4 + i * 7 % 36), static_cast<double>(i % 2)};
    };
    Parzen changed(scales, width), fresh(scales, width);
    for (int i = 0; i < 150; ++i) changed.insert(i, point(i));
    for (int i = 0; i < 150; i += 3) changed.remove(i);
    changed.insert(300, point(300));
    for (int i = 0; i < 150; ++i)
      if (i % 3 != 0) fresh.insert(i, point(i));
    fresh.insert(300, point(300));
    const std::vector<double> at{.3, std::log(5), 0, .9, std::log(30), 1};
    const auto a = changed.log_density(at), b = fresh.log_density(at);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK_THAT(a[i], WithinAbs(b[i], 1e-12));
    CHECK(changed.widths(0) == fresh.widths(0));
  }
}

TEST_CASE("densities integrate to one, whole numbers too") {
  for (const Width width : {Width::gaps, Width::gaps_with_prior, Width::scott}) {
    const KernelScale real({.name = "a", .low = 0, .high = 1}),
        whole({.name = "b", .kind = Kind::log_integer, .low = 4, .high = 40});
    Parzen reals({real}, width), wholes({whole}, width);
    for (int i = 0; i < 40; ++i) {
      const double a = std::fmod(i * .618034, 1), b = std::log(4 + i * 5 % 36);
      reals.insert(i, std::span(&a, 1));
      wholes.insert(i, std::span(&b, 1));
    }
    CHECK_THAT(integral(reals, real), WithinAbs(1, 1e-6));
    CHECK_THAT(integral(wholes, whole), WithinAbs(1, 1e-9));
  }
}

Space mixed() {
  return Space({{.name = "a", .low = 0, .high = 1, .init = .5},
                {.name = "b", .kind = Kind::log_integer, .low = 4, .high = 40, .init = 4},
                {.name = "c", .kind = Kind::choice, .init = 0, .choices = {"x", "y", "z"}},
                {.name = "d", .kind = Kind::log, .low = 1e-3, .high = 1, .init = .1}});
}

double loss_of(const Chosen& at) {
  const double a = number(at, "a", 0) - .7, b = std::log(static_cast<double>(whole(at, "b", 0)) / 20),
               d = std::log10(number(at, "d", 0)) + 2;
  return a * a + b * b + d * d + (whole(at, "c", 0) == 1 ? 0 : 1);
}

TEST_CASE("each mode finds what random points do not, and repeats itself", "[slow]") {
  for (const TpeMode mode : {TpeMode::v5, TpeMode::v4u, TpeMode::v4m, TpeMode::hyperopt}) {
    const auto best_of = [&](bool random, std::uint64_t seed) {
      const Space space = mixed();
      const auto sampler =
          random ? random_sampler(space, {.seed = seed}) : tpe_sampler(space, {.seed = seed}, {.mode = mode});
      double best = 1e300;
      for (std::int64_t id = 0; id < 150; ++id) {
        const auto next = sampler->propose(id);
        REQUIRE(next);
        const double loss = loss_of(next->configuration);
        best = std::min(best, loss);
        // Failures stand among the worst.
        sampler->observe(id, id % 7 == 3 ? std::numeric_limits<double>::infinity() : loss);
      }
      return best;
    };
    int better = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) better += best_of(false, seed) < best_of(true, seed) ? 1 : 0;
    CAPTURE(static_cast<int>(mode));
    CHECK(better >= 8);
    CHECK(best_of(false, 3) == best_of(false, 3));
  }
}

TEST_CASE("several under way repel each other") {
  const Space space = mixed();
  const auto sampler = tpe_sampler(space, {.seed = 1}, {});
  for (std::int64_t id = 0; id < 40; ++id) sampler->observe(id, loss_of(sampler->propose(id)->configuration));
  std::vector<Chosen> together;
  for (std::int64_t id = 40; id < 48; ++id) together.push_back(sampler->propose(id)->configuration);
  for (std::size_t i = 0; i < together.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(together[i] != together[j]);
  for (std::int64_t id = 47; id >= 40; --id) sampler->observe(id, loss_of(together[static_cast<std::size_t>(id - 40)]));
  CHECK(sampler->propose(48));
}

}  // namespace retrial::automl_tpe_tests
