#include <algorithm>
#include <array>
#include <cmath>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/rational.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {
namespace {

__extension__ typedef __int128 Wide;

data::Rational exact_delta(double delta_pp) {
  const auto size = data::parse_rational(results::text_of(std::fabs(delta_pp)));
  if (!(std::fabs(delta_pp) <= 100) || !size)
    throw InvalidInput("delta", results::text_of(delta_pp), "-100 to 100 percentage points, at most 18 decimals");
  return {delta_pp < 0 ? -size->numerator : size->numerator, size->denominator};
}

void require_errors(const char* field, std::int64_t errors, std::int64_t n) {
  if (n < 1) throw InvalidInput("n", std::to_string(n), "1 or more");
  if (errors < 0 || errors > n) throw InvalidInput(field, std::to_string(errors), "0 to " + std::to_string(n));
}

/// Ascending in PR, with the better of equal ones.
std::vector<Step> ordered(std::span<const Step> steps, std::int64_t n) {
  for (const Step& step : steps) {
    require_errors("errors", step.errors, n);
    if (!(step.pr >= 0) || std::isinf(step.pr))
      throw InvalidInput("pr", results::text_of(step.pr), "finite, 0 or more");
  }
  std::vector<Step> sorted(steps.begin(), steps.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Step& a, const Step& b) { return a.pr < b.pr || (a.pr == b.pr && a.errors < b.errors); });
  const auto equal = [](const Step& a, const Step& b) { return a.pr == b.pr; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), equal), sorted.end());
  return sorted;
}

}  // namespace

GridStep grid_step(double value, std::span<const Step> steps) {
  GridStep found;
  for (const Step& step : steps)
    if (step.pr <= value)
      found.below = std::max(found.below, step.pr);
    else
      found.above = found.above ? std::min(*found.above, step.pr) : step.pr;
  return found;
}

Potential potential(std::int64_t ref_errors, std::span<const Step> steps, std::int64_t n, double delta_pp) {
  require_errors("ref_errors", ref_errors, n);
  const data::Rational delta = exact_delta(delta_pp);
  const Wide slack = static_cast<Wide>(delta.numerator) * n;
  Potential found;
  bool failed = false;
  for (const Step& step : ordered(steps, n)) {
    const bool qualifies = static_cast<Wide>(step.errors - ref_errors) * 100 * delta.denominator <= slack;
    failed = failed || !qualifies;
    if (qualifies) found.max = step.pr;
    if (!failed) found.first_failure = step.pr;
    found.max_at_end = qualifies;
  }
  found.first_at_end = found.max_at_end && !failed;
  found.grid = grid_step(found.max, steps);
  return found;
}

std::span<const double> potential_deltas() {
  static constexpr std::array<double, 13> deltas{-10, -5, -2, -1, -.5, -.25, 0, .25, .5, 1, 2, 5, 10};
  return deltas;
}

bool at_chance(std::int64_t errors, std::int64_t n, int classes) {
  require_errors("errors", errors, n);
  if (classes < 2) throw InvalidInput("classes", std::to_string(classes), "2 or more");
  const double images = static_cast<double>(n), chance = 1.0 / classes;
  return static_cast<double>(n - errors) / images <= chance + 3 * std::sqrt(chance * (1 - chance) / images);
}

}  // namespace retrial::pruning::inline measures
