#include <algorithm>
#include <tuple>

#include "harness/gate/gate.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate {

void add_anchor(GateSuite& suite, GateSuite anchored, const std::vector<std::string>& allow_diff) {
  std::string elsewhere;
  for (const MachineDifference& d : anchored.differences)
    if (std::ranges::find(allow_diff, d.key) == allow_diff.end())
      elsewhere += (elsewhere.empty() ? "" : "; ") + d.key + " was " + d.baseline + " and is " + d.candidate;
  for (GateClaim& claim : anchored.claims) {
    claim.against = anchored.baseline;
    if (!elsewhere.empty()) claim.incomparable = "measured on another machine: " + elsewhere;
    suite.claims.push_back(std::move(claim));
  }
  std::ranges::sort(suite.claims, {}, [](const GateClaim& c) { return std::tie(c.workload, c.metric, c.against); });
}

}  // namespace retrial::harness::inline gate
