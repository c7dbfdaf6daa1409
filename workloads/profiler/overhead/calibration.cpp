#include "workloads/profiler/overhead/calibration.hpp"

#include <cmath>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::profiler::inline overhead {
namespace {

void demand_time(double ns, std::size_t block, const std::string& configuration) {
  if (std::isfinite(ns) && ns >= 0) return;
  throw InvalidInput("time of " + configuration + " in block " + std::to_string(block), std::to_string(ns) + " ns",
                     "0 and more");
}

/// Everything that follows from the cost of each block.
CostEstimate estimated(const std::string& kind, std::vector<double> blocks, std::uint64_t root) {
  CostEstimate out{.kind = kind, .status = CostStatus::estimated, .blocks = std::move(blocks)};
  const auto n = static_cast<double>(out.blocks.size());
  for (const double d : out.blocks) out.mean += d / n;
  if (out.blocks.size() == 1) {
    out.status = CostStatus::no_interval;
    out.cost = std::max(0.0, out.mean);
    return out;
  }
  double squares = 0;
  for (const double d : out.blocks) squares += (d - out.mean) * (d - out.mean);
  out.sd = std::sqrt(squares / (n - 1));
  out.standard_error = *out.sd / std::sqrt(n);
  const double half = variance::student_quantile(0.975, n - 1) * *out.standard_error;
  out.student = CostInterval{out.mean - half, out.mean + half};
  const std::uint64_t key =
      variance::derive(variance::derive(root, "comparison:profile-overhead/" + kind), "bootstrap");
  const variance::Estimate drawn = variance::bootstrap_mean(out.blocks, {.key = key});
  out.bootstrap = *out.sd == 0 ? out.student : CostInterval{drawn.low.value(), drawn.high.value()};
  const CostInterval wide = *out.interval();
  if (out.mean <= 0 || (wide.low <= 0 && wide.high >= 0))
    out.status = CostStatus::not_detectable;
  else
    out.cost = out.mean;
  return out;
}

}  // namespace

std::string name_of(CostStatus status) {
  switch (status) {
    case CostStatus::estimated:
      return "estimated";
    case CostStatus::no_events:
      return "no_events";
    case CostStatus::not_observed:
      return "not_observed";
    case CostStatus::not_detectable:
      return "not_detectable";
    case CostStatus::no_interval:
      return "no_interval";
  }
  return "";
}

std::optional<CostInterval> CostEstimate::interval() const {
  if (!student || !bootstrap) return std::nullopt;
  return student->high - student->low >= bootstrap->high - bootstrap->low ? student : bootstrap;
}

CostEstimate calibrate_difference(const std::string& kind, std::span<const OnOff> blocks, std::uint64_t root) {
  std::vector<double> costs;
  bool events = !blocks.empty();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    demand_time(blocks[b].on_ns, b, kind + " on");
    demand_time(blocks[b].off_ns, b, "off");
    events = events && blocks[b].events > 0;
    costs.push_back((blocks[b].on_ns - blocks[b].off_ns) / static_cast<double>(blocks[b].events));
  }
  if (!events) return {.kind = kind, .status = CostStatus::no_events};
  return estimated(kind, std::move(costs), root);
}

CostEstimate calibrate_call(const std::string& kind, std::span<const CallTimes> blocks, std::uint64_t root) {
  std::vector<double> costs;
  bool observed = !blocks.empty();
  const auto average = [](const CallTime& t) { return t.total_ns / static_cast<double>(t.calls); };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    demand_time(blocks[b].traced.total_ns, b, "activities");
    demand_time(blocks[b].plain.total_ns, b, "api");
    observed = observed && blocks[b].traced.calls > 0 && blocks[b].plain.calls > 0;
    costs.push_back(average(blocks[b].traced) - average(blocks[b].plain));
  }
  if (!observed) return {.kind = kind, .status = CostStatus::not_observed};
  return estimated(kind, std::move(costs), root);
}

}  // namespace retrial::profiler::inline overhead
