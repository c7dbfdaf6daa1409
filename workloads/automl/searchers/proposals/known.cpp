#include "workloads/automl/searchers/proposals/known.hpp"

#include <algorithm>
#include <limits>

#include "results/text/error.hpp"

namespace retrial::automl::inline searchers::inline proposals {

Mined mine_portfolio(const Regrets& regrets, std::size_t most, const std::string& tested) {
  if (std::ranges::find(regrets.sets, tested) != regrets.sets.end())
    throw Error({.code = "automl.mining",
                 .problem = "a portfolio for " + tested + " may not be mined from results on " + tested,
                 .help = "leave that set out"});
  Mined out;
  std::vector<double> least(regrets.sets.size(), std::numeric_limits<double>::infinity());
  double reached = std::numeric_limits<double>::infinity();
  while (out.configurations.size() < most) {
    std::size_t best = 0;
    double best_mean = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < regrets.rows.size(); ++c) {
      double sum = 0;
      for (std::size_t s = 0; s < least.size(); ++s) sum += std::min(least[s], regrets.rows[c][s]);
      const double mean = sum / static_cast<double>(least.size());
      if (mean < best_mean) best = c, best_mean = mean;
    }
    if (!(best_mean < reached)) break;
    reached = best_mean;
    for (std::size_t s = 0; s < least.size(); ++s) least[s] = std::min(least[s], regrets.rows[best][s]);
    out.configurations.push_back(best);
    out.mean_regret.push_back(best_mean);
  }
  return out;
}

ScaledShape scaled_shape(const TableShape& shape) {
  return {(shape.rows - 18000) / 42124, (shape.columns - 28) / 130, shape.classes - 2,
          (shape.share_of_numbers - .757) / .571};
}

std::size_t nearest_shape(const ScaledShape& asked, std::span<const ScaledShape> known) {
  const auto distance = [&](const ScaledShape& other) {
    double sum = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) sum += (asked[i] - other[i]) * (asked[i] - other[i]);
    return sum;
  };
  return static_cast<std::size_t>(std::ranges::min_element(known, {}, distance) - known.begin());
}

}  // namespace retrial::automl::inline searchers::inline proposals
