#include "harness/judge/claims/claims_page.hpp"

#include <algorithm>
#include <span>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline judge::inline claims {
namespace {

report::Tone outcome_tone(ClaimOutcome outcome) {
  if (outcome == ClaimOutcome::holds) return report::Tone::good;
  return outcome == ClaimOutcome::refuted || outcome == ClaimOutcome::invalid ? report::Tone::bad : report::Tone::open;
}

std::string difference_text(const JudgedClaim& judged) {
  if (!judged.difference) return "-";
  const std::string unit = difference_unit(judged.claim.unit);
  return signed_text(judged.difference->point) + (unit.empty() ? "" : " " + unit);
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

/// For claims made of several candidates: "none-better: 29 of 31 hold; INCONCLUSIVE: ab, dkd".
std::vector<std::string> group_lines(const std::vector<JudgedClaim>& all) {
  std::vector<std::string> out;
  for (auto first = all.begin(); first != all.end();) {
    const std::string table = first->claim.table();
    const auto next = std::find_if(first, all.end(), [&](const auto& one) { return one.claim.table() != table; });
    if (first->claim.name != table) out.push_back(table + ": " + counts_text({first, next}));
    first = next;
  }
  return out;
}

std::string claim_line(const JudgedClaim& judged) {
  const auto& claim = judged.claim;
  return claim.name + ": " + (claim.says.empty() ? "" : claim.says + " - ") + claim.sentence() + " (" +
         test_text(claim) +
         (claim.cells.empty() || !judged.difference
              ? ")"
              : "; mean share " + short_text(*claim.value + judged.difference->point) + ")");
}

/// The guarantee, and the meaning of each number.
std::string claims_rule(const RegisteredClaims& family) {
  return "Declared before the first run and judged together: the chance that any false one of " +
         counted(std::ssize(family.claims), "claim") + " is called HOLDS is at most " + percent(family.alpha) +
         ", and the same for REFUTED (Holm 1979). Differences are means over pairs; each interval is for that claim "
         "alone (paired t, with the overlap of a corrected_t); p is one-sided: against the claim where it is REFUTED, "
         "for it elsewhere. Needed: total "
         "pairs to find a difference like the observed one with " +
         percent(claim_power) + " power at alpha / claims by the t test.";
}

/// Empty where the claim is settled.
std::string pairs_needed_text(const JudgedClaim& claim) {
  if (claim.outcome != ClaimOutcome::inconclusive) return "";
  return claim.pairs_needed ? std::to_string(*claim.pairs_needed) : "-";
}

/// Each remark on trials that ran side by side once, with the claims that it is about.
std::vector<std::string> side_by_side_lines(const JudgedClaims& judged) {
  std::vector<std::pair<std::string, std::vector<std::string>>> remarks;
  for (const auto& claim : judged.claims) {
    if (claim.side_by_side.empty()) continue;
    auto found = std::ranges::find(remarks, claim.side_by_side, [](const auto& each) { return each.first; });
    if (found == remarks.end()) found = remarks.insert(found, {claim.side_by_side, {}});
    found->second.push_back(claim.claim.name);
  }
  std::vector<std::string> out;
  for (const auto& [remark, names] : remarks) out.push_back(results::joined(names) + ": " + remark);
  return out;
}

/// "up: 2 pairs left out; retried: 3 of shifted, 0 of base", for claims that have either.
std::vector<std::string> failure_lines(const JudgedClaims& judged) {
  std::vector<std::string> out;
  for (const auto& one : judged.claims) {
    const auto& [of_candidate, of_baseline, most] = one.retries;
    const std::string lowered = one.claim.side(false);
    std::vector<std::string> parts;
    if (one.left_out > 0) parts.push_back(counted(one.left_out, "pair") + " left out, in which a trial failed");
    if (most > 0)
      parts.push_back("trials run again after a failure: " + std::to_string(of_candidate) + " of " +
                      one.claim.side(true) +
                      (lowered.empty() ? "" : ", " + std::to_string(of_baseline) + " of " + lowered));
    if (!parts.empty()) out.push_back(one.claim.name + ": " + results::joined(parts, "; "));
  }
  return out;
}

bool refuted(const JudgedClaim& claim) {
  return claim.outcome == ClaimOutcome::refuted;
}

report::Table claims_table(const JudgedClaims& judged) {
  report::Table out{.caption = "",
                    .columns = {{"claim"},
                                {"verdict"},
                                {"difference", true},
                                {"interval"},
                                {"pairs", true},
                                {"p", true},
                                {"Holm p", true},
                                {"needed", true}},
                    .rows = {}};
  for (const auto& one : judged.claims)
    out.rows.push_back({one.claim.name,
                        {std::string(name_of(one.outcome)), outcome_tone(one.outcome)},
                        difference_text(one),
                        one.difference ? interval_text(*one.difference) : "-",
                        std::to_string(one.pairs),
                        or_dash(refuted(one) ? one.p_against : one.p_for),
                        or_dash(refuted(one) ? one.adjusted_against : one.adjusted_for),
                        pairs_needed_text(one)});
  return out;
}

}  // namespace

Json contrast_json(const Contrast& contrast) {
  Json out = Json::array();
  for (const auto& [variant, weight] : contrast) out.push_back({{"variant", variant}, {"weight", json_number(weight)}});
  return out;
}

Json cells_json(const std::vector<ShareCell>& cells) {
  Json out = Json::array();
  for (const auto& cell : cells)
    out.push_back({{"candidate", cell.candidate}, {"baseline", cell.baseline}, {"metric", cell.metric.text()}});
  return out;
}

report::Section claims_section(const StudyView& study, const JudgedClaims& judged) {
  report::Section out{.id = "registered-claims",
                      .title = "Registered claims",
                      .aside = "of study " + study.name + " (" + results::hex(study.digest).substr(0, 12) + ")",
                      .blocks = {report::Paragraph{claims_rule(judged.family)}, claims_table(judged)}};
  for (const auto& text : judged.undeclared) out.blocks.emplace_back(report::Warning{text, "not declared"});
  if (!judged.recorded) out.blocks.emplace_back(report::Warning{look_not_counted, "look not recorded"});
  if (!judged.resamples.empty()) out.blocks.emplace_back(report::Warning{judged.resamples, "resamples"});
  if (!judged.of_profile.empty()) out.blocks.emplace_back(report::Warning{judged.of_profile, "one profile"});
  if (!judged.shared.empty()) out.blocks.emplace_back(report::Warning{judged.shared, "one question"});
  for (const auto& text : failure_lines(judged)) out.blocks.emplace_back(report::Warning{text, "failures"});
  if (auto groups = group_lines(judged.claims); !groups.empty())
    out.blocks.emplace_back(report::List{std::move(groups)});
  report::List sentences;
  for (const auto& one : judged.claims) sentences.items.push_back(claim_line(one));
  out.blocks.emplace_back(std::move(sentences));
  for (const auto& one : judged.claims)
    if (!one.reason.empty()) out.blocks.emplace_back(report::Warning{one.claim.name + ": " + one.reason});
  for (const auto& one : judged.claims)
    if (!one.bounds.empty()) out.blocks.emplace_back(report::Warning{one.claim.name + ": " + one.bounds, "bounds"});
  for (const auto& text : side_by_side_lines(judged)) out.blocks.emplace_back(report::Warning{text, "warning"});
  return out;
}

namespace {

Json claim_fields(const JudgedClaim& judged) {
  const auto& claim = judged.claim;
  Json metric = Json::array(), against = Json::array();
  for (const auto& reading : claim.metric) metric.push_back(reading.text());
  for (const auto& reading : claim.against) against.push_back(reading.text());
  const auto& d = judged.difference;
  Json out{{"name", claim.name},
           {"says", claim.says},
           {"sentence", claim.sentence()},
           {"candidate", claim.contrast.empty() ? Json(claim.candidate) : Json()},
           {"baseline", claim.value ? Json() : Json(claim.baseline)},
           {"metric", metric},
           {"against", claim.value ? Json() : against},
           {"value", json_number(claim.value)},
           {"expect", name_of(claim.expect)},
           {"margin", json_number(claim.margin)},
           {"test", claim.test},
           {"overlap", json_number(claim.overlap)},
           {"unit", claim.unit},
           {"verdict", name_of(judged.outcome)},
           {"reason", judged.reason},
           {"bounds", judged.bounds},
           {"pairs", judged.pairs},
           {"left_out", judged.left_out},
           {"retries", {{"candidate", judged.retries.candidate}, {"baseline", judged.retries.baseline}}},
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
  if (!claim.contrast.empty()) out["contrast"] = contrast_json(claim.contrast);
  if (claim.cells.empty()) return out;
  out["cells"] = cells_json(claim.cells);
  out["share"] = d ? json_number(*claim.value + d->point) : Json();
  return out;
}

}  // namespace

Json claims_document(const StudyView& study, const JudgedClaims& judged) {
  Json claims = Json::array();
  for (const auto& claim : judged.claims) claims.push_back(claim_fields(claim));
  return {{"schema", "retrial.registered_claims/1"},
          {"study", study.name},
          {"study_digest", results::hex(study.digest)},
          {"alpha", json_number(judged.family.alpha)},
          {"adjust", "holm"},
          {"failure", judged.family.failure},
          {"declared", judged.undeclared.empty()},
          {"undeclared", judged.undeclared},
          {"recorded", judged.recorded},
          {"resamples", judged.resamples},
          {"shared", judged.shared},
          {"warnings", side_by_side_lines(judged)},
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

}  // namespace retrial::harness::inline judge::inline claims
