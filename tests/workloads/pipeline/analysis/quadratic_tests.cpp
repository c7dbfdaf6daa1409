// The quadratic problem against closed forms; reference values are in reference_tests.cpp.
#include "workloads/pipeline/analysis/quadratic.hpp"

#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::quadratic_tests {

using namespace retrial;
using namespace retrial::pipeline;

namespace {

QuadraticMethod method(const std::string& name) {
  return quadratic_method_named(name);
}

}  // namespace

TEST_CASE("the largest stable step is where the spectral radius reaches 1, and no earlier step is unstable",
          "[pipeline]") {
  for (const char* name : {"SGDM", "SC", "LWP", "LWPv+SC", "LWPw+SC", "SC_2D", "LWP_2D", "GSC(0.4,2)", "GSC(1,-0.5)"})
    for (const double m : {0.0, 0.5, 0.9, 0.99, 0.999})
      for (const std::int64_t D : {0, 1, 3, 12, 40}) {
        CAPTURE(name, m, D);
        const double limit = stability_limit(method(name), m, D).value_or(4);
        for (double x = 1e-6; x < limit * (1 - 1e-6); x *= 1.5) CHECK(spectral_radius(method(name), m, x, D) < 1);
        CHECK(spectral_radius(method(name), m, limit * (1 - 1e-6), D) < 1);
        if (limit < 4) CHECK(spectral_radius(method(name), m, limit * (1 + 1e-6), D) > 1);
      }
  CHECK(stability_limit(method("SGDM"), 1, 3) == 1e-6);  // without friction no step is stable
  // Without momentum, at the longest delay: the closed form.
  CHECK_THAT(stability_limit(method("SGDM"), 0, 256).value(), WithinRel(2 * std::sin(std::numbers::pi / 1026), 1e-12));
}

TEST_CASE("without momentum a delay is stable up to 2 sin(pi / (4 D + 2))", "[pipeline]") {
  for (std::int64_t D = 1; D <= 32; ++D) {
    CAPTURE(D);
    const double limit = 2 * std::sin(std::numbers::pi / (4 * static_cast<double>(D) + 2));
    CHECK(spectral_radius(method("SGDM"), 0, limit * (1 - 1e-6), D) < 1);
    CHECK(spectral_radius(method("SGDM"), 0, limit * (1 + 1e-6), D) > 1);
  }
}

TEST_CASE("closed forms: complex roots, the heavy ball, and the double root of the fastest monotone step",
          "[pipeline]") {
  for (const double m : {0.5, 0.9, 0.99}) {
    CHECK_THAT(spectral_radius(method("LWPv+SC"), m, 0.2, 0), WithinAbs(std::sqrt(m), 1e-9));
    CHECK_THAT(spectral_radius(method("SGDM"), m, 0.08, 1), WithinAbs(std::sqrt(m + 0.08), 1e-9));
  }
  for (const auto& [kappa, half] : {std::pair(10.0, 1.0584), std::pair(100.0, 3.4542), std::pair(1000.0, 10.9560)}) {
    const double root = std::sqrt(kappa), r = (root - 1) / (root + 1), x = std::pow(2 / (1 + 1 / root), 2);
    // Both ends of the spectrum have a double root.
    CHECK_THAT(spectral_radius(method("SGDM"), r * r, x, 0), WithinAbs(r, 1e-6));
    CHECK_THAT(spectral_radius(method("SGDM"), r * r, x / kappa, 0), WithinAbs(r, 1e-6));
    CHECK_THAT(half_life(r).value(), WithinAbs(half, 1e-4));
  }
  for (const double D : {1.0, 2.0, 5.0}) {
    const double x = std::pow(D, D) / std::pow(D + 1, D + 1);
    CHECK_THAT(spectral_radius(method("SGDM"), 0, x, static_cast<std::int64_t>(D)), WithinAbs(D / (D + 1), 1e-6));
  }
  CHECK_FALSE(half_life(1));
  CHECK(largest_root({1, 0, 0}) == 0);
  CHECK_THAT(largest_root({2, -6, 4, 0}), WithinAbs(2, 1e-12));
}

