#include "harness/claims/page.hpp"

#include <algorithm>
#include <span>

#include "harness/numbers.hpp"
#include "harness/output.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "harness/verdict_words.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

std::string coloured(ClaimOutcome outcome) {
  const std::string word(name_of(outcome));
  if (outcome == ClaimOutcome::holds) return green(word);
  return outcome == ClaimOutcome::refuted || outcome == ClaimOutcome::invalid ? red(word) : yellow(word);
}

std::string difference_text(const JudgedClaim& judged) {
  if (!judged.difference) return "-";
  const std::string unit = difference_unit(judged.claim.unit);
  return signed_text(judged.difference->point) + (unit.empty() ? "" : " " + unit);
}

std::string sentences_text(const std::vector<JudgedClaim>& claims) {
  std::string out = "\n" + bold("Claims") + "\n";
  for (const auto& judged : claims) {
    const auto& claim = judged.claim;
    out += paragraph("  " + claim.name + ": " + (claim.says.empty() ? "" : claim.says + " - ") + claim.sentence() +
                     " (" + claim.test + ")");
  }
  return out;
}

/// "all 31 hold", "29 of 31 hold; INCONCLUSIVE: ab, dkd".
std::string counts_text(std::span<const JudgedClaim> claims) {
  const auto held = std::ranges::count(claims, ClaimOutcome::holds, &JudgedClaim::outcome);
  std::string out = held == std::ssize(claims)
                        ? "all " + std::to_string(held) + " hold"
                        : std::to_string(held) + " of " + std::to_string(claims.size()) + " hold";
  for (const auto outcome :
       {ClaimOutcome::refuted, ClaimOutcome::inconclusive, ClaimOutcome::no_verdict, ClaimOutcome::invalid}) {
    std::vector<std::string> candidates;
    for (const auto& one : claims)
      if (one.outcome == outcome) candidates.push_back(one.claim.candidate);
    if (!candidates.empty()) out += "; " + std::string(name_of(outcome)) + ": " + results::joined(candidates);
  }
  return out;
}

std::vector<std::string> reasons_of(const std::vector<JudgedClaim>& claims) {
  std::vector<std::string> out;
  for (const auto& judged : claims)
    if (!judged.reason.empty()) out.push_back(judged.claim.name + ": " + judged.reason);
  return out;
}

}  // namespace

std::string claims_rule(const RegisteredClaims& family) {
  return "declared before the first run; the chance that any false one of " + std::to_string(family.claims.size()) +
         " is said to hold is at most " + percent(family.alpha) +
         ", the same for refuted (Holm 1979). Differences are means over pairs, with the interval of each claim alone "
         "(paired t); p: one-sided, of what is claimed";
}

std::vector<std::string> groups_of(const JudgedClaims& judged) {
  std::vector<std::string> out;
  const auto& all = judged.claims;
  for (auto first = all.begin(); first != all.end();) {
    const std::string table = first->claim.table();
    const auto next = std::find_if(first, all.end(), [&](const auto& one) { return one.claim.table() != table; });
    if (first->claim.name != table) out.push_back(table + ": " + counts_text({first, next}));
    first = next;
  }
  return out;
}

std::string pairs_needed_text(const JudgedClaim& claim) {
  if (claim.outcome != ClaimOutcome::inconclusive) return "";
  return claim.pairs_needed ? std::to_string(*claim.pairs_needed) : "-";
}

std::string claims_page(const StudyView& study, const JudgedClaims& judged) {
  TextTable table({{"claim"},
                   {"verdict"},
                   {"difference", Align::right},
                   {"interval"},
                   {"pairs", Align::right},
                   {"p", Align::right},
                   {"adjusted", Align::right},
                   {"would take", Align::right}});
  for (const auto& one : judged.claims)
    table.add({one.claim.name, coloured(one.outcome), difference_text(one),
               one.difference ? interval_text(*one.difference) : "-", std::to_string(one.pairs), or_dash(one.p_for),
               or_dash(one.adjusted_for), pairs_needed_text(one)});
  return bold(counted(std::ssize(judged.claims), "claim")) + " of study " + study.name + " (" +
         results::hex(study.digest).substr(0, 12) + ")\n" + paragraph(claims_rule(judged.family)) + "\n" +
         table.text(2, terminal_width()) + "\n" +
         paragraph("would take: pairs in all that find a difference like the observed one with " +
                   percent(claim_power) + " power at alpha / claims, by the t test") +
         listed("together", groups_of(judged)) + sentences_text(judged.claims) +
         listed("note", reasons_of(judged.claims));
}

Json claim_fields(const JudgedClaim& judged) {
  const auto& claim = judged.claim;
  Json metric = Json::array(), against = Json::array();
  for (const auto& reading : claim.metric) metric.push_back(reading.text());
  for (const auto& reading : claim.against) against.push_back(reading.text());
  const auto& d = judged.difference;
  return {{"name", claim.name},
          {"says", claim.says},
          {"sentence", claim.sentence()},
          {"candidate", claim.candidate},
          {"baseline", claim.value ? Json() : Json(claim.baseline)},
          {"metric", metric},
          {"against", claim.value ? Json() : against},
          {"value", json_number(claim.value)},
          {"expect", name_of(claim.expect)},
          {"margin", json_number(claim.margin)},
          {"test", claim.test},
          {"unit", claim.unit},
          {"verdict", name_of(judged.outcome)},
          {"reason", judged.reason},
          {"pairs", judged.pairs},
          {"left_out", judged.left_out},
          {"difference", d ? Json{{"point", json_number(d->point)},
                                  {"low", json_number(d->low)},
                                  {"high", json_number(d->high)},
                                  {"level", json_number(d->level)},
                                  {"method", d->method}}
                           : Json()},
          {"p_for", json_number(judged.p_for)},
          {"p_against", json_number(judged.p_against)},
          {"adjusted_for", json_number(judged.adjusted_for)},
          {"adjusted_against", json_number(judged.adjusted_against)},
          {"pairs_needed", judged.pairs_needed ? Json(*judged.pairs_needed) : Json()}};
}

Json claims_document(const StudyView& study, const JudgedClaims& judged) {
  Json claims = Json::array();
  for (const auto& claim : judged.claims) claims.push_back(claim_fields(claim));
  return {{"schema", "retrial.registered_claims/1"},
          {"study", study.name},
          {"study_digest", results::hex(study.digest)},
          {"alpha", json_number(judged.family.alpha)},
          {"adjust", "holm"},
          {"failure", judged.family.failure},
          {"claims", std::move(claims)}};
}

Json claim_document(const StudyView& study, const JudgedClaims& judged, const JudgedClaim& claim) {
  Json out = claim_fields(claim);
  out.update({{"schema", "retrial.verdict/claim/1"},
              {"study_digest", results::hex(study.digest)},
              {"alpha", json_number(judged.family.alpha)},
              {"claims", judged.family.claims.size()}});
  return out;
}

}  // namespace retrial::harness
