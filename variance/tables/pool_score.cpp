#include "variance/tables/pool_score.hpp"

#include <algorithm>
#include <string>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline tables {
namespace {

void require_pool(std::span<const PoolTimes> times) {
  if (times.empty()) throw InvalidInput("times", "none", "one submission or more");
  if (times.front().empty()) throw InvalidInput("times[0]", "none", "one task or more");
  for (std::size_t s = 0; s < times.size(); ++s) {
    if (times[s].size() != times.front().size())
      throw InvalidInput("times[" + std::to_string(s) + "]", std::to_string(times[s].size()) + " tasks",
                         std::to_string(times.front().size()) + ", as the others");
    for (const auto& time : times[s])
      if (time) require_positive("times", *time);
  }
}

}  // namespace

PoolScore pool_score(std::span<const PoolTimes> times, double max_ratio) {
  require_pool(times);
  if (!(max_ratio > 1.0 && max_ratio < 1e300)) throw InvalidInput("max_ratio", shortest(max_ratio), "greater than 1");
  const std::size_t tasks = times.front().size();
  PoolScore out{.scores = std::vector<double>(times.size(), 0.0), .nobody = {}};
  for (std::size_t w = 0; w < tasks; ++w) {
    std::optional<double> fastest;
    for (const PoolTimes& one : times)
      if (one[w] && (!fastest || *one[w] < *fastest)) fastest = one[w];
    if (!fastest) {
      out.nobody.push_back(w);
      continue;
    }
    for (std::size_t s = 0; s < times.size(); ++s)
      if (times[s][w]) out.scores[s] += std::max(0.0, max_ratio - *times[s][w] / *fastest);
  }
  for (double& score : out.scores) score /= static_cast<double>(tasks) * (max_ratio - 1.0);
  return out;
}

}  // namespace retrial::variance::inline tables