TEST_CASE("roots are the simulated decay", "[pipeline]") {
  for (const char* name : {"SGDM", "SC", "LWP", "LWPv+SC", "LWPw+SC", "SC_2D", "LWP_2D", "GSC(0.4,2)"})
    for (const std::int64_t D : {0, 1, 3}) {
      CAPTURE(name, D);
      const auto w = quadratic_trajectory(method(name), 0.9, 0.01, 1, D, 3000);
      // The envelope of a complex pair: the largest of 500 weights.
      const auto log_size = [&](std::size_t from) {
        double largest = 0;
        for (std::size_t t = from; t < from + 500; ++t) largest = std::max(largest, std::fabs(w[t]));
        return std::log(largest);
      };
      CHECK_THAT((log_size(2400) - log_size(400)) / 2000,
                 WithinAbs(std::log(spectral_radius(method(name), 0.9, 0.01, D)), 1e-3));
    }
}

TEST_CASE("on a quadratic, prediction is spike compensation with other coefficients and the stated start",
          "[pipeline]") {
  struct Case {
    double horizon;
    std::int64_t D;
    double m;
  };
  for (const auto& [H, D, m] : {Case{1, 1, 0.9}, Case{2, 2, 0.9}, Case{4, 4, 0.9}, Case{4, 4, 0.95}, Case{1, 3, 0.9}}) {
    CAPTURE(H, D, m);
    const double b = H / m, a = 1 - H * (1 - m) / m;
    auto predicted = method("LWP");
    predicted.horizon = H / static_cast<double>(D);
    const QuadraticMethod general{.name = "GSC", .a = a, .b = b};
    const auto left = quadratic_trajectory(predicted, m, 0.02, 1, D, 200);
    const auto right = quadratic_trajectory(general, m, 0.02, 1, D, 200, 1, -b / a);
    for (std::size_t t = 0; t < left.size(); ++t) CHECK_THAT(left[t], WithinAbs(right[t], 1e-12));
  }
}

TEST_CASE("the best half-life of the grid is at the listed points, and no neighbor is better", "[pipeline]") {
  // Method, D, kappa, m, x_max of a few rows of reference.json, which has the half-lives of all.
  struct Row {
    const char* method;
    std::int64_t D;
    double kappa, m, x_max;
  };
  for (const Row& row : std::initializer_list<Row>{{"SGDM", 0, 100, .68377, 3.02},
                                                   {"SGDM", 1, 1000, .91290, .085114},
                                                   {"SC", 1, 10, .71160, .21878},
                                                   {"LWPw+SC", 2, 1000, .97911, .12303},
                                                   {"LWP", 2, 1000, .99045, .021878},
                                                   {"SGDM", 4, 10, 0, .28184},
                                                   {"LWPv+SC", 4, 100, .96838, .027542},
                                                   {"SC_2D", 4, 1000, .99000, .026915},
                                                   {"LWP_2D", 4, 10, .91682, .025119}}) {
    CAPTURE(row.method, row.D, row.kappa);
    const auto at = [&](std::int64_t k, std::int64_t j) {
      return half_life_at(method(row.method), row.D, row.kappa, grid_momentum(k), grid_step(j));
    };
    const auto best = half_life_at(method(row.method), row.D, row.kappa, row.m, row.x_max);
    CHECK_THAT(best.m, WithinAbs(row.m, 1e-5));
    CHECK_THAT(best.x_max, WithinRel(row.x_max, 1e-4));
    CHECK(at(best.k, best.j).updates == best.updates);
    for (const auto& [dk, dj] : {std::pair(-1, 0), std::pair(1, 0), std::pair(0, -1), std::pair(0, 1)})
      if (best.k + dk >= 0)
        CHECK(at(best.k + dk, best.j + dj).updates.value_or(1e9) >= best.updates.value() * (1 - 1e-9));
  }
  CHECK_THROWS_WITH(half_life_at(method("SC"), 1, 1000, .9, 1e-5), has_text("x_max = 1e-05"));
}

TEST_CASE("the search of the grid finds that point", "[pipeline]") {
  const auto found = best_half_life(method("SGDM"), 1, 10);
  CHECK_THAT(found.updates.value(), WithinRel(7.37451, 1e-5));
  CHECK_THAT(found.m, WithinAbs(0.04501, 1e-5));
  CHECK_THAT(found.x_max, WithinRel(0.77625, 1e-5));
}

TEST_CASE("unknown methods and ratios of curvatures are refused", "[pipeline]") {
  CHECK(method("GSC(0.5,-1.5)").b == -1.5);
  for (const char* name : {"", "sgdm", "GSC", "GSC()", "GSC(1)", "GSC(1,x)", "GSC(1,2"})
    CHECK_THROWS_AS(method(name), InvalidInput);
  CHECK_THROWS_AS(best_half_life(method("SGDM"), 1, 20), InvalidInput);
}

}  // namespace retrial::tests::quadratic_tests
