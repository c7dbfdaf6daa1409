#include "variance/designs/published.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline designs {
namespace {

/// Interval of the difference between our mean and the published one.
struct StandardError {
  double se, df;
};

/// The published mean adds its own error where its spread is known (Welch 1947, Satterthwaite's df).
StandardError standard_error(double ours, double n, const Published& claim) {
  const double a = ours * ours / n;
  if (!claim.sd || !claim.runs || *claim.runs < 2) return {std::sqrt(a), n - 1.0};
  const double m = static_cast<double>(*claim.runs), b = *claim.sd * *claim.sd / m;
  return {std::sqrt(a + b), (a + b) * (a + b) / (a * a / (n - 1.0) + b * b / (m - 1.0))};
}

void decide_published(PublishedCheck& check, double margin, double alpha) {
  const bool inside = *check.difference.low >= -margin && *check.difference.high <= margin;
  if (*check.p_two < alpha)
    check.outcome = PublishedOutcome::refuted;
  else if (inside)
    check.outcome = PublishedOutcome::confirmed;
  else
    check.reason = "too few runs for the margin";
}

}  // namespace

PublishedCheck check_published(std::span<const double> runs, const Published& claim, double margin, double alpha) {
  require_at_least("runs", static_cast<std::int64_t>(runs.size()), 1);
  require_finite("runs", runs);
  require_positive("margin", margin);
  require_between("alpha", alpha, 0.0, 0.5);
  const double n = static_cast<double>(runs.size());
  PublishedCheck check{.n = static_cast<std::int64_t>(runs.size()), .mean = *mean(runs), .sd = sd(runs)};
  check.difference = {.point = check.mean - claim.value, .level = 1.0 - alpha, .method = "t"};
  if (runs.size() == 1) check.reason = "one run";
  if (runs.size() == 1) return check;
  if (std::ranges::max(runs) == std::ranges::min(runs)) check.reason = "no variation";
  if (!check.reason.empty()) return check;
  const auto [se, df] = standard_error(*check.sd, n, claim);
  check.statistic = check.difference.point / se;
  check.df = df;
  check.p_two = 2.0 * student_cdf(-std::fabs(*check.statistic), df);
  const double half = student_quantile(1.0 - alpha / 2.0, df) * se;
  check.difference.low = check.difference.point - half;
  check.difference.high = check.difference.point + half;
  decide_published(check, margin, alpha);
  return check;
}

}  // namespace retrial::variance::inline designs
