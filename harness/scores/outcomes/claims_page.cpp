#include <algorithm>

#include "harness/scores/outcomes/claims.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline outcomes {
namespace {

using report::right;
using variance::Status;
using variance::TestOutcome;

std::string subject_of(const Claim& claim) {
  return (claim.task.empty() ? "" : claim.task + ": ") + claim.test.candidate + " - " + claim.test.baseline;
}

std::string bounds_text(const variance::Estimate& estimate) {
  if (estimate.low && estimate.high) return "[" + short_text(*estimate.low) + ", " + short_text(*estimate.high) + "]";
  return estimate.high ? "at most " + short_text(*estimate.high) : "";
}

std::string deciding_text(const std::optional<variance::DecidingP>& deciding, double limit) {
  return deciding ? p_text(deciding->p, limit) : "";
}

/// "better": the claim that the p of a line is for.
std::string claimed_text(const Claim& claim) {
  if (!claim.deciding) return "";
  return claim_word(claim.deciding->claim, claim.test.outcome.about);
}

/// Meaning of the columns of p values.
std::string rule_text(const Claims& all) {
  const variance::TestSettings& settings = all.claims.front().test.settings;
  const auto about = all.claims.front().test.outcome.about;
  const auto some_for = [&](const auto& claimed) {
    return std::ranges::any_of(all.claims,
                               [&](const Claim& claim) { return claim.deciding && claimed(claim.deciding->claim); });
  };
  const bool directed = some_for([](Status s) { return s == Status::better || s == Status::worse; }),
             equivalent = some_for([](Status s) { return s == Status::equivalent; }),
             meaningless = some_for([](Status s) { return s == Status::not_meaningful; });
  const std::string most = "an adjusted p of at most ", alpha = most + short_text(settings.alpha);
  std::vector<std::string> needs;
  if (directed)
    needs.push_back(std::string(variance::name_of(Status::better, about)) + " and " +
                    std::string(variance::name_of(Status::worse, about)) + " need " + alpha);
  if (equivalent) needs.push_back("EQUIVALENT needs " + alpha);
  if (meaningless) needs.push_back("NOT MEANINGFUL needs " + most + short_text(settings.beta));
  if (needs.empty()) return "";
  std::string out = "p and adjusted p decide";
  if (directed)
    out += std::string(", each for the claim named before it: ") + (settings.sides == variance::Sides::one ? "one-sided"
                                                                    : needs.size() == 1
                                                                        ? "twice the one-sided p"
                                                                        : "for better and worse twice the one-sided p");
  return out + (directed ? "; " : ": ") + results::joined(needs, "; ");
}

/// A row for each claim: what was measured, before any test.
report::Table both_sides_table(const Claims& all) {
  report::Table out{.columns = {"scores", right("n"), right("candidate"), right("sd"), right("n"), right("baseline"),
                                right("sd"), right("difference"), right("sd")}};
  for (const Claim& claim : all.claims) {
    if (!claim.test.sides) continue;
    const TwoSides& sides = *claim.test.sides;
    std::vector<report::Cell> cells{subject_of(claim)};
    for (const SideNumbers* side : {&sides.candidate, &sides.baseline}) {
      cells.emplace_back(std::to_string(side->n));
      cells.emplace_back(or_dash(side->mean));
      cells.emplace_back(or_dash(side->sd));
    }
    const auto difference = difference_cells(sides);
    cells.insert(cells.end(), difference.begin() + 1, difference.end());
    out.rows.push_back(std::move(cells));
  }
  return out;
}

report::Table verdicts_table(const Claims& all) {
  report::Table out{.columns = {"claim", right("n"), right("estimate"), "interval", "p for", right("p"),
                                right("adjusted p"), "verdict"}};
  for (const Claim& claim : all.claims) {
    const TestOutcome& o = claim.test.outcome;
    out.rows.push_back({subject_of(claim), std::to_string(o.candidate_runs),
                        o.status == Status::invalid ? "" : short_text(o.estimate.point), bounds_text(o.estimate),
                        claimed_text(claim), deciding_text(claim.deciding, limit_of(claim)),
                        deciding_text(claim.deciding_adjusted, limit_of(claim)),
                        std::string(variance::name_of(claim.status, o.about))});
  }
  return out;
}

/// A row for each claim: how large the difference is in units that need no knowledge of the metric, and the spreads.
report::Table sizes_table(const Claims& all) {
  report::Table out{.columns = {"effects", right("standardized"), "interval", "by", right("sd ratio"), "interval"}};
  for (const Claim& claim : all.claims) {
    if (!claim.test.effects) continue;
    const auto& [sizes, sd_ratio] = claim.test.effects->effects;
    const auto size = std::ranges::find_if(sizes, [](const variance::EffectSize& one) {
      return one.leads && one.kind == variance::EffectKind::standardized;
    });
    const bool found = size != sizes.end();
    out.rows.push_back({subject_of(claim), found ? signed_text(size->estimate.point) : "-",
                        found ? bounds_text(size->estimate) : "", found ? std::string(size->name) : "",
                        sd_ratio ? short_text(sd_ratio->point) : "-", sd_ratio ? bounds_text(*sd_ratio) : ""});
  }
  return out;
}

/// On how many tasks one candidate is better.
std::string partial_conjunction_text(const Claims& all) {
  const ScoreTest& first = all.claims.front().test;
  const std::string better = claim_word(Status::better, first.outcome.about);
  return (*all.better_on == 0
              ? "no " + all.task + " shows significantly that " + first.candidate + " is " + better + " than " +
                    first.baseline
              : first.candidate + " is " + better + " than " + first.baseline + " on at least " +
                    std::to_string(*all.better_on) + " of " + counted(std::ssize(all.claims), all.task)) +
         " (partial conjunction)";
}

std::vector<std::string> notes_of(const Claims& all) {
  std::vector<std::string> notes = all.notes;
  for (const Claim& claim : all.claims)
    for (const auto* from : {&claim.test.outcome.notes, &claim.test.warnings})
      for (const std::string& note : *from) notes.push_back(subject_of(claim) + ": " + note);
  return notes;
}

Json document_of(const Claims& all) {
  Json claims = Json::array();
  for (const Claim& claim : all.claims) {
    Json one = test_document(claim.test);
    one["notes"] = claim.test.outcome.notes;  // warnings about the claim alone do not apply after the correction
    one["task"] = claim.task;
    one["p_adjusted"] = json_number(claim.p_adjusted);
    one["p_better_adjusted"] = json_number(claim.p_better_adjusted);
    one["p_worse_adjusted"] = json_number(claim.p_worse_adjusted);
    one["p_equivalent_adjusted"] = json_number(claim.p_equivalent_adjusted);
    one["p_not_meaningful_adjusted"] = json_number(claim.p_not_meaningful_adjusted);
    const auto about = claim.test.outcome.about;
    one["deciding"] = claim.deciding ? Json(variance::name_of(claim.deciding->claim, about)) : Json();
    one["p_deciding"] = claim.deciding ? json_number(claim.deciding->p) : Json();
    one["p_deciding_adjusted"] = claim.deciding_adjusted ? json_number(claim.deciding_adjusted->p) : Json();
    one["verdict_alone"] = one.at("verdict");
    one["verdict"] = variance::name_of(claim.status, about);
    claims.push_back(one);
  }
  return {{"schema", "retrial.claims/1"},
          {"adjust", name_of(all.adjust)},
          {"claims", claims},
          {"better_on_at_least", all.better_on ? Json(*all.better_on) : Json()},
          {"declared", all.standing.undeclared.empty()},
          {"on_trust", all.standing.on_trust},
          {"undeclared", all.standing.undeclared},
          {"recorded", all.standing.recorded},
          {"notes", all.notes}};
}

}  // namespace

