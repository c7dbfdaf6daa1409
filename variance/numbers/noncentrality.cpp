#include "variance/numbers/noncentrality.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline numbers {
namespace {

constexpr double reach = 9.0;  ///< a normal variable is further out with probability 2e-19
constexpr int panels = 6;

/// P(t S + Z <= y), t >= 0. The integral runs over the variable that leaves the smoother function: S has the spread
/// 1 / sqrt(2 df), so t S is narrower than Z where t is below about sqrt(df).
class SpreadAndNoise {
 public:
  SpreadAndNoise(double t, double df) : t_(t), df_(df), low_(std::max(0.0, 1.0 - width())), high_(1.0 + width()) {}

  [[nodiscard]] double below(double y) const {
    if (t_ <= 1.5 * std::sqrt(df_))
      return integrate([&](double s) { return density(s) * normal_cdf(y - t_ * s); }, low_, high_, panels);
    const double top = std::min(reach, y);  // S is positive, and its law has a kink at 0
    if (top <= -reach) return 0.0;
    return integrate([&](double z) { return normal_density(z) * cdf((y - z) / t_); }, -reach, top, panels);
  }
  /// Between them is everything but 1e-17 of the law.
  [[nodiscard]] double least() const { return t_ * low_ - reach; }
  [[nodiscard]] double most() const { return t_ * high_ + reach; }

 private:
  [[nodiscard]] double width() const { return reach / std::sqrt(df_); }
  [[nodiscard]] double density(double s) const { return gamma_density(df_ * s * s / 2.0, df_ / 2.0) * df_ * s; }
  [[nodiscard]] double cdf(double s) const { return gamma_cdf(df_ * s * s / 2.0, df_ / 2.0); }

  double t_, df_, low_, high_;
};

/// Regula falsi with Illinois' halving, which keeps both ends moving.
double where_it_reaches(double q, const SpreadAndNoise& law) {
  double low = law.least(), high = law.most(), below = -q, above = 1.0 - q;
  int kept = 0;  // the end that the last step left in place: -1 low, 1 high
  for (int step = 0; step < 200; ++step) {
    const double x = (low * above - high * below) / (above - below);
    const double value = law.below(x) - q;
    if (std::fabs(value) < 1e-14 || high - low < 1e-13 * (1.0 + std::fabs(x))) return x;
    if (value < 0.0) {
      low = x, below = value;
      if (kept == 1) above /= 2.0;
      kept = 1;
    } else {
      high = x, above = value;
      if (kept == -1) below /= 2.0;
      kept = -1;
    }
  }
  throw NumericalFailure("noncentrality_quantile", 200);
}

}  // namespace

double noncentrality_quantile(double q, double t, double df) {
  require_between("q", q, 0.0, 1.0);
  if (!(df >= 1.0)) throw InvalidInput("df", shortest(df), "1 or more");
  require_finite("t", {&t, 1});
  return t < 0.0 ? -where_it_reaches(1.0 - q, SpreadAndNoise(-t, df)) : where_it_reaches(q, SpreadAndNoise(t, df));
}

}  // namespace retrial::variance::inline numbers
