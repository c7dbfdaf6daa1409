#include <cmath>

#include "harness/planning/power_plan.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/power.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::harness::inline planning {
namespace {

using variance::Levels;
using variance::NoetherDesign;

const std::vector<std::int64_t> usual_runs{5, 10, 15, 20, 25, 29, 30, 35, 40, 42, 44, 50, 60, 80, 100};

/// The three sizes for one question: of the rule that judges, and of two normal approximations.
struct Sizes {
  variance::SignDesign exact;
  variance::FixedRule rule;  ///< after exact.pairs
  variance::NormalSize sign_pairs, wmw_per_group;
};

Sizes sizes_for(const Levels& claim) {
  Sizes sizes{.exact = variance::exact_sign_design(claim),
              .rule = {},
              .sign_pairs = variance::noether(claim, NoetherDesign::sign_pairs),
              .wmw_per_group = variance::noether(claim, NoetherDesign::wmw_per_group)};
  sizes.rule = variance::fixed_rule(sizes.exact.pairs, claim);
  return sizes;
}

/// The published number of runs was computed for a different test than the one it is used with.
std::string correction(const Sizes& sizes) {
  return std::to_string(sizes.wmw_per_group.n) +
         " runs, the published number at the usual levels, is the size of an unpaired test over all pairs of runs; a "
         "rule that counts won pairs needs " +
         std::to_string(sizes.sign_pairs.n) + " by the same approximation and " + std::to_string(sizes.exact.pairs) +
         " exactly";
}

std::string level_words(const PlanLevels& levels) {
  return "alpha " + short_text(levels.alpha) + (levels.two_sided ? " for BETTER and WORSE together" : "");
}

Json wins_or_null(const variance::FixedRule& rule) {
  return rule.better_from ? Json(*rule.better_from) : Json();
}

/// pab_exact where a gamma is given, else the exact sign test.
void plan_exact(PowerPlan& plan, const PlanLevels& levels, const Sizes& sizes, const std::string& share) {
  const Levels claim = levels.claim();
  plan.rule = levels.gamma ? "pab_exact, " + level_words(levels) +
                                 ": BETTER if the exact sign test rejects and a win "
                                 "rate of " +
                                 share + " is not ruled out at beta " + short_text(levels.beta)
                           : "exact sign test, " + level_words(levels) + "; the win rate of " + share +
                                 " is assumed, because no --gamma is given";
  plan.runs = sizes.exact.pairs;
  plan.power = [claim](std::int64_t n) {
    return variance::rule_power(variance::fixed_rule(n, claim), claim.win_rate());
  };
  plan.facts.insert(plan.facts.end(), {{"BETTER needs", std::to_string(*sizes.rule.better_from) + " wins"},
                                       {"false-positive rate", percent(sizes.rule.size)},
                                       {"power", percent(sizes.rule.power),
                                        "above " + percent(1.0 - levels.beta) + " at every number of pairs from " +
                                            std::to_string(sizes.exact.stable_pairs) + " on"}});
  if (!plan.given) return;
  const auto given = variance::fixed_rule(*plan.given, claim);
  const auto detectable = variance::detectable_share(given, levels.beta);
  plan.found = {{"BETTER needs", given.better_from ? std::to_string(*given.better_from) + " wins"
                                                   : std::string("impossible: too few pairs")},
                {"false-positive rate", percent(given.size)},
                {"power at " + share, percent(given.power)},
                {"smallest share detected with power " + percent(1.0 - levels.beta),
                 detectable ? percent(*detectable) : std::string("none")}};
  plan.data["given"] = {{"pairs", given.pairs},
                        {"wins_needed", wins_or_null(given)},
                        {"size", results::rounded10(given.size)},
                        {"power", results::rounded10(given.power)},
                        {"detectable_gamma", detectable ? Json(results::rounded10(*detectable)) : Json()}};
}

/// Noether 1987: the power is Phi(scale (share - 1/2) sqrt(n) - z_{1-alpha}).
void plan_normal(PowerPlan& plan, const PlanLevels& levels, double scale, std::int64_t runs, const std::string& share) {
  const Levels claim = levels.claim();
  const double z = variance::quantile(1.0 - claim.alpha);
  plan.runs = runs;
  plan.power = [=](std::int64_t n) {
    return variance::normal_cdf(scale * (claim.win_rate() - 0.5) * std::sqrt(static_cast<double>(n)) - z);
  };
  if (!plan.given) return;
  const double power = plan.power(*plan.given);
  const double least =
      0.5 + (z - variance::quantile(levels.beta)) / (scale * std::sqrt(static_cast<double>(*plan.given)));
  plan.found = {{"power at " + share, percent(power)},
                {"smallest share detected with power " + percent(1.0 - levels.beta),
                 least <= 1.0 ? percent(least) : std::string("none")}};
  plan.data["given"] = {{"pairs", *plan.given},
                        {"wins_needed", nullptr},
                        {"size", nullptr},
                        {"power", results::rounded10(power)},
                        {"detectable_gamma", least <= 1.0 ? Json(results::rounded10(least)) : Json()}};
}

}  // namespace

PowerPlan win_plan(const std::string& design, const PlanLevels& levels, std::optional<std::int64_t> n) {
  const Levels claim = levels.claim();
  const Sizes sizes = sizes_for(claim);
  const std::string share = percent(claim.win_rate());
  PowerPlan plan{.at = usual_runs, .given = n, .notes = {correction(sizes) + "."}};
  plan.data = {
      {"design", design},
      {"alpha", results::rounded10(levels.alpha)},
      {"beta", results::rounded10(levels.beta)},
      {"gamma", results::rounded10(claim.win_rate())},
      {"gamma_given", levels.gamma.has_value()},
      {"sides", levels.two_sided ? "two" : "one"},
      {"exact",
       {{"pairs", sizes.exact.pairs},
        {"wins_needed", wins_or_null(sizes.rule)},
        {"size", results::rounded10(sizes.rule.size)},
        {"power", results::rounded10(sizes.rule.power)},
        {"stable_pairs", sizes.exact.stable_pairs}}},
      {"sign_pairs", {{"value", results::rounded10(sizes.sign_pairs.exact)}, {"pairs", sizes.sign_pairs.n}}},
      {"wmw_per_group", {{"value", results::rounded10(sizes.wmw_per_group.exact)}, {"runs", sizes.wmw_per_group.n}}},
      {"correction", correction(sizes)},
      {"given", nullptr}};
  if (design == "exact") {
    plan_exact(plan, levels, sizes, share);
  } else if (design == "sign_pairs") {
    plan.rule = "exact sign test by its normal approximation (Noether 1987), " + level_words(levels);
    plan_normal(plan, levels, 2.0, sizes.sign_pairs.n, share);
  } else {
    plan.unit = "run per variant";
    plan.rule = "Mann-Whitney test by its normal approximation (Noether 1987), " + level_words(levels);
    plan_normal(plan, levels, std::sqrt(6.0), sizes.wmw_per_group.n, share);
  }
  const std::string runs =
      plan.unit == "pair" ? counted(*plan.runs, "pair") : counted(*plan.runs, "run") + " per variant";
  plan.title =
      runs + " to detect a candidate that wins " + share + " of the pairs with power " + percent(1.0 - levels.beta);
  return plan;
}

}  // namespace retrial::harness::inline planning
