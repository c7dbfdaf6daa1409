#include "workloads/automl/searchers/halving/halving.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/ranks/ranks.hpp"

namespace retrial::automl::inline searchers::inline halving {
namespace {

constexpr double slack = 1e-9;
constexpr std::int64_t start_up = 5;  // configurations that no comparison stops

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t out = 1;
  for (; exponent > 0; --exponent) out *= base;
  return out;
}

/// Linear interpolation between sorted values.
double quantile_of(std::vector<double> values, double q) {
  std::ranges::sort(values);
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= values.size() || at == static_cast<double>(below)) return values[below];
  return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

bool is_worse(const PairedFolds& folds) {
  constexpr double level = .1;
  std::vector<double> differences;
  for (std::size_t k = 0; k < std::min(folds.own.size(), folds.best.size()); ++k)
    differences.push_back(folds.own[k] - folds.best[k]);
  return !differences.empty() && variance::wilcoxon(differences).test.p_greater < level;
}

}  // namespace

std::int64_t whole_power(double ratio, std::int64_t eta) {
  std::int64_t exponent = 0;
  for (double reached = static_cast<double>(eta); reached <= ratio * (1 + slack); reached *= static_cast<double>(eta))
    ++exponent;
  return exponent;
}

std::vector<Bracket> hyperband_brackets(double least, double most, std::int64_t eta) {
  const std::int64_t largest = whole_power(most / least, eta);
  std::vector<Bracket> out;
  for (std::int64_t s = largest; s >= 0; --s) {
    const std::int64_t first = ((largest + 1) * power(eta, s) + s) / (s + 1);  // rounded up
    Bracket& bracket = out.emplace_back();
    for (std::int64_t i = 0; i <= s; ++i)
      bracket.push_back({.count = first / power(eta, i), .resource = most / static_cast<double>(power(eta, s - i))});
  }
  return out;
}

Bracket whole_rungs(Bracket bracket) {
  for (Rung& rung : bracket) rung.resource = std::max(1.0, std::nearbyint(rung.resource));
  const auto equal = [](const Rung& a, const Rung& b) { return a.resource == b.resource; };
  bracket.erase(std::unique(bracket.begin(), bracket.end(), equal), bracket.end());
  return bracket;
}

std::vector<std::int64_t> promotable(std::span<const Climber> rung, std::int64_t eta) {
  std::vector<std::int64_t> out;
  for (const Climber& climber : rung.first(rung.size() / static_cast<std::size_t>(eta)))
    if (!climber.promoted && std::isfinite(climber.loss)) out.push_back(climber.id);
  return out;
}

double stopping_cutoff(std::vector<double> losses, std::int64_t eta) {
  if (losses.size() < 2) return std::numeric_limits<double>::infinity();
  return quantile_of(std::move(losses), 1 / static_cast<double>(eta));
}

bool prunes(const HalvingOptions& options, std::span<const double> losses, std::span<const double> others,
            std::int64_t ended, const PairedFolds& folds) {
  const double now = losses.back();
  if (!std::isfinite(now)) return true;
  const auto above = [&](double q) {
    if (ended < start_up || others.empty()) return false;
    return std::ranges::min(losses) > quantile_of({others.begin(), others.end()}, q);
  };
  switch (options.pruner) {
    case Pruner::promotion:
      return false;
    case Pruner::stopping: {
      std::vector<double> all(others.begin(), others.end());
      all.push_back(now);
      return now > stopping_cutoff(std::move(all), options.eta);
    }
    case Pruner::median:
      return above(.5);
    case Pruner::percentile:
      return above(1 / static_cast<double>(options.eta));
    case Pruner::threshold:
      return now < options.low || now > options.high;
    case Pruner::patient: {
      const auto patience = static_cast<std::size_t>(options.patience);
      if (losses.size() <= patience) return false;
      const auto before = losses.first(losses.size() - patience), lately = losses.last(patience);
      return !(std::ranges::min(lately) < std::ranges::min(before) - options.gain);
    }
    case Pruner::wilcoxon:
      return is_worse(folds);
  }
  return false;
}

}  // namespace retrial::automl::inline searchers::inline halving
