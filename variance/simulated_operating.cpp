#include "variance/simulated_operating.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "variance/anytime.hpp"
#include "variance/check.hpp"
#include "variance/design_family.hpp"
#include "variance/distributions.hpp"
#include "variance/group_sequential.hpp"
#include "variance/rng.hpp"

namespace retrial::variance {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// |t| at which the design stops after n pairs, by n from 0. The rule asks for evidence; that is a bound on t.
std::vector<double> anytime_bounds(const Design& design) {
  const SequentialSettings settings = settings_of(design);
  std::vector<double> bounds(static_cast<std::size_t>(design.pairs) + 1, never);
  for (std::int64_t n = 2; n <= design.pairs; ++n)
    bounds[static_cast<std::size_t>(n)] = t_boundary(n, settings.alpha, settings.g).value_or(never);
  return bounds;
}

std::vector<double> group_bounds(const Design& design) {
  std::vector<double> shares;
  for (const auto look : design.looks) shares.push_back(static_cast<double>(look) / static_cast<double>(design.pairs));
  const auto spending = design.spending == "pocock" ? Spending::pocock : Spending::obrien_fleming;
  const auto z = spending_boundaries(spending, shares, design.alpha);
  std::vector<double> bounds(static_cast<std::size_t>(design.pairs) + 1, never);
  for (std::size_t k = 0; k < z.size(); ++k)
    if (std::isfinite(z[k]))
      bounds[static_cast<std::size_t>(design.looks[k])] =
          -student_quantile(normal_cdf(-z[k]), static_cast<double>(design.looks[k] - 1));
  return bounds;
}

struct Path {
  std::int64_t pairs = 0;
  int sign = 0;  ///< 0: undecided
};

/// Running mean and sum of squares (Welford 1962).
Path walk(const std::vector<double>& bounds, double effect, Stream draws) {
  double mean = 0.0, squares = 0.0;
  const auto horizon = static_cast<std::int64_t>(bounds.size()) - 1;
  for (std::int64_t n = 1; n <= horizon; ++n) {
    const double x = normal(draws.next()) + effect, count = static_cast<double>(n), before = x - mean;
    mean += before / count;
    squares += before * (x - mean);
    const double bound = bounds[static_cast<std::size_t>(n)];
    if (bound == never) continue;
    const double t = mean * std::sqrt(count * (count - 1.0) / squares);
    if (std::fabs(t) >= bound) return {n, t > 0.0 ? 1 : -1};
  }
  return {horizon, 0};
}

}  // namespace

std::optional<SimulatedOperating> simulated_operating(const Design& design, double p, std::uint64_t key,
                                                      std::int64_t runs) {
  require_between("p", p, 0.0, 1.0);
  require_at_least("runs", runs, 1);
  const bool groups = design.family == "group_sequential";
  if (!groups && design.family != "t_anytime") return std::nullopt;
  const auto bounds = groups ? group_bounds(design) : anytime_bounds(design);
  const double effect = quantile(p), count = static_cast<double>(runs);
  std::int64_t better = 0, worse = 0, pairs = 0;
  for (std::int64_t s = 0; s < runs; ++s) {
    const Path path = walk(bounds, effect, Stream(key, static_cast<std::uint64_t>(s)));
    better += path.sign > 0 ? 1 : 0;
    worse += path.sign < 0 ? 1 : 0;
    pairs += path.pairs;
  }
  SimulatedOperating out{.runs = runs};
  out.mean.better = static_cast<double>(better) / count;
  out.mean.against = static_cast<double>(worse) / count;
  out.mean.undecided = static_cast<double>(runs - better - worse) / count;
  out.mean.pairs = static_cast<double>(pairs) / count;
  out.standard_error = std::sqrt(out.mean.better * (1.0 - out.mean.better) / count);
  return out;
}

}  // namespace retrial::variance