double limit_of(const Claim& claim) {
  const bool by_gamma = claim.deciding && claim.deciding->claim == Status::not_meaningful;
  return by_gamma ? claim.test.settings.beta : claim.test.settings.alpha;
}

report::Part claims_part(const Claims& all) {
  const ScoreTest& first = all.claims.front().test;
  report::Section out{
      .id = "claims",
      .title = counted(std::ssize(all.claims), "claim") + ", corrected by " + std::string(name_of(all.adjust)),
      .blocks = {report::Paragraph{first.outcome.test + " (" + first.outcome.method + "), " + wanted_words(first) +
                                   ", alpha " + short_text(first.settings.alpha) +
                                   "; estimate: " + first.outcome.estimand}}};
  if (std::string rule = rule_text(all); !rule.empty()) out.blocks.emplace_back(report::Paragraph{std::move(rule)});
  for (report::Table table : {both_sides_table(all), verdicts_table(all), sizes_table(all)})
    if (!table.rows.empty()) out.blocks.emplace_back(std::move(table));
  if (all.better_on) out.blocks.emplace_back(report::Paragraph{partial_conjunction_text(all)});
  if (std::ranges::any_of(all.claims, [](const Claim& claim) { return claim.test.outcome.drawn; }))
    out.blocks.emplace_back(report::Paragraph{"seed: " + std::to_string(first.root) + " (--seed repeats the draws)"});
  for (std::string& note : notes_of(all)) out.blocks.emplace_back(report::Warning{std::move(note)});
  return {.section = std::move(out), .data = document_of(all)};
}

}  // namespace retrial::harness::inline scores::inline outcomes
