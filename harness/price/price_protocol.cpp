#include "harness/price/price_protocol.hpp"

#include <algorithm>

#include "variance/effects/price_ratio.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline price {
namespace {

using determinism::StepTimes;
using Steps = std::vector<double> StepTimes::*;

/// The median step of each run of an arm.
std::vector<double> medians(const std::vector<StepTimes>& runs, Steps steps) {
  std::vector<double> out;
  for (const StepTimes& run : runs) out.push_back(variance::median(run.*steps).value());
  return out;
}

bool times_kernels(const PairedTimes& times) {
  return std::ranges::all_of(times, [](const auto& runs) {
    return std::ranges::none_of(runs, [](const StepTimes& run) { return run.kernel.empty(); });
  });
}

std::size_t place_of(const std::string& arm, const PriceDesign& design) {
  return static_cast<std::size_t>(std::ranges::find(design.arms, arm, &Arm::name) - design.arms.begin());
}

}  // namespace

PairedTimes measure_pairs(std::size_t arms, std::int64_t pairs, const std::function<StepTimes(std::size_t arm)>& run) {
  PairedTimes out(arms);
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(pairs); ++pair)
    for (std::size_t i = 0; i < arms; ++i) {
      const std::size_t arm = (pair + i) % arms;
      out[arm].push_back(run(arm));
    }
  return out;
}

PricedSubject priced_subject(std::string name, std::string meaning, const PriceDesign& design, PairedTimes times) {
  PricedSubject out{.name = std::move(name), .meaning = std::move(meaning), .times = std::move(times)};
  const bool kernels = times_kernels(out.times);
  std::vector<std::vector<double>> wall, kernel;
  for (const auto& runs : out.times) {
    wall.push_back(medians(runs, &StepTimes::wall));
    out.wall_ms.push_back(variance::median(wall.back()).value());
    if (kernels) kernel.push_back(medians(runs, &StepTimes::kernel));
    out.kernel_ms.push_back(kernels ? variance::median(kernel.back()) : std::nullopt);
    if (!kernels && !runs.empty()) out.no_kernel_times = runs.front().no_kernel_times;
  }
  const auto key = variance::derive(variance::fnv1a64(out.name), "price");
  for (const ArmRatio& ratio : design.ratios) {
    const auto with = place_of(ratio.with, design), without = place_of(ratio.without, design);
    const auto key_of_ratio = variance::derive(key, ratio.name);
    out.prices.push_back({.ratio = ratio, .wall = variance::price_ratio(wall[with], wall[without], key_of_ratio)});
    if (kernels) out.prices.back().kernel = variance::price_ratio(kernel[with], kernel[without], key_of_ratio);
  }
  return out;
}

}  // namespace retrial::harness::inline price
