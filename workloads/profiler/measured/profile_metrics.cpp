#include "workloads/profiler/measured/profile_metrics.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "workloads/profiler/overhead/kinds.hpp"
#include "workloads/profiler/overhead/validation.hpp"

namespace retrial::profiler::inline measured {
namespace {

using results::MetricDef, results::MetricValue;

struct Layer {
  const char* name;
  Category category;
};
constexpr std::array layers{Layer{"app", Category::app}, Layer{"simulator", Category::simulator},
                            Layer{"backend", Category::backend}, Layer{"cuda_api", Category::cuda_api}};

double cost_of(const std::string& kind, const std::vector<CostEstimate>& costs) {
  const auto found = std::ranges::find(costs, kind, &CostEstimate::kind);
  return found == costs.end() ? 0 : found->cost;
}

/// Percent of the time by operation and by layer, under names that begin with `prefix`.
template <typename Cells>
void add_shares(const Cells& cells, const std::string& prefix, const std::vector<std::string>& operations,
                std::vector<MetricValue>& out) {
  double whole = 0;
  std::map<std::string, double> by_operation, by_layer;
  for (const auto& [cell, time] : cells) {
    const auto ns = static_cast<double>(time);
    whole += ns;
    const std::string operation = cell.operation_text();
    by_operation[std::ranges::find(operations, operation) == operations.end() ? "other" : operation] += ns;
    for (const Layer& layer : layers)
      if ((cell.categories & bit_of(layer.category)) != 0) by_layer[layer.name] += ns;
  }
  if (whole <= 0) return;
  const auto add = [&](const std::string& name, double ns) {
    out.push_back({.name = prefix + name, .value = 100 * ns / whole});
  };
  for (const std::string& operation : operations) add("share_" + operation, by_operation[operation]);
  add("share_other", by_operation["other"]);
  for (const Layer& layer : layers) add(std::string("layer_") + layer.name, by_layer[layer.name]);
}

}  // namespace

std::vector<OperationCharge> charges_by_operation(const RunProfile& run, const std::vector<CostEstimate>& costs) {
  std::vector<OperationCharge> out;
  const auto charge = [&](const std::string& operation, Category layer, std::uint64_t events, double cost) {
    if (events > 0 && cost > 0)
      out.push_back({.operation = operation, .layer = layer, .ns = static_cast<double>(events) * cost});
  };
  for (const auto& [operation, counts] : run.counts) {
    charge(operation, Category::app, counts.annotations, cost_of(annotation_kind, costs));
    for (const auto& [layer, calls] : counts.hooks) {
      const double cost = cost_of(hook_kind(layer), costs);
      const std::uint64_t inner = counts.inner.at(layer);
      charge(operation, Category::app, calls - inner, cost);
      charge(operation, layer, inner, cost);
    }
  }
  return out;
}

std::vector<MetricDef> profile_metrics(const std::vector<std::string>& operations) {
  using results::Direction, results::Nature, results::Scale, results::Axis;
  const auto cost = [](const std::string& name, const std::string& unit, Direction direction) {
    return MetricDef{name, unit, direction, Nature::cost, Scale::ratio, Axis::none};
  };
  std::vector<MetricDef> out{cost("profiled_s", "s", Direction::lower),
                             cost("profiled_corrected_s", "s", Direction::lower),
                             cost("transitions", "", Direction::none), cost("gpu_busy", "%", Direction::none),
                             cost("gpu_sampled", "%", Direction::none)};
  for (const std::string prefix : {"", "raw_"}) {
    for (const std::string& operation : operations)
      out.push_back(cost(prefix + "share_" + operation, "%", Direction::none));
    out.push_back(cost(prefix + "share_other", "%", Direction::none));
    for (const Layer& layer : layers) out.push_back(cost(prefix + "layer_" + layer.name, "%", Direction::none));
  }
  return out;
}

std::vector<MetricValue> profile_values(const RunProfile& run, bool measured, const std::vector<CostEstimate>* costs,
                                        const std::vector<std::string>& operations) {
  const auto region = static_cast<double>(run.region_ns);
  std::vector<MetricValue> out{{.name = "profiled_s", .value = region / 1e9}};
  if (!measured) return out;
  out.push_back({.name = "transitions",
                 .value = static_cast<double>(run.transitions) /
                          static_cast<double>(std::max<std::uint64_t>(1, run.iterations))});
  if (run.gpu) {
    out.push_back({.name = "gpu_busy", .value = 100 * run.gpu->busy});
    out.push_back({.name = "gpu_sampled", .value = 100 * run.gpu->sampled});
  }
  add_shares(run.table, "raw_", operations, out);
  if (costs == nullptr) return out;
  out.push_back({.name = "profiled_corrected_s",
                 .value = corrected_time(region, 0, charges_of(run.charged_events(), *costs)).ns / 1e9});
  add_shares(corrected_by_count(run.table, charges_by_operation(run, *costs)).cells, "", operations, out);
  return out;
}

}  // namespace retrial::profiler::inline measured
