#include "harness/gate/schedule.hpp"

#include <algorithm>
#include <set>

namespace retrial::harness::inline gate {

std::string order_of(const GateClaim& claim) {
  std::array<std::vector<std::int64_t>, 2> starts;
  std::vector<std::int64_t> all;
  for (const std::size_t side : {base, head}) {
    for (const GateTrial& trial : claim.trials[side]) {
      if (!trial.started) return "unknown";
      starts[side].push_back(*trial.started);
      all.push_back(*trial.started);
    }
    std::ranges::sort(starts[side]);
  }
  const std::size_t pairs = std::min(starts[base].size(), starts[head].size());
  const std::size_t most = std::max(starts[base].size(), starts[head].size());
  std::size_t adjacent = 0, baseline_first = 0, candidate_first = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto ends = std::minmax(starts[base][i], starts[head][i]);
    const bool between = std::ranges::any_of(all, [&](std::int64_t t) { return ends.first < t && t < ends.second; });
    adjacent += between ? 0 : 1;
    baseline_first += starts[base][i] < starts[head][i] ? 1 : 0;
    candidate_first += starts[head][i] < starts[base][i] ? 1 : 0;
  }
  const bool mixed = 10 * adjacent >= 9 * most && baseline_first > 0 && candidate_first > 0;
  return mixed ? "interleaved" : "sequential";
}

std::optional<GateVerdict::Origins> origins_of(const std::vector<GateTrial>& trials) {
  std::set<std::string> launches, boots, hosts;
  for (const GateTrial& trial : trials) {
    if (!trial.place) return {};
    launches.insert(trial.place->launch), boots.insert(trial.place->boot), hosts.insert(trial.place->host);
  }
  if (trials.empty()) return {};
  return GateVerdict::Origins{std::ssize(launches), std::ssize(boots), std::ssize(hosts)};
}

}  // namespace retrial::harness::inline gate
