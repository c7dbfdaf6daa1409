#include "variance/designs/planned_tests.hpp"

#include <algorithm>
#include <array>

#include "variance/designs/equivalence_power.hpp"
#include "variance/designs/power.hpp"
#include "variance/designs/rank_power.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/search.hpp"

namespace retrial::variance::inline designs {
namespace {

/// Above, a run more costs a rank test no power that three digits show; up to here every number is tried.
constexpr std::int64_t max_saw_toothed = max_integrated_pairs;
/// No test needs more: differences of as many standard deviations do not overlap.
constexpr double max_size = 1e6;

double level_of(const PowerSettings& s) {
  return s.sides == Sides::two ? s.alpha / 2.0 : s.alpha;
}

TDesign t_design(Pairing pairing, const PowerSettings& s) {
  return {.pairing = pairing, .alpha = s.alpha, .beta = s.beta, .sides = s.sides};
}

double paired_t_power(std::int64_t runs, double size, const PowerSettings& s) {
  return t_power(runs, size, t_design(Pairing::paired, s));
}

double corrected_t_power(std::int64_t runs, double size, const PowerSettings& s) {
  TDesign design = t_design(Pairing::paired, s);
  design.overlap = s.overlap;
  return t_power(runs, size, design);
}

double welch_power(std::int64_t runs, double size, const PowerSettings& s) {
  return t_power(runs, size, t_design(Pairing::unpaired, s));
}

double wilcoxon_power(std::int64_t runs, double size, const PowerSettings& s) {
  return signed_rank_power(runs, size, level_of(s));
}

double mann_whitney_power(std::int64_t runs, double size, const PowerSettings& s) {
  return rank_sum_power(runs, size, level_of(s));
}

double tost_power(std::int64_t runs, double size, const PowerSettings& s) {
  return equivalence_power(runs, size, {.pairing = Pairing::paired, .alpha = s.alpha, .difference = s.difference});
}

double welch_tost_power(std::int64_t runs, double size, const PowerSettings& s) {
  return equivalence_power(runs, size, {.pairing = Pairing::unpaired, .alpha = s.alpha, .difference = s.difference});
}

constexpr std::array planned_rows{
    PlannedTest{.name = "paired_t", .law = "noncentral t, exact for normal differences", .power = paired_t_power},
    PlannedTest{.name = "corrected_t",
                .overlap = true,
                .law = "noncentral t, exact for normal differences of equal correlation overlap / (1 + overlap)",
                .power = corrected_t_power},
    PlannedTest{.name = "wilcoxon",
                .min_runs = 1,
                .saw_toothed = true,
                .precision = 1e-5,
                .law = "law of the signed ranks of normal differences, integrated up to 60 pairs; above, normal",
                .power = wilcoxon_power},
    PlannedTest{.name = "tost",
                .equivalence = true,
                .law = "bivariate noncentral t, exact for normal differences",
                .power = tost_power},
    PlannedTest{.name = "welch",
                .pairing = Pairing::unpaired,
                .law = "noncentral t with 2 n - 2 degrees of freedom, for normal scores of equal spread",
                .power = welch_power},
    PlannedTest{.name = "mann_whitney",
                .pairing = Pairing::unpaired,
                .min_runs = 1,
                .saw_toothed = true,
                .precision = 1e-5,
                .law = "law of the rank sum of normal scores, integrated up to 20 runs of each; above, normal",
                .power = mann_whitney_power},
    PlannedTest{
        .name = "welch_tost",
        .pairing = Pairing::unpaired,
        .equivalence = true,
        .law = "bivariate noncentral t over Welch's degrees of freedom, exact for normal scores of equal spread",
        .power = welch_tost_power},
};

}  // namespace

std::span<const PlannedTest> all_planned_tests() {
  return planned_rows;
}

const PlannedTest* find_planned_test(std::string_view name) {
  const auto found = std::ranges::find(planned_rows, name, &PlannedTest::name);
  return found == planned_rows.end() ? nullptr : &*found;
}

std::optional<std::int64_t> runs_for(const PlannedTest& test, double size, const PowerSettings& settings) {
  require_positive("size", size);
  require_between("beta", settings.beta, 0.0, 1.0);
  const auto enough = [&](std::int64_t n) { return test.power(n, size, settings) >= 1.0 - settings.beta; };
  const auto found = least_enough(test.min_runs, max_planned_runs, enough);
  if (!found || !test.saw_toothed || *found > max_saw_toothed) return found;
  std::int64_t n = test.min_runs;
  while (!enough(n)) ++n;
  return n;
}

std::optional<double> detectable_size(const PlannedTest& test, std::int64_t runs, const PowerSettings& settings) {
  require_between("beta", settings.beta, 0.0, 1.0);
  double high = 1.0;
  while (test.power(runs, high, settings) < 1.0 - settings.beta) {
    if (high > max_size) return std::nullopt;
    high *= 2.0;
  }
  return least_argument([&](double size) { return test.power(runs, size, settings); }, 1.0 - settings.beta, high,
                        test.precision);
}

}  // namespace retrial::variance::inline designs
