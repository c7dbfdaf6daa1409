#include <algorithm>
#include <cmath>

#include "variance/effects/effect_parts.hpp"
#include "variance/effects/effect_sizes.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/sample.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/wins/effect.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline effects {
namespace {

/// Degrees of freedom of the mean of two variances of paired scores: var(s^2) is 2 s^4 / (n - 1), their covariance 2
/// cov^2 / (n - 1).
double df_of_mean_variance(std::span<const double> a, std::span<const double> b) {
  const double va = *sample_variance(a), vb = *sample_variance(b), ma = *mean(a), mb = *mean(b);
  std::vector<double> products(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) products[i] = (a[i] - ma) * (b[i] - mb);
  const double df = size_of(a) - 1.0, covariance = pairwise_sum(products) / df;
  return df * (va + vb) * (va + vb) / (va * va + vb * vb + 2.0 * covariance * covariance);
}

void add_standardized(std::vector<EffectSize>& out, std::span<const double> candidate, std::span<const double> baseline,
                      double alpha, double noise) {
  const auto differences = differences_of(candidate, baseline);
  if (differences.size() < 2) return;
  const double root_n = std::sqrt(size_of(differences)), df = size_of(differences) - 1.0,
               difference = *mean(differences);
  const bool differ = varies(differences, noise);
  const double of_differences = *sd(differences), t = differ ? difference * root_n / of_differences : 0.0;
  if (differences.size() > 2 && (varies(candidate, noise) || varies(baseline, noise))) {
    const double spread = std::sqrt((*sample_variance(candidate) + *sample_variance(baseline)) / 2.0);
    const double g = difference / spread * hedges_factor(df_of_mean_variance(candidate, baseline));
    out.push_back(standardized(
        "hedges_g_av", "difference / sd of a run",
        differ ? noncentral_interval(g, t, df, of_differences / spread / root_n, alpha, "noncentral t, approximate")
               : Estimate{.point = g, .level = 1.0 - alpha, .method = "none: identical in every pair"}));
    out.back().leads = true;
    out.back().label = cohen_label(g);
    out.back().convention = "Cohen 1988";
  }
  if (differ)
    out.push_back(
        standardized("cohen_dz", "difference / sd of the differences",
                     noncentral_interval(difference / of_differences, t, df, 1.0 / root_n, alpha, "noncentral t")));
}

/// For each difference the share of all differences, itself included, with which it adds up to more than 0, minus the
/// share with which it adds up to less.
std::vector<double> shares_of_sums(std::span<const double> differences, double tolerance) {
  std::vector<double> sorted(differences.begin(), differences.end());
  std::ranges::sort(sorted);
  std::vector<double> out;
  for (const double d : differences) {
    const auto above = sorted.end() - std::ranges::upper_bound(sorted, tolerance - d);
    const auto below = std::ranges::lower_bound(sorted, -tolerance - d) - sorted.begin();
    out.push_back(static_cast<double>(above - below) / size_of(differences));
  }
  return out;
}

/// All disjoint pairs add up to more than 0 with probability share^(n / 2).
void bound_one_sided(Estimate& estimate, std::size_t n, double alpha) {
  const double share = std::pow(alpha / 2.0, 1.0 / static_cast<double>(n / 2));
  const bool won = estimate.point > 0.0;
  estimate.low = won ? 2.0 * share - 1.0 : -1.0;
  estimate.high = won ? 1.0 : 1.0 - 2.0 * share;
  estimate.method = "disjoint pairs, all of one sign";
}

std::optional<Estimate> rank_biserial(std::span<const double> differences, double alpha, double tolerance) {
  std::vector<double> used;
  for (const double d : differences)
    if (std::fabs(d) > tolerance) used.push_back(d);
  if (used.empty()) return std::nullopt;
  const Wilcoxon ranks = wilcoxon(used, tolerance);
  const double r = (ranks.w_plus - ranks.w_minus) / (ranks.w_plus + ranks.w_minus);
  Estimate out{.point = r, .level = 1.0 - alpha, .method = "none: one pair that is not tied"};
  if (used.size() < 2) return out;
  if (std::fabs(r) == 1.0) {
    bound_one_sided(out, used.size(), alpha);
    return out;
  }
  const double se = 2.0 * *sd(shares_of_sums(used, tolerance)) / std::sqrt(size_of(used));
  const double half = student_quantile(1.0 - alpha / 2.0, size_of(used) - 1.0) * se / (1.0 - r * r);
  out.low = std::tanh(std::atanh(r) - half);
  out.high = std::tanh(std::atanh(r) + half);
  out.method = "Fisher's scale";
  return out;
}

}  // namespace

std::vector<EffectSize> paired_effects(std::span<const double> candidate, std::span<const double> baseline,
                                       const EffectOptions& options) {
  require_between("alpha", options.alpha, 0.0, 0.5);
  require_pairs(candidate, baseline);
  const auto a = higher_is_better(candidate, options.direction), b = higher_is_better(baseline, options.direction);
  std::vector<EffectSize> out;
  if (a.empty()) return out;
  add_standardized(out, candidate, baseline, options.alpha, tie_tolerance(std::nullopt, candidate, baseline));
  out.push_back(ordinal("win_share", "P(candidate beats baseline), same seeds",
                        win_interval(paired_win(a, b, options.resolution), options.alpha)));
  out.back().leads = true;
  if (auto ranks = rank_biserial(differences_of(a, b), options.alpha, tie_tolerance(options.resolution, a, b)))
    out.push_back(ordinal("rank_biserial", "signed ranks won - lost, share of all", *ranks));
  return out;
}

}  // namespace retrial::variance::inline effects
