#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {
namespace {

/// The two sums of the slope, so that cascades can be added.
struct Slope {
  double products = 0, squares = 0;
  [[nodiscard]] std::optional<double> value() const {
    return squares > 0 ? std::optional(products / squares) : std::nullopt;
  }
};

void require_finite(const char* field, std::span<const double> values) {
  const auto wrong = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  if (wrong != values.end())
    throw InvalidInput(field + ("[" + std::to_string(wrong - values.begin()) + "]"), results::text_of(*wrong),
                       "finite numbers");
}

Slope sums_of(std::span<const double> pr, std::span<const double> e) {
  if (pr.size() != e.size()) throw InvalidInput("e", std::to_string(e.size()) + " values", std::to_string(pr.size()));
  require_finite("pr", pr);
  require_finite("e", e);
  Slope sums;
  for (std::size_t i = 0; i < pr.size(); ++i) {
    sums.products += pr[i] * e[i];
    sums.squares += pr[i] * pr[i];
  }
  return sums;
}

}  // namespace

double excess_error(double pruned_shift, double pruned_nominal, double ref_shift, double ref_nominal) {
  return (pruned_shift - pruned_nominal) - (ref_shift - ref_nominal);
}

std::optional<double> excess_slope(std::span<const double> pr, std::span<const double> e) {
  return sums_of(pr, e).value();
}

std::optional<variance::Estimate> excess_slope(std::span<const Cascade> cascades,
                                               const variance::BootstrapOptions& options) {
  std::vector<Slope> sums;
  for (const Cascade& cascade : cascades) sums.push_back(sums_of(cascade.pr, cascade.e));
  if (sums.empty() || std::any_of(sums.begin(), sums.end(), [](const Slope& s) { return !s.value(); }))
    return std::nullopt;
  const auto slope = [&](std::span<const double> drawn) {
    Slope all;
    for (const double place : drawn) {
      const Slope& one = sums[static_cast<std::size_t>(place)];
      all.products += one.products;
      all.squares += one.squares;
    }
    return *all.value();
  };
  std::vector<double> places(sums.size());
  std::iota(places.begin(), places.end(), 0.0);
  if (places.size() == 1)
    return variance::Estimate{.point = slope(places), .level = 1 - options.alpha, .method = "bootstrap of cascades"};
  variance::Estimate estimate = variance::bootstrap_interval(places, slope, options);
  estimate.method += " of cascades";
  return estimate;
}

}  // namespace retrial::pruning::inline measures
