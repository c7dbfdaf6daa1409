#include "variance/designs/spread_average.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline designs {

// u = s / sigma has the density df u g(df u^2 / 2) of a Gamma variable with shape df / 2, and is within 9 / sqrt(2 df)
// of 1 but for 1e-15 of its mass at every df.
double spread_average(double df, double slope, double high, const std::function<double(double)>& f) {
  require_positive("df", df);
  const double reach = 9.0 / std::sqrt(2.0 * df), from = std::max(0.0, 1.0 - reach), to = std::min(high, 1.0 + reach);
  if (!(to > from)) return 0.0;
  // A panel is narrower than the step of f, which is steep where the degrees of freedom are few.
  const int panels = 8 + static_cast<int>(std::fabs(slope) * (to - from) / 4.0);
  return integrate([&](double u) { return f(u) * df * u * gamma_density(df * u * u / 2.0, df / 2.0); }, from, to,
                   panels);
}

}  // namespace retrial::variance::inline designs
