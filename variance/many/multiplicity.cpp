#include "variance/many/multiplicity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline many {
namespace {

using Probabilities = std::vector<double>;

constexpr AdjustmentRow adjustment_rows[] = {
    {Adjustment::none, "none", "each claim alone"},
    {Adjustment::bonferroni, "bonferroni", "chance of any false claim, any dependence"},
    {Adjustment::sidak, "sidak", "chance of any false claim, independent claims"},
    {Adjustment::holm, "holm", "chance of any false claim, any dependence"},
    {Adjustment::hochberg, "hochberg", "chance of any false claim, independent or positively dependent claims"},
    {Adjustment::hommel, "hommel", "chance of any false claim, independent or positively dependent claims"},
    {Adjustment::finner, "finner", "chance of any false claim where all are false, independent claims"},
    {Adjustment::shaffer, "shaffer", "chance of any false claim among all pairs of variants"},
    {Adjustment::bh, "bh", "share of false claims, independent or positively dependent claims"},
    {Adjustment::by, "by", "share of false claims, any dependence"},
};

void require_probabilities(std::span<const double> p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!(p[i] >= 0.0 && p[i] <= 1.0)) throw InvalidInput("p[" + std::to_string(i) + "]", shortest(p[i]), "0 to 1");
}

std::vector<std::size_t> ascending_order(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return p[i] != p[j] ? p[i] < p[j] : i < j; });
  return order;
}

/// From the smallest p up, running maximum.
template <typename Scale>
Probabilities step_down(std::span<const double> p, Scale&& scale) {
  Probabilities result(p.size());
  double reached = 0.0;
  std::size_t i = 0;
  for (const std::size_t place : ascending_order(p)) {
    reached = std::max(reached, std::min(1.0, scale(p[place], static_cast<double>(++i))));
    result[place] = reached;
  }
  return result;
}

/// From the largest p down, running minimum.
template <typename Scale>
Probabilities step_up(std::span<const double> p, Scale&& scale) {
  Probabilities result(p.size());
  double reached = 1.0;
  const auto order = ascending_order(p);
  for (std::size_t i = order.size(); i-- > 0;) {
    reached = std::min(reached, scale(p[order[i]], static_cast<double>(i + 1)));
    result[order[i]] = reached;
  }
  return result;
}

double simes(Probabilities p) {
  std::sort(p.begin(), p.end());
  double smallest = 1.0;
  for (std::size_t i = 0; i < p.size(); ++i)
    smallest = std::min(smallest, static_cast<double>(p.size()) * p[i] / static_cast<double>(i + 1));
  return smallest;
}

/// Closed testing: the largest Simes p of any set that holds the claim. Among sets of one size, the worst one joins the
/// claim with the largest other p values, since Simes rises in each p value.
Probabilities hommel(std::span<const double> p) {
  const auto order = ascending_order(p);
  Probabilities result(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    Probabilities set{p[i]};
    result[i] = p[i];
    for (std::size_t k = order.size(); k-- > 0;) {
      if (order[k] == i) continue;
      set.push_back(p[order[k]]);
      result[i] = std::max(result[i], simes(set));
    }
  }
  return result;
}

std::int64_t variants_of(std::size_t pairs) {
  for (std::int64_t k = 2;; ++k) {
    const std::int64_t of_k = k * (k - 1) / 2;
    if (of_k == static_cast<std::int64_t>(pairs)) return k;
    if (of_k > static_cast<std::int64_t>(pairs))
      throw InvalidInput("p", std::to_string(pairs) + " values", "all k (k - 1) / 2 pairs of k variants");
  }
}

const std::set<std::int64_t>& true_counts(std::int64_t k, std::vector<std::set<std::int64_t>>& known) {
  auto& counts = known[static_cast<std::size_t>(k)];
  if (!counts.empty()) return counts;
  if (k <= 1) return counts = {0};
  std::set<std::int64_t> found;
  for (std::int64_t j = 1; j <= k; ++j)
    for (const std::int64_t rest : true_counts(k - j, known)) found.insert(j * (j - 1) / 2 + rest);
  return known[static_cast<std::size_t>(k)] = found;
}

}  // namespace

std::span<const AdjustmentRow> all_adjustments() {
  return adjustment_rows;
}

std::vector<std::int64_t> shaffer_multipliers(std::int64_t variants) {
  require_within("variants", variants, 2, 200);
  std::vector<std::set<std::int64_t>> known(static_cast<std::size_t>(variants) + 1);
  const auto& counts = true_counts(variants, known);
  std::vector<std::int64_t> result;
  for (std::int64_t left = variants * (variants - 1) / 2; left >= 1; --left)
    result.push_back(*std::prev(counts.upper_bound(left)));
  return result;
}

std::vector<double> adjusted(std::span<const double> p, Adjustment how) {
  require_probabilities(p);
  const double m = static_cast<double>(p.size());
  // 1 - (1 - p)^n without the loss of digits of small p.
  const auto power = [](double x, double n) { return x >= 1.0 ? 1.0 : -std::expm1(n * std::log1p(-x)); };
  switch (how) {
    case Adjustment::none:
      return {p.begin(), p.end()};
    case Adjustment::bonferroni:
      return step_down(p, [&](double x, double) { return m * x; });
    case Adjustment::sidak:
      return step_down(p, [&](double x, double) { return power(x, m); });
    case Adjustment::holm:
      return step_down(p, [&](double x, double i) { return (m - i + 1.0) * x; });
    case Adjustment::hochberg:
      return step_up(p, [&](double x, double i) { return (m - i + 1.0) * x; });
    case Adjustment::hommel:
      return hommel(p);
    case Adjustment::finner:
      return step_down(p, [&](double x, double i) { return power(x, m / i); });
    case Adjustment::shaffer: {
      if (p.empty()) return {};
      const auto multipliers = shaffer_multipliers(variants_of(p.size()));
      return step_down(
          p, [&](double x, double i) { return static_cast<double>(multipliers[static_cast<std::size_t>(i) - 1]) * x; });
    }
    case Adjustment::bh:
      return step_up(p, [&](double x, double i) { return m / i * x; });
    case Adjustment::by: {
      double harmonic = 0.0;
      for (std::size_t i = 1; i <= p.size(); ++i) harmonic += 1.0 / static_cast<double>(i);
      return step_up(p, [&](double x, double i) { return harmonic * m / i * x; });
    }
  }
  throw InvalidInput("adjust", std::to_string(static_cast<int>(how)), "a known correction");
}

PartialConjunction partial_conjunction(std::span<const double> p, double alpha) {
  require_probabilities(p);
  require_between("alpha", alpha, 0.0, 1.0);
  const double n = static_cast<double>(p.size());
  PartialConjunction result{.p = step_down(p, [&](double x, double u) { return (n - u + 1.0) * x; })};
  std::sort(result.p.begin(), result.p.end());
  result.count = std::ranges::count_if(result.p, [&](double x) { return x <= alpha; });
  return result;
}

}  // namespace retrial::variance::inline many
