#include <algorithm>

#include "harness/judge/claims/claims_page.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "variance/designs/power.hpp"

/// The claims of a study before it runs.
namespace retrial::harness::inline judge::inline claims {
namespace {

/// Holm's first step: a claim that holds at alpha / claims holds whatever the others show.
double level_of(const Study& study) {
  return study.claims.alpha / static_cast<double>(study.claims.claims.size());
}

/// Of the claim that needs most: the one whose pairs share most rows.
std::optional<double> smallest_effect(const Study& study) {
  if (study.pairs < 2) return {};
  double overlap = 0;
  for (const auto& claim : study.claims.claims) overlap = std::max(overlap, claim.overlap.value_or(0));
  return variance::detectable_effect(study.pairs,
                                     {.alpha = level_of(study), .beta = 1 - claim_power, .overlap = overlap});
}

std::int64_t min_pairs(const Study& study) {
  std::int64_t pairs = 2;
  for (const auto& claim : study.claims.claims) pairs = std::max(pairs, min_pairs_for(claim, level_of(study)));
  return pairs;
}

/// Standard deviation of the pair differences up to which a claim that tolerates a difference is found when there is
/// none. For an equality both ends take half of the risk.
std::optional<double> largest_sd(const Study& study, const RegisteredClaim& claim) {
  if (study.pairs < 2 || !tolerates(claim.expect)) return {};
  const double beta = (1 - claim_power) / (claim.expect == Expect::equal ? 2 : 1);
  return claim.margin /
         variance::detectable_effect(study.pairs,
                                     {.alpha = level_of(study), .beta = beta, .overlap = claim.overlap.value_or(0)});
}

std::string sd_text(const Study& study, const RegisteredClaim& claim) {
  const auto sd = largest_sd(study, claim);
  const std::string unit = difference_unit(claim.unit);
  return sd ? short_text(*sd) + (unit.empty() ? "" : " " + unit) : "-";
}

std::string reach_text(const Study& study) {
  const std::string pairs = counted(study.pairs, "pair"), power = percent(claim_power) + " power";
  if (study.pairs < min_pairs(study))
    return pairs + " cannot show all of them: the smallest p of an exact test is too large; " +
           std::to_string(min_pairs(study)) + " pairs can.";
  std::string out = pairs + " detect a mean difference of " + short_text(*smallest_effect(study)) +
                    " standard deviations of the pair differences with " + power + ", whatever the other claims show.";
  if (std::ranges::any_of(study.claims.claims, [](const auto& claim) { return !claim.contrast.empty(); }))
    out += " The pair difference of a contrast is its weighted sum.";
  for (const auto& claim : study.claims.claims)
    if (!claim.cells.empty())
      out += " " + claim.name + ": " + std::to_string(claim.cells.size()) + " sets in each of " + pairs +
             "; its pair difference is the share of sets won minus " + short_text(*claim.value) + ".";
  if (std::ranges::any_of(study.claims.claims, tolerates, &RegisteredClaim::expect))
    out +=
        " Max sd: up to this standard deviation, equal variants are shown to be within the margin with " + power + ".";
  return out;
}

}  // namespace

std::string planned_claims_page(const Study& study) {
  if (study.claims.empty()) return "";
  report::Table table{.caption = "", .columns = {{"claim"}, {"statement"}, {"test"}, {"max sd", true}}, .rows = {}};
  for (const auto& claim : study.claims.claims)
    table.rows.push_back({claim.name, claim.sentence(), test_text(claim), sd_text(study, claim)});
  return section_text({.id = "claims",
                       .title = counted(std::ssize(study.claims.claims), "claim"),
                       .aside = "judged together at alpha " + short_text(study.claims.alpha) + " (Holm 1979)",
                       .blocks = {std::move(table), report::Paragraph{reach_text(study)}}}) +
         "\n";
}

Json planned_claims_json(const Study& study) {
  if (study.claims.empty()) return Json();
  Json claims = Json::array();
  for (const auto& claim : study.claims.claims) {
    claims.push_back({{"name", claim.name},
                      {"says", claim.says},
                      {"sentence", claim.sentence()},
                      {"test", claim.test},
                      {"overlap", json_number(claim.overlap)},
                      {"largest_sd", json_number(largest_sd(study, claim))}});
    if (!claim.cells.empty()) claims.back()["cells"] = cells_json(claim.cells);
    if (!claim.contrast.empty()) claims.back()["contrast"] = contrast_json(claim.contrast);
  }
  return {{"alpha", json_number(study.claims.alpha)}, {"adjust", "holm"},
          {"least_pairs", min_pairs(study)},          {"detectable_effect", json_number(smallest_effect(study))},
          {"power", json_number(claim_power)},        {"claims", std::move(claims)}};
}

}  // namespace retrial::harness::inline judge::inline claims
