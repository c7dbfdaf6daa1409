#include <algorithm>

#include "harness/judge/claims_page.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "variance/designs/power.hpp"

/// What is known of the claims of a study before it runs.
namespace retrial::harness::inline judge {
namespace {

/// Holm's first step, which every claim passes: what holds at alpha / claims holds whatever becomes of the others.
double level_of(const Study& study) {
  return study.claims.alpha / static_cast<double>(study.claims.claims.size());
}

std::optional<double> smallest_effect(const Study& study) {
  if (study.pairs < 2) return {};
  return variance::detectable_effect(study.pairs, {.alpha = level_of(study), .beta = 1 - claim_power});
}

std::int64_t least_pairs(const Study& study) {
  std::int64_t pairs = 2;
  for (const auto& claim : study.claims.claims) pairs = std::max(pairs, pairs_that_can(claim.test, level_of(study)));
  return pairs;
}

/// Standard deviation of the pairs up to which a claim that tolerates a difference is found when there is none; of an
/// equality both ends take their part of the risk.
std::optional<double> largest_sd(const Study& study, const RegisteredClaim& claim) {
  if (study.pairs < 2 || !tolerates(claim.expect)) return {};
  const double beta = (1 - claim_power) / (claim.expect == Expect::equal ? 2 : 1);
  return claim.margin / variance::detectable_effect(study.pairs, {.alpha = level_of(study), .beta = beta});
}

std::string sd_text(const Study& study, const RegisteredClaim& claim) {
  const auto sd = largest_sd(study, claim);
  const std::string unit = difference_unit(claim.unit);
  return sd ? short_text(*sd) + (unit.empty() ? "" : " " + unit) : "-";
}

std::string reach_text(const Study& study) {
  if (study.pairs < least_pairs(study))
    return counted(study.pairs, "pair") + " cannot show all of them: the least p of an exact test is too large; " +
           std::to_string(least_pairs(study)) + " pairs can";
  return counted(study.pairs, "pair") + " find a mean difference of " + short_text(*smallest_effect(study)) +
         " standard deviations of the pairs with " + percent(claim_power) +
         " power, whatever becomes of the other claims" +
         (std::ranges::any_of(study.claims.claims, tolerates, &RegisteredClaim::expect)
              ? "; bears: up to this standard deviation they find with that power that two equal variants lie within "
                "the margin"
              : "");
}

}  // namespace

std::string planned_claims_page(const Study& study) {
  if (study.claims.empty()) return "";
  TextTable table({{"claim"}, {"what is said"}, {"test"}, {"bears", Align::right}});
  for (const auto& claim : study.claims.claims)
    table.add({claim.name, claim.sentence(), claim.test, sd_text(study, claim)});
  return bold(counted(std::ssize(study.claims.claims), "claim")) + ", judged together at alpha " +
         short_text(study.claims.alpha) + " (Holm 1979)\n" + table.text(2, terminal_width()) +
         paragraph("  " + reach_text(study)) + "\n";
}

Json planned_claims_json(const Study& study) {
  if (study.claims.empty()) return Json();
  Json claims = Json::array();
  for (const auto& claim : study.claims.claims)
    claims.push_back({{"name", claim.name},
                      {"says", claim.says},
                      {"sentence", claim.sentence()},
                      {"test", claim.test},
                      {"largest_sd", json_number(largest_sd(study, claim))}});
  return {{"alpha", json_number(study.claims.alpha)}, {"adjust", "holm"},
          {"least_pairs", least_pairs(study)},        {"detectable_effect", json_number(smallest_effect(study))},
          {"power", json_number(claim_power)},        {"claims", std::move(claims)}};
}

}  // namespace retrial::harness::inline judge
