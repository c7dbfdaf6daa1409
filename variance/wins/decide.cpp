#include "variance/wins/decide.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline wins {
namespace {

constexpr std::int64_t largest_design = 200000;
constexpr double target_probability = 0.8;

/// First value in [low, high) for which the monotone `holds` is true, else high.
template <typename Holds>
std::int64_t first_where(std::int64_t low, std::int64_t high, Holds&& holds) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Max wins that exclude gamma; -1 if none do.
std::int64_t max_not_meaningful(std::int64_t n, const Levels& levels) {
  if (!levels.gamma) return -1;
  return first_where(0, n + 1, [&](std::int64_t w) { return !excludes_gamma(w, n, levels); }) - 1;
}

double power_at(std::int64_t n, const Levels& levels) {
  const auto wins = critical_wins(n, levels.alpha);
  return wins ? binomial_at_least(*wins, n, levels.win_rate()) : 0.0;
}

/// From this n on the power is at least 1 - beta by Hoeffding's inequality: the critical count is at most
/// n/2 + sqrt(n log(1/alpha) / 2) + 1, and the wins fall sqrt(n log(1/beta) / 2) below n gamma with probability beta.
std::int64_t surely_enough(const Levels& levels) {
  const double spread = std::sqrt(-std::log(levels.alpha) / 2.0) + std::sqrt(-std::log(levels.beta) / 2.0);
  const double gain = levels.win_rate() - 0.5;
  const double root = (spread + std::sqrt(spread * spread + 4.0 * gain)) / (2.0 * gain);  // n gain = sqrt(n) spread + 1
  return root * root < static_cast<double>(largest_design) ? static_cast<std::int64_t>(std::ceil(root * root)) + 1
                                                           : largest_design + 1;
}

double decision_probability(std::int64_t wins, std::int64_t pairs, std::int64_t more, const Levels& levels) {
  const FixedRule rule = fixed_rule(pairs + more, levels);
  const double share = (static_cast<double>(wins) + 1.0) / (static_cast<double>(pairs) + 2.0);
  const std::int64_t total = pairs + more, never = total + 1;
  const std::int64_t better = rule.better_from.value_or(never);
  const std::int64_t low = std::max(rule.not_meaningful_to.value_or(-1), total - better);  // WORSE or NOT MEANINGFUL
  return binomial_at_least(better - wins, more, share) + binomial_at_most(low - wins, more, share);
}

}  // namespace

void require_levels(const Levels& levels) {
  require_between("alpha", levels.alpha, 0.0, 0.5);
  require_between("beta", levels.beta, 0.0, 0.5);
  if (levels.gamma) require_between("gamma", *levels.gamma, 0.5, 1.0);
}

double required_gamma(const Levels& levels) {
  if (!levels.gamma) throw InvalidInput("gamma", "none", "the smallest share of pairs won that matters, 0.5 to 1");
  return *levels.gamma;
}

// The incomplete beta function is off by about 1e-15 at 1/2. The slack is far below any difference that alpha could
// express.
bool at_most(double probability, double limit) {
  return probability <= limit * (1.0 + 1e-12);
}

bool excludes_gamma(std::int64_t wins, std::int64_t pairs, const Levels& levels) {
  return levels.gamma && at_most(binomial_at_most(wins, pairs, *levels.gamma), levels.beta);
}

NormalSize noether(const Levels& levels, NoetherDesign design) {
  require_levels(levels);
  const double z = quantile(1.0 - levels.alpha) - quantile(levels.beta);
  const double scale = design == NoetherDesign::wmw_per_group ? std::sqrt(6.0) : 2.0;
  const double root = z / (scale * (levels.win_rate() - 0.5));
  return {.exact = root * root, .n = static_cast<std::int64_t>(std::ceil(root * root))};
}

std::optional<std::int64_t> critical_wins(std::int64_t n, double alpha) {
  require_at_least("n", n, 0);
  require_between("alpha", alpha, 0.0, 0.5);
  // The number of pairs that a new study needs asks for 200 designs, and simulations for the same ones again.
  constexpr std::size_t max_known = 10'000;
  thread_local std::map<std::pair<std::int64_t, double>, std::int64_t> known;
  if (known.size() > max_known) known.clear();
  auto found = known.find({n, alpha});
  if (found == known.end()) {
    const auto enough = [&](std::int64_t w) { return at_most(binomial_at_least(w, n, 0.5), alpha); };
    found = known.emplace(std::pair(n, alpha), first_where(0, n + 1, enough)).first;
  }
  return found->second <= n ? std::optional(found->second) : std::nullopt;
}

SignDesign exact_sign_design(const Levels& levels) {
  require_levels(levels);
  const std::int64_t enough = surely_enough(levels);
  if (enough > largest_design)
    throw InvalidInput("gamma", shortest(levels.win_rate()), "values that need at most 200000 pairs");
  const auto suffices = [&](std::int64_t n) { return power_at(n, levels) >= 1.0 - levels.beta; };
  SignDesign design;
  for (design.pairs = 1; !suffices(design.pairs);) ++design.pairs;
  for (design.stable_pairs = enough; suffices(design.stable_pairs - 1);) --design.stable_pairs;
  design.wins_needed = critical_wins(design.pairs, levels.alpha).value();
  design.size = binomial_at_least(design.wins_needed, design.pairs, 0.5);
  design.power = binomial_at_least(design.wins_needed, design.pairs, levels.win_rate());
  return design;
}

FixedRule fixed_rule(std::int64_t pairs, const Levels& levels) {
  require_levels(levels);
  require_at_least("pairs", pairs, 0);
  FixedRule rule{.pairs = pairs, .min_p = std::exp2(-static_cast<double>(pairs))};
  const std::int64_t max_wins = max_not_meaningful(pairs, levels);
  if (max_wins >= 0) rule.not_meaningful_to = max_wins;
  const auto critical = critical_wins(pairs, levels.alpha);
  if (!critical || max_wins >= pairs) return rule;
  rule.better_from = std::max(*critical, max_wins + 1);
  rule.size = binomial_at_least(*rule.better_from, pairs, 0.5);
  rule.power = binomial_at_least(*rule.better_from, pairs, levels.win_rate());
  return rule;
}

Status FixedRule::verdict(std::int64_t wins) const {
  if (better_from && wins >= *better_from) return Status::better;
  if (better_from && pairs - wins >= *better_from) return Status::worse;
  return not_meaningful_to && wins <= *not_meaningful_to ? Status::not_meaningful : Status::inconclusive;
}

Status pab_exact(std::int64_t wins, std::int64_t pairs, const Levels& levels) {
  require_within("wins", wins, 0, pairs);
  return fixed_rule(pairs, levels).verdict(wins);
}

MorePairs more_pairs(std::int64_t wins, std::int64_t pairs, const Levels& levels) {
  require_levels(levels);
  require_at_least("pairs", pairs, 0);
  require_within("wins", wins, 0, pairs);
  MorePairs advice;
  for (std::int64_t more = 1; more <= 10 * pairs; ++more) {
    advice.probability = decision_probability(wins, pairs, more, levels);
    if (advice.probability < target_probability) continue;
    advice.pairs = more;
    break;
  }
  return advice;
}

}  // namespace retrial::variance::inline wins
