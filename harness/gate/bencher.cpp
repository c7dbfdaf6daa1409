#include "harness/gate/bencher.hpp"

#include <algorithm>
#include <cmath>

#include "harness/gate/claim_sides.hpp"
#include "results/json/json.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline gate {
namespace {

/// The order statistics, counted from both ends, between which the median is with 95 %; 0: too few values.
std::int64_t median_rank(std::int64_t n) {
  std::int64_t rank = 0;
  while (variance::binomial_at_most(rank, n, 0.5) <= 0.025) ++rank;
  return rank;
}

Json measured(std::vector<double> values) {
  Json out{{"value", *variance::median(values)}};
  std::ranges::sort(values);
  if (const auto rank = static_cast<std::size_t>(median_rank(std::ssize(values))); rank > 0)
    out["lower_value"] = values[rank - 1], out["upper_value"] = values[values.size() - rank];
  return out;
}

}  // namespace

Json bencher_document(const GateSuite& suite, const GateSettings& settings) {
  Json out = Json::object();
  for (const GateClaim& claim : suite.claims) {
    std::vector<double> values;
    for (const GateTrial& trial : claim.trials[head])
      if (!trial.failed && !trial.values.empty())
        values.push_back(reduced(trial.values, settings.statistic, claim.direction));
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty()) continue;
    out[claim.workload.empty() ? "score" : claim.workload][claim.metric.empty() ? "score" : claim.metric] =
        measured(std::move(values));
  }
  return out;
}

}  // namespace retrial::harness::inline gate
