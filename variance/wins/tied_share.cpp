#include "variance/wins/tied_share.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/unit_root.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline wins {
namespace {

/// Sum of Bin(m; n, p) f[m] over all m, from the most likely m outwards.
double binomial_mean(const std::vector<double>& f, double p) {
  constexpr double negligible = 1e-40;
  const auto n = static_cast<std::int64_t>(f.size()) - 1;
  const std::int64_t mode = std::min(n, static_cast<std::int64_t>((static_cast<double>(n) + 1.0) * p));
  const double top = binomial_exactly(mode, n, p), odds = p / (1.0 - p);
  const auto at = [&](std::int64_t m) { return f[static_cast<std::size_t>(m)]; };
  double sum = top * at(mode), weight = top;
  for (std::int64_t m = mode; m < n && weight > negligible; ++m) {
    weight *= odds * static_cast<double>(n - m) / static_cast<double>(m + 1);
    sum += weight * at(m + 1);
  }
  weight = top;
  for (std::int64_t m = mode; m > 0 && weight > negligible; --m) {
    weight *= static_cast<double>(m) / (odds * static_cast<double>(n - m + 1));
    sum += weight * at(m - 1);
  }
  return sum;
}

/// The law of P_win + P_tie / 2 under Dirichlet(wins, ties, losses). With n + 1 = wins + ties + losses it is that of
/// (V_i + V_j) / 2 for the order statistics i = wins and j = wins + ties of n uniform numbers. Let x <= 1/2, and fold
/// the unit interval at x. Then V_i + V_j <= 2x says that V_i is at least as far below x as V_j is above it. Of the m
/// numbers below 2x each lies on either side of x with probability 1/2 whatever its distance, so that, counted from the
/// farthest, the i-th below comes before the (m - j + 1)-th above: at least i of the first m - ties are below. For x >
/// 1/2 the same is true of the mirror image.
class TiedShareLaw {
 public:
  TiedShareLaw(std::int64_t wins, std::int64_t ties, std::int64_t losses)
      : low_(half_tails(wins, ties, wins + ties + losses - 1)),
        high_(half_tails(losses, ties, wins + ties + losses - 1)) {}

  [[nodiscard]] double at_most(double x) const {
    return x <= 0.5 ? binomial_mean(low_, 2.0 * x) : 1.0 - binomial_mean(high_, 2.0 * (1.0 - x));
  }

 private:
  /// [m]: P(Bin(m - ties, 1/2) >= count); 0 if m is too small.
  static std::vector<double> half_tails(std::int64_t count, std::int64_t ties, std::int64_t n) {
    std::vector<double> tails(static_cast<std::size_t>(n) + 1, 0.0);
    for (std::int64_t m = count + ties; m <= n; ++m)
      tails[static_cast<std::size_t>(m)] = binomial_at_least(count, m - ties, 0.5);
    return tails;
  }

  std::vector<double> low_, high_;  ///< for x <= 1/2, and for its mirror image
};

struct Bounds {
  double low, high;
};

Bounds exact_bounds(const PairedWin& c, double alpha) {
  const TiedShareLaw below(c.wins, c.ties, c.losses + 1), above(c.losses, c.ties, c.wins + 1);
  return {unit_root(alpha / 2.0, [&](double x) { return below.at_most(x); }),
          1.0 - unit_root(alpha / 2.0, [&](double x) { return above.at_most(x); })};
}

Bounds mid_p_bounds(const PairedWin& c, double alpha) {
  const TiedShareLaw fewer(c.wins, c.ties, c.losses + 1), more(c.wins + 1, c.ties, c.losses);
  const auto mean = [&](double x) { return (fewer.at_most(x) + more.at_most(x)) / 2.0; };
  return {unit_root(alpha / 2.0, mean), unit_root(1.0 - alpha / 2.0, mean)};
}

/// The roots of (share - p)^2 = z^2 (p (1 - p) - s / 4) / n.
Bounds score_bounds(const PairedWin& c, double alpha) {
  const double z = quantile(1.0 - alpha / 2.0), spread = z * z / static_cast<double>(c.pairs());
  const double centre = (c.share() + spread / 2.0) / (1.0 + spread);
  const double product = (c.share() * c.share() + spread * c.tie_share() / 4.0) / (1.0 + spread);
  const double half = std::sqrt(std::max(0.0, centre * centre - product));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace

Estimate tied_share_interval(const PairedWin& counts, double alpha, WinMethod method) {
  require_at_least("ties", counts.ties, 1);
  require_at_least("untied pairs", counts.untied(), 1);
  require_between("alpha", alpha, 0.0, 0.5);
  const auto named = [&](const Bounds& bounds, const char* name) {
    return Estimate{.point = counts.share(),
                    .low = bounds.low,
                    .high = bounds.high,
                    .level = 1.0 - alpha,
                    .method = std::string(name) + ", trinomial"};
  };
  switch (method) {
    case WinMethod::clopper_pearson:
      return named(exact_bounds(counts, alpha), "clopper_pearson");
    case WinMethod::mid_p:
      return named(mid_p_bounds(counts, alpha), "mid_p");
    case WinMethod::wilson:
      return named(score_bounds(counts, alpha), "wilson");
    case WinMethod::percentile:
    case WinMethod::bootstrap_exact:
      break;
  }
  throw InvalidInput("method", "a law of the bootstrap", "clopper_pearson, mid_p, wilson");
}

}  // namespace retrial::variance::inline wins
