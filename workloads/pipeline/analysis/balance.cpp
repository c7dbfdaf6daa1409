#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pipeline/analysis/schedule.hpp"

namespace retrial::pipeline::inline analysis {

Utilisation utilisation(std::string_view model, std::int64_t N, std::int64_t S) {
  if (N < 1) throw InvalidInput("N", std::to_string(N), "1 and more");
  if (S < 1) throw InvalidInput("S", std::to_string(S), "1 and more");
  const auto samples = static_cast<double>(N), stages = static_cast<double>(S);
  if (model == "tick") return {.ticks = N + 2 * (S - 1), .share = samples / (samples + 2 * (stages - 1))};
  if (model != "slot") throw InvalidInput("model", std::string(model), "tick, slot");
  const double slots = samples + stages - 1, bubble = (stages - 1) / slots;
  return {.ticks = {}, .share = samples / slots, .bubble = bubble, .zb1p_bubble = bubble / 3};
}

Partition partition(const std::vector<double>& costs, std::int64_t parts) {
  constexpr std::size_t most = 512;
  const auto n = costs.size();
  if (n == 0 || n > most) throw InvalidInput("costs", std::to_string(n) + " values", "1 to 512 values");
  for (const double cost : costs)
    if (!(cost > 0) || !std::isfinite(cost)) throw InvalidInput("costs", results::text_of(cost), "finite, above 0");
  if (parts < 1 || parts > std::ssize(costs))
    throw InvalidInput("parts", std::to_string(parts), "1 to " + std::to_string(n) + ", the number of costs");
  std::vector<double> sum_to(n + 1, 0);
  std::partial_sum(costs.begin(), costs.end(), sum_to.begin() + 1);
  const auto block = [&](std::size_t from, std::size_t to) { return sum_to[to] - sum_to[from]; };
  // least[j][i]: of the costs from i on in j + 1 blocks.
  const auto k = static_cast<std::size_t>(parts);
  std::vector<std::vector<double>> least(k, std::vector<double>(n + 1, std::numeric_limits<double>::infinity()));
  for (std::size_t i = 0; i < n; ++i) least[0][i] = block(i, n);
  for (std::size_t j = 1; j < k; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t cut = i + 1; cut < n; ++cut)
        least[j][i] = std::min(least[j][i], std::max(block(i, cut), least[j - 1][cut]));
  Partition out{.largest = least[k - 1][0], .cuts = {}};
  for (std::size_t j = k - 1, from = 0; j > 0; --j) {
    std::size_t cut = from + 1;
    while (std::max(block(from, cut), least[j - 1][cut]) > out.largest) ++cut;
    out.cuts.push_back(static_cast<std::int64_t>(cut));
    from = cut;
  }
  return out;
}

}  // namespace retrial::pipeline::inline analysis
