#include <algorithm>
#include <cmath>

#include "variance/comparison_parts.hpp"
#include "variance/distributions.hpp"
#include "variance/theta.hpp"

namespace retrial::variance {

TestOutcome run_unpaired_win(const TwoSamples& scores, const TestSettings& settings) {
  const auto theta = unpaired_theta(scores.candidate, scores.baseline, settings.alpha, settings.resolution);
  TestResult result{.method = "logit interval of P(A > B)"};
  if (theta.theta == 0.0 || theta.theta == 1.0) {
    // All min(n, m) disjoint pairs are won with probability at most 2^-min when neither is better.
    const double p = std::pow(0.5, static_cast<double>(std::min(scores.candidate.size(), scores.baseline.size())));
    (theta.theta == 1.0 ? result.p_greater : result.p_less) = p;
    result.p_two = std::min(1.0, 2.0 * p);
    result.note = "complete separation";
  } else if (!theta.se || *theta.se == 0.0) {
    return all_tied(result.method, theta.interval, beating);
  } else {
    const double z = std::log(theta.theta / (1.0 - theta.theta)) * theta.theta * (1.0 - theta.theta) / *theta.se;
    result.statistic = z;
    result.p_less = normal_cdf(z);
    result.p_greater = normal_cdf(-z);
    result.p_two = 2.0 * normal_cdf(-std::fabs(z));
  }
  return judged(result, settings, theta.interval, beating);
}

}  // namespace retrial::variance
