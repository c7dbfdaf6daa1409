#include "variance/effects/price_ratio.hpp"

#include <cmath>
#include <vector>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline effects {
namespace {

void require_times(const char* field, std::span<const double> times) {
  for (const double time : times)
    if (!(time > 0.0 && std::isfinite(time))) throw InvalidInput(field, shortest(time), "times above 0");
}

std::vector<double> log_ratios(std::span<const double> with, std::span<const double> without) {
  if (with.empty()) throw InvalidInput("with", "no times", "one for each pair");
  if (with.size() != without.size())
    throw InvalidInput("without", std::to_string(without.size()) + " times",
                       std::to_string(with.size()) + ", one for each pair");
  require_times("with", with);
  require_times("without", without);
  std::vector<double> logs;
  for (std::size_t p = 0; p < with.size(); ++p) logs.push_back(std::log(with[p] / without[p]));
  return logs;
}

}  // namespace

Estimate price_ratio(std::span<const double> with, std::span<const double> without, std::uint64_t key) {
  const std::vector<double> logs = log_ratios(with, without);
  if (logs.size() < min_priced_pairs)
    return {.point = std::exp(*mean(logs)), .low = {}, .high = {}, .method = "too few pairs"};
  Estimate ratio = bootstrap_mean(logs, {.key = key});
  ratio.point = std::exp(ratio.point);
  if (ratio.low) ratio.low = std::exp(*ratio.low);
  if (ratio.high) ratio.high = std::exp(*ratio.high);
  return ratio;
}

PriceVerdict price_verdict(const Estimate& ratio, double limit) {
  if (!(limit > 0.0 && std::isfinite(limit))) throw InvalidInput("limit", shortest(limit), "a ratio above 0");
  if (ratio.high && *ratio.high < limit) return PriceVerdict::below;
  if (ratio.low && *ratio.low > limit) return PriceVerdict::above;
  return PriceVerdict::inconclusive;
}

std::string price_verdict_name(PriceVerdict verdict) {
  switch (verdict) {
    case PriceVerdict::below:
      return "below";
    case PriceVerdict::above:
      return "above";
    case PriceVerdict::inconclusive:
      break;
  }
  return "inconclusive";
}

std::string price_text(double ratio) {
  return fixed(ratio, 2) + "x (" + fixed(100.0 * ratio, 0) + " %)";
}

}  // namespace retrial::variance::inline effects
