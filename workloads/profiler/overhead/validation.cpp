#include "workloads/profiler/overhead/validation.hpp"

#include <algorithm>
#include <cmath>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::profiler::inline overhead {

double CorrectedTime::standard_error() const {
  return std::sqrt(variance);
}

CorrectedTime corrected_time(double full_ns, double variance, std::span<const Charge> charges, double measured_ns) {
  CorrectedTime out{.ns = full_ns - measured_ns, .variance = variance};
  for (const Charge& c : charges) {
    const auto n = static_cast<double>(c.events);
    out.ns -= n * c.cost_ns;
    out.variance += n * n * c.standard_error_ns * c.standard_error_ns;
  }
  return out;
}

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

std::uint64_t events_in(const std::map<std::string, std::uint64_t>& events, const std::string& kind) {
  const auto found = events.find(kind);
  return found == events.end() ? 0 : found->second;
}

double bias_percent(const ProfiledPair& pair, const std::vector<CostEstimate>& estimates,
                    std::span<const double> costs) {
  double corrected = pair.full_ns - pair.measured_ns;
  for (std::size_t k = 0; k < estimates.size(); ++k)
    corrected -= static_cast<double>(events_in(pair.events, estimates[k].kind)) * costs[k];
  return 100 * (corrected - pair.off_ns) / pair.off_ns;
}

/// The place of each of n draws from n.
void draw_places(variance::Stream& stream, std::vector<std::size_t>& places) {
  for (std::size_t& place : places) place = variance::bounded(stream.next(), places.size());
}

/// The cost from blocks drawn again: around 0 where nothing was detectable. One draw of blocks serves every kind, since
/// the runs of a block belong together.
double redrawn_cost(const CostEstimate& e, const std::vector<std::size_t>& places) {
  if (e.blocks.size() != places.size()) return e.cost;
  double sum = 0;
  for (const std::size_t place : places) sum += e.blocks[place];
  return e.cost + sum / static_cast<double>(places.size()) - e.mean;
}

CostInterval bias_interval(std::span<const ProfiledPair> pairs, const std::vector<CostEstimate>& estimates,
                           std::size_t blocks, std::uint64_t root) {
  constexpr std::size_t resamples = 10'000;
  const std::uint64_t key = variance::derive(variance::derive(root, "comparison:profile-bias"), "bootstrap");
  std::vector<double> drawn(resamples);
  std::vector<std::size_t> block_places(blocks), pair_places(pairs.size());
  std::vector<double> costs(estimates.size());
  for (std::size_t r = 0; r < resamples; ++r) {
    variance::Stream stream(key, r);
    draw_places(stream, block_places);
    draw_places(stream, pair_places);
    for (std::size_t k = 0; k < estimates.size(); ++k) costs[k] = redrawn_cost(estimates[k], block_places);
    double sum = 0;
    for (const std::size_t place : pair_places) sum += bias_percent(pairs[place], estimates, costs);
    drawn[r] = sum / static_cast<double>(pairs.size());
  }
  return {variance::reordered_quantile(drawn, 0.025), variance::reordered_quantile(drawn, 0.975)};
}

}  // namespace

std::vector<Charge> charges_of(const std::map<std::string, std::uint64_t>& events,
                               const std::vector<CostEstimate>& estimates) {
  std::vector<Charge> out;
  for (const CostEstimate& e : estimates)
    out.push_back(
        {.events = events_in(events, e.kind), .cost_ns = e.cost, .standard_error_ns = e.standard_error.value_or(0)});
  return out;
}

Validation validate(std::span<const ProfiledPair> pairs, const std::vector<CostEstimate>& estimates,
                    double tolerance_percent, std::uint64_t root) {
  if (pairs.empty()) throw InvalidInput("pairs", "0", "1 and more");
  Validation out;
  std::vector<double> costs;
  std::size_t blocks = 0;
  for (const CostEstimate& e : estimates) {
    costs.push_back(e.cost);
    blocks = std::max(blocks, e.blocks.size());
  }
  std::uint64_t dropped = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const ProfiledPair& pair = pairs[p];
    if (!(pair.off_ns > 0) || !(pair.full_ns > 0) || !std::isfinite(pair.off_ns + pair.full_ns))
      throw InvalidInput("times of pair " + std::to_string(p + 1),
                         results::text_of(pair.off_ns) + " and " + results::text_of(pair.full_ns) + " ns", "above 0");
    out.slow_downs.push_back(pair.full_ns / pair.off_ns);
    out.biases.push_back(bias_percent(pair, estimates, costs));
    dropped += pair.dropped;
    out.digests_differ = out.digests_differ || !pair.same_digests;
  }
  out.slow_down = mean_of(out.slow_downs);
  out.bias = mean_of(out.biases);
  if (pairs.size() > 1 && blocks != 1) out.bias_interval = bias_interval(pairs, estimates, blocks, root);
  if (!(std::abs(out.bias) <= tolerance_percent))
    out.reasons.push_back("the corrected time is off by " + report::short_text(out.bias) + " %, more than " +
                          report::short_text(tolerance_percent) + " %");
  if (dropped > 0) out.reasons.push_back(std::to_string(dropped) + " events were dropped");
  if (out.digests_differ) out.reasons.emplace_back("a profiled run has other digests than the run without profiling");
  out.valid = out.reasons.empty();
  return out;
}

std::string_view correction_verdict(const Validation& validation, double tolerance_percent) {
  const auto& interval = validation.bias_interval;
  if (interval && interval->low >= -tolerance_percent && interval->high <= tolerance_percent) return "HOLDS";
  if (interval && (interval->low > tolerance_percent || interval->high < -tolerance_percent)) return "REFUTED";
  return "INCONCLUSIVE";
}

}  // namespace retrial::profiler::inline overhead
