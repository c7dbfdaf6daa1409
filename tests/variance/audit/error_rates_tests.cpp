#include "variance/audit/error_rates.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::error_rates_tests {

// Expected values: an independent quadrature over the constants of the published simulation code (the specification of
// the variance layer), in percent to .01.

using namespace retrial::variance;

namespace {
std::vector<ErrorRates> exact_at(double p) {
  std::vector<ErrorRates> rates;
  for (const auto& task : published_error_tasks()) rates.push_back(exact_error_rates(task, p));
  return rates;
}

double mean_of(const std::vector<ErrorRates>& rates, Criterion criterion, bool biased) {
  double sum = 0.0;
  for (const auto& r : rates) sum += (biased ? r.biased : r.ideal)[static_cast<std::size_t>(criterion)];
  return 100.0 * sum / static_cast<double>(rates.size());
}
}  // namespace

TEST_CASE("three conventions of an improvement that counts") {
  CHECK(delta_over_sigma(DeltaConvention::published_text) == 1.9952);
  CHECK_THAT(delta_over_sigma(DeltaConvention::published_code), WithinAbs(1.9031665165, 1e-10));
  CHECK_THAT(delta_over_sigma(DeltaConvention::consistent), WithinAbs(.9538725524, 1e-10));
}

TEST_CASE("the published rule accepts from 33 of 50 wins on") {
  CHECK(published_min_wins(50) == 33);
  CHECK(published_min_wins(1) == 1);  // one pair is enough: half of all equal variants are accepted
}

TEST_CASE("error rates of the published criteria, five tasks") {
  struct Row {
    double p, single, average, average_biased, pab, pab_biased, oracle;
  };
  for (const auto& row : {Row{.4, 5.49, 0, .34, .02, 7.53, .16}, Row{.5, 8.92, 0, .77, 1.64, 16.83, 4.33},
                          Row{.6, 13.73, 0, 1.71, 23.69, 36.34, 31.82}, Row{.75, 25.10, 0, 6.36, 94.49, 77.41, 94.41},
                          Row{.9, 47.44, 32.50, 42.55, 100, 96.66, 100}}) {
    CAPTURE(row.p);
    const auto rates = exact_at(row.p);
    CHECK_THAT(mean_of(rates, Criterion::single, false), WithinAbs(row.single, .01));
    CHECK_THAT(mean_of(rates, Criterion::average, false), WithinAbs(row.average, .01));
    CHECK_THAT(mean_of(rates, Criterion::average, true), WithinAbs(row.average_biased, .01));
    CHECK_THAT(mean_of(rates, Criterion::pab_published, false), WithinAbs(row.pab, .01));
    CHECK_THAT(mean_of(rates, Criterion::pab_published, true), WithinAbs(row.pab_biased, .01));
    CHECK_THAT(mean_of(rates, Criterion::oracle_t, false), WithinAbs(row.oracle, .01));
  }
}

TEST_CASE("one search for all runs: false acceptances by task") {
  const std::array expected{19.49, 20.33, 4.74, 8.92, 30.65};
  const std::array below{7.66, 8.40, .27, 1.26, 20.05};
  const auto half = exact_at(.5), less = exact_at(.4);
  for (std::size_t t = 0; t < 5; ++t) {
    CHECK_THAT(100 * half[t].biased[2], WithinAbs(expected[t], .01));
    CHECK_THAT(100 * less[t].biased[2], WithinAbs(below[t], .01));
  }
  CHECK_THAT(mean_of(half, Criterion::single, true), WithinAbs(10.78, .01));
  CHECK_THAT(mean_of(exact_at(.75), Criterion::single, true), WithinAbs(26.78, .01));
}

TEST_CASE("the simulation agrees with the closed forms at every point, for every criterion") {
  const std::vector<double> points{.4, .5, .6, .7, .75, .8, .9, 1.0};
  const auto tasks = published_error_tasks();
  constexpr std::int64_t simulations = 10'000;
  const auto rates = simulate_error_rates(tasks, points, {.simulations = simulations, .key = 42});
  REQUIRE(rates.size() == 5);
  for (std::size_t t = 0; t < tasks.size(); ++t)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto exact = exact_error_rates(tasks[t], points[i]);
      for (std::size_t c = 0; c < criterion_count; ++c) {
        const auto near = [&](double simulated, double truth) {
          // 4.5 standard errors: about one in 100,000, times 400 comparisons that share their draws
          return std::fabs(simulated - truth) <= 4.5 * std::sqrt(truth * (1 - truth) / simulations) + 1e-3;
        };
        CAPTURE(tasks[t].name, points[i], c, exact.ideal[c], exact.biased[c]);
        CHECK(near(rates[t][i].ideal[c], exact.ideal[c]));
        CHECK(near(rates[t][i].biased[c], exact.biased[c]));
      }
    }
}

TEST_CASE("rules that are valid hold their level on ideal runs, and the study can see that biased ones do not") {
  const auto half = exact_at(.5);
  for (const Criterion valid : {Criterion::pab_exact, Criterion::oracle_t}) CHECK(mean_of(half, valid, false) <= 5.0);
  CHECK(mean_of(half, Criterion::pab_published, true) > 10.0);
  CHECK(mean_of(half, Criterion::single, false) > 5.0);
}

TEST_CASE("a simulation does not depend on what else is simulated") {
  const auto tasks = published_error_tasks();
  const std::vector<double> one{.6}, two{.5, .6};
  const auto alone = simulate_error_rates(std::span(tasks).subspan(2, 1), one, {.simulations = 500, .key = 7});
  const auto together = simulate_error_rates(tasks, two, {.simulations = 500, .key = 7});
  CHECK(alone[0][0].biased == together[2][1].biased);
  CHECK(alone[0][0].ideal == together[2][1].ideal);
  CHECK(simulate_error_rates(tasks, one, {.simulations = 500, .key = 8})[2][0].biased != alone[0][0].biased);
  CHECK(mean_over_tasks(alone)[0].ideal == alone[0][0].ideal);
}

TEST_CASE("a study without tasks, or with impossible ones, is refused by name") {
  CHECK(refused_field([] { (void)mean_over_tasks({}); }) == "tasks");
  CHECK(refused_field([] { (void)exact_error_rates({.name = "x", .sigma = 0}, .5); }) == "sigma");
  CHECK(refused_field([] { (void)exact_error_rates({.name = "x", .sigma_eps = -1}, .5); }) == "sigma_eps");
  CHECK(refused_field([] { (void)exact_error_rates({.name = "x"}, 0); }) == "p");
  CHECK(refused_field([] { (void)exact_error_rates({.name = "x"}, .5, {.k = 1}); }) == "k");
}

}  // namespace retrial::tests::error_rates_tests
