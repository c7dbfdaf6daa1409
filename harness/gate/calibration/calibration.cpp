#include "harness/gate/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/comparisons/intervals.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline gate::inline calibration {
namespace {

constexpr std::uint32_t resamples = 2000;

std::uint64_t key_of(std::uint64_t root, const char* name) {
  return variance::derive(variance::derive(root, "calibrate"), name);
}

/// A block as a suite of two sides.
GateSuite suite_of_block(const GateSuite& pool, std::int64_t block, std::int64_t pairs,
                         const std::vector<std::uint32_t>& order) {
  GateSuite out{.baseline = "A", .candidate = "B", .claims = {}, .differences = {}, .notes = {}};
  for (const GateClaim& from : pool.claims) {
    GateClaim claim = from;
    claim.trials = {};
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      const bool second_is_baseline = order[static_cast<std::size_t>(pair)] < pairs / 2;
      for (const std::int64_t place : {0, 1}) {
        GateTrial trial = from.trials[base][static_cast<std::size_t>(2 * (block * pairs + pair) + place)];
        trial.pair = pair;
        claim.trials[(place == 1) == second_is_baseline ? base : head].push_back(std::move(trial));
      }
    }
    out.claims.push_back(std::move(claim));
  }
  return out;
}

/// One number per process; nothing for a failed one.
std::vector<double> values_of(const GateClaim& claim) {
  std::vector<double> out;
  for (const GateTrial& trial : claim.trials[base]) {
    if (trial.values.empty()) continue;
    const double value = *std::ranges::min_element(trial.values);
    out.push_back(claim.absolute || value <= 0 ? value : std::log(value));
  }
  return out;
}

std::optional<double> lag_1(const std::vector<double>& values) {
  if (values.size() < 3) return {};
  const double mean = *variance::mean(values);
  double together = 0, alone = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    alone += (values[i] - mean) * (values[i] - mean);
    if (i > 0) together += (values[i] - mean) * (values[i - 1] - mean);
  }
  return alone > 0 ? std::optional(together / alone) : std::nullopt;
}

std::optional<double> spread(const std::vector<double>& values) {
  if (values.size() < 2) return {};
  std::vector<double> off;
  const double middle = *variance::median(values);
  for (const double value : values) off.push_back(std::fabs(value - middle));
  return 1.4826 * *variance::median(off);
}

std::int64_t blocks_in(const GateSuite& pool, std::int64_t processes) {
  std::int64_t out = 0;
  bool first = true;
  for (const GateClaim& claim : pool.claims) {
    const auto blocks = std::ssize(claim.trials[base]) / processes;
    out = first ? blocks : std::min(out, blocks);
    first = false;
  }
  return out;
}

/// The claims of a pool, with the noise of their baseline.
Calibration begun(const GateSuite& pool, std::int64_t blocks, std::int64_t assignments) {
  Calibration out{.blocks = blocks, .assignments = assignments, .alarms = {}, .claims = {}};
  for (const GateClaim& claim : pool.claims) {
    const auto values = values_of(claim);
    out.claims.push_back({.workload = claim.workload,
                          .metric = claim.metric,
                          .sigma = spread(values),
                          .autocorrelation = lag_1(values)});
  }
  return out;
}

/// True where any claim is regressed.
bool add_result(Calibration& out, const GateResult& result) {
  out.improved += result.count("improved") > 0 ? 1 : 0;
  out.inconclusive += result.count("inconclusive") > 0 ? 1 : 0;
  for (std::size_t i = 0; i < result.claims.size(); ++i) {
    out.claims[i].alarms += result.claims[i].verdict == "regressed" ? 1 : 0;
    out.claims[i].inconclusive += result.claims[i].verdict == "inconclusive" ? 1 : 0;
  }
  return result.count("regressed") > 0;
}

/// The pairs of one block of two sides.
GateSuite pairs_of_block(const GateSuite& sides, std::int64_t block, std::int64_t pairs) {
  GateSuite out = sides;
  for (GateClaim& claim : out.claims)
    for (auto& side : claim.trials)
      std::erase_if(side, [&](const GateTrial& trial) { return trial.pair.value_or(-1) / pairs != block; });
  return out;
}

}  // namespace

std::int64_t Calibration::alarm_count() const {
  return std::accumulate(alarms.begin(), alarms.end(), std::int64_t{0});
}

Calibration::Rate Calibration::rate(std::uint64_t root) const {
  if (suites() == 0) return {};
  Rate out{.rate = static_cast<double>(alarm_count()) / static_cast<double>(suites()), .low = 0, .high = 1};
  if (assignments == 1) {
    const auto bounds = variance::clopper_pearson(alarm_count(), blocks, 0.1);
    out.low = bounds.low.value_or(0.0), out.high = bounds.high.value_or(1.0);
    return out;
  }
  const std::uint64_t key = key_of(root, "bootstrap");
  std::vector<double> rates;
  for (std::uint32_t r = 0; r < resamples; ++r) {
    variance::Stream stream(key, r);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < blocks; ++i) {
      const auto at = static_cast<std::size_t>(variance::uniform(stream.next()) * static_cast<double>(blocks));
      sum += alarms[std::min(at, alarms.size() - 1)];
    }
    rates.push_back(static_cast<double>(sum) / static_cast<double>(suites()));
  }
  std::ranges::sort(rates);
  out.low = rates[resamples / 20], out.high = rates[resamples - resamples / 20 - 1];
  return out;
}

Calibration calibrated(const GateSuite& pool, const GateSettings& settings, std::int64_t pairs,
                       std::int64_t assignments, std::uint64_t root, double slower) {
  Calibration out = begun(pool, blocks_in(pool, 2 * pairs), assignments);
  for (std::int64_t block = 0; block < out.blocks; ++block) {
    const std::uint64_t key = variance::derive(variance::derive(root, "calibrate"), static_cast<std::uint64_t>(block));
    std::int64_t alarms = 0;
    for (std::int64_t r = 0; r < assignments; ++r) {
      const auto order = variance::permutation(key, static_cast<std::uint32_t>(pairs), static_cast<std::uint64_t>(r));
      GateSuite suite = suite_of_block(pool, block, pairs, order);
      if (slower > 0.0) suite = slowed_down(std::move(suite), slower);
      alarms += add_result(out, judge_suite(suite, settings)) ? 1 : 0;
    }
    out.alarms.push_back(alarms);
  }
  return out;
}

Calibration judged_blocks(const GateSuite& sides, const GateSettings& settings, std::int64_t pairs) {
  Calibration out = begun(sides, blocks_in(sides, pairs), 1);
  for (std::int64_t block = 0; block < out.blocks; ++block)
    out.alarms.push_back(add_result(out, judge_suite(pairs_of_block(sides, block, pairs), settings)) ? 1 : 0);
  return out;
}

}  // namespace retrial::harness::inline gate::inline calibration
