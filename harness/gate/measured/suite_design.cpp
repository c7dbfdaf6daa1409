#include "harness/gate/measured/suite_design.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::harness::inline gate::inline measured {

std::vector<std::int64_t> launch_ends(std::int64_t pairs, std::int64_t launches) {
  std::vector<std::int64_t> out;
  for (std::int64_t launch = 1; launch <= launches; ++launch) out.push_back(launch * pairs / launches);
  return out;
}

std::int64_t least_pairs(bool paired, double alpha, std::int64_t launches) {
  std::int64_t pairs = launches;
  const auto reachable = [&] {
    if (paired) return std::exp2(-static_cast<double>(pairs));
    double log_p = 0.0;
    std::int64_t before = 0;
    for (const std::int64_t end : launch_ends(pairs, launches)) {
      log_p -= variance::log_choose(2 * (end - before), end - before);
      before = end;
    }
    return std::exp(log_p);
  };
  while (reachable() > alpha) ++pairs;
  return pairs;
}

std::vector<std::int64_t> looks_of(const PlannedSuite& suite) {
  const std::int64_t most = suite.pairs();
  const auto [claims, paired] = suite.tested();
  const double alpha = suite.settings.alpha / 4.0 / static_cast<double>(std::max<std::int64_t>(1, claims));
  const std::int64_t first = claims == 0 ? 2 : least_pairs(paired, alpha);
  std::vector<std::int64_t> out;
  for (const int look : {7, 10, 14, 20}) {
    const double scaled = static_cast<double>(look) * static_cast<double>(most) / 20.0;
    const auto pairs = std::min(most, std::max(first, static_cast<std::int64_t>(std::ceil(scaled))));
    if (out.empty() || pairs > out.back()) out.push_back(pairs);
  }
  return out;
}

void demand_power(const PlannedSuite& suite) {
  if (suite.pairs() < suite.settings.launches)
    throw Error(
        {.code = "gate.design",
         .field = "launches",
         .value = std::to_string(suite.settings.launches),
         .problem = "more launches than pairs: each launch runs at least one of the " + counted(suite.pairs(), "pair"),
         .allowed = "1 to " + std::to_string(suite.pairs())});
  const auto [claims, paired] = suite.tested();
  if (claims == 0) return;
  const double looks = suite.settings.until_decided ? 4.0 : 1.0;
  const double alpha = suite.settings.alpha / static_cast<double>(claims) / looks;
  const std::int64_t needed = least_pairs(paired, alpha, suite.settings.launches);
  if (suite.pairs() >= needed) return;
  throw Error({.code = "gate.design",
               .field = suite.settings.until_decided ? "max_pairs" : "pairs",
               .value = std::to_string(suite.pairs()),
               .problem = counted(suite.pairs(), "pair") + " cannot reach p <= " + short_text(alpha, 2) + " for " +
                          counted(claims, "claim") + ", however large the change; need " + std::to_string(needed),
               .help = "more pairs, or a larger alpha"});
}

}  // namespace retrial::harness::inline gate::inline measured
