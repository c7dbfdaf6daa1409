#include <algorithm>

#include "results/report/drawing/numbers.hpp"
#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

/// Sizes of a network, means over pairs. A share of channels is neither a share of weights nor of time: these are the
/// reached values, not the requested ones.
struct Left {
  std::optional<variance::Estimate> all, compression, speedup;
  std::optional<variance::Estimate> faster_1, faster_64;  ///< measured: dense / pruned, within each pair
};

std::optional<variance::Estimate> measured_ratio(const VariantCascades& variant, std::int64_t step, const char* batch,
                                                 double alpha) {
  std::vector<double> ratios;
  for (const CascadeRun& run : variant.runs) {
    const auto dense = run.at(std::string("latency_dense_ms_") + batch, step),
               pruned = run.at(std::string("latency_ms_") + batch, step);
    if (dense && pruned && *pruned > 0) ratios.push_back(*dense / *pruned);
  }
  return ratios.empty() ? std::nullopt : std::optional(pruning::over_seeds(ratios, alpha));
}

Left left_at(const VariantCascades& variant, std::int64_t step, double alpha) {
  return {.all = variant.mean("pr_all", step, alpha),
          .compression = variant.mean("compression", step, alpha),
          .speedup = variant.mean("speedup_theory", step, alpha),
          .faster_1 = measured_ratio(variant, step, "1", alpha),
          .faster_64 = measured_ratio(variant, step, "64", alpha)};
}

report::Table size_table() {
  return {.caption =
              "size and speed, means over pairs: prune ratios of the prunable weights and of all parameters, "
              "compression of all parameters, reduction of multiplications, and measured speed-up of a forward pass "
              "(latency = true; - if not measured)",
          .columns = {{"variant"},
                      {"PR %", true},
                      {"of all %", true},
                      {"compression", true},
                      {"fewer MACs", true},
                      {"faster, batch 1", true},
                      {"faster, batch 64", true}},
          .rows = {}};
}

Json size_json(double ratio, const Left& left) {
  return {{"pr", report::derived(ratio)},
          {"pr_all", estimate_json(left.all)},
          {"compression", estimate_json(left.compression)},
          {"macs_ratio", estimate_json(left.speedup)},
          {"latency_ratio_1", estimate_json(left.faster_1)},
          {"latency_ratio_64", estimate_json(left.faster_64)}};
}

}  // namespace

report::Part size_view(const PruningStudy& study, const Values&) {
  report::Section section{.id = "size-and-speed", .title = "Size and speed", .blocks = {}};
  report::Table table = size_table();
  Json data = Json::array();
  for (const VariantCascades& variant : study.variants) {
    Json steps = Json::array();
    const auto shown = compared_steps(variant.ratios());
    for (const auto& [step, ratio] : variant.ratios()) {
      const Left left = left_at(variant, step, study.evidence.alpha);
      steps.push_back(size_json(ratio, left));
      if (std::find(shown.begin(), shown.end(), std::pair(step, ratio)) == shown.end()) continue;
      table.rows.push_back({variant.variant, report::short_text(ratio), point_text(left.all),
                            point_text(left.compression), point_text(left.speedup), point_text(left.faster_1),
                            point_text(left.faster_64)});
    }
    data.push_back({{"variant", variant.variant}, {"pairs", variant.runs.size()}, {"steps", std::move(steps)}});
  }
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"No network was pruned."});
  else
    section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section), .data = {{"size", std::move(data)}}};
}

}  // namespace retrial::pruning
