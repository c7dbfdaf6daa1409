#include "harness/scores/family.hpp"

#include <algorithm>
#include <functional>

#include "harness/scores/selection/options.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::Status;
using variance::TestOutcome;

double claim_level(const ScoreTest& test) {
  return test.settings.sides == variance::Sides::two ? test.settings.alpha / 2.0 : test.settings.alpha;
}

/// Adjusted p values for one side of each claim; a claim without one counts as p = 1, so that it still counts in the
/// family.
void adjust_side(Claims& all, std::optional<double> TestOutcome::*p, std::optional<double> Claim::*adjusted) {
  std::vector<double> family;
  for (const Claim& claim : all.claims) family.push_back((claim.test.outcome.*p).value_or(1.0));
  const auto corrected = variance::adjusted(family, all.adjust);
  for (std::size_t i = 0; i < family.size(); ++i)
    if (all.claims[i].test.outcome.*p) all.claims[i].*adjusted = corrected[i];
}

/// That of the verdict of the test alone, which for some tests is not the only one that they can reach.
std::optional<variance::DecidingP> deciding_alone(const ScoreTest& test) {
  const TestOutcome& o = test.outcome;
  if (o.status == Status::equivalent && o.p_equivalent)
    return variance::DecidingP{.claim = o.status, .p = *o.p_equivalent};
  if (o.status == Status::not_meaningful && o.p_not_meaningful)
    return variance::DecidingP{.claim = o.status, .p = *o.p_not_meaningful};
  return variance::deciding_p(o, test.settings.sides);
}

std::optional<variance::DecidingP> adjusted_deciding(const Claim& claim) {
  if (!claim.deciding) return std::nullopt;
  const Status claimed = claim.deciding->claim;
  if (claimed == Status::equivalent) return variance::DecidingP{.claim = claimed, .p = *claim.p_equivalent_adjusted};
  if (claimed == Status::not_meaningful)
    return variance::DecidingP{.claim = claimed, .p = *claim.p_not_meaningful_adjusted};
  const double p = claimed == Status::better ? *claim.p_better_adjusted : *claim.p_worse_adjusted;
  return variance::deciding_p(claimed == Status::better ? p : 1.0, claimed == Status::better ? 1.0 : p,
                              claim.test.settings.sides);
}

/// The p that a claim needs.
double limit_of(const Claim& claim) {
  const bool by_gamma = claim.deciding && claim.deciding->claim == Status::not_meaningful;
  return by_gamma ? claim.test.settings.beta : claim.test.settings.alpha;
}

/// Exact tails may equal their limit.
Status kept(const Claim& claim) {
  const Status alone = claim.test.outcome.status;
  const bool by_p = claim.deciding && claim.deciding->claim == alone;
  return by_p && !variance::at_most(claim.deciding_adjusted->p, limit_of(claim)) ? Status::inconclusive : alone;
}

bool one_candidate(const Claims& all) {
  return std::ranges::all_of(all.claims, [&](const Claim& claim) {
    return claim.test.candidate == all.claims.front().test.candidate &&
           claim.test.baseline == all.claims.front().test.baseline;
  });
}

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

/// What the columns of p values mean.
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

/// A line for each claim: what was measured, before any test.
std::string both_sides_text(const Claims& all) {
  TextTable table({{"scores"},
                   {"n", Align::right},
                   {"candidate", Align::right},
                   {"sd", Align::right},
                   {"n", Align::right},
                   {"baseline", Align::right},
                   {"sd", Align::right},
                   {"difference", Align::right},
                   {"sd", Align::right}});
  for (const Claim& claim : all.claims) {
    if (!claim.test.sides) continue;
    const TwoSides& sides = *claim.test.sides;
    std::vector<std::string> cells{subject_of(claim)};
    for (const SideNumbers* side : {&sides.candidate, &sides.baseline}) {
      cells.push_back(std::to_string(side->n));
      cells.push_back(or_dash(side->mean));
      cells.push_back(or_dash(side->sd));
    }
    const auto difference = difference_cells(sides);
    cells.insert(cells.end(), difference.begin() + 1, difference.end());
    table.add(std::move(cells));
  }
  return table.empty() ? "" : table.text(2, terminal_width()) + "\n";
}

/// A line for each claim: how large the difference is in units that need no knowledge of the metric, and the spreads.
std::string effects_text(const Claims& all) {
  TextTable table(
      {{"effects"}, {"standardized", Align::right}, {"interval"}, {"by"}, {"sd ratio", Align::right}, {"interval"}});
  for (const Claim& claim : all.claims) {
    if (!claim.test.effects) continue;
    const auto& [sizes, sd_ratio] = claim.test.effects->effects;
    const auto size = std::ranges::find_if(sizes, [](const variance::EffectSize& one) {
      return one.leads && one.kind == variance::EffectKind::standardized;
    });
    const bool found = size != sizes.end();
    table.add({subject_of(claim), found ? signed_text(size->estimate.point) : "-",
               found ? bounds_text(size->estimate) : "", found ? std::string(size->name) : "",
               sd_ratio ? short_text(sd_ratio->point) : "-", sd_ratio ? bounds_text(*sd_ratio) : ""});
  }
  return table.empty() ? "" : "\n" + table.text(2, terminal_width());
}

[[noreturn]] void refuse_unpaired(const std::string& test, const Slice& slice) {
  std::vector<std::string> allowed;
  for (const auto& row : variance::all_comparisons())
    if (row.pairing == variance::Pairing::unpaired) allowed.emplace_back(row.name);
  throw Error({.code = "compare.not_paired",
               .field = "--test",
               .value = test,
               .problem = "needs pairs, but " + slice.unpaired,
               .allowed = results::joined(allowed),
               .help = slice.pairing});
}

}  // namespace

void adjust_claims(Claims& all) {
  adjust_side(all, &TestOutcome::p, &Claim::p_adjusted);
  adjust_side(all, &TestOutcome::p_better, &Claim::p_better_adjusted);
  adjust_side(all, &TestOutcome::p_worse, &Claim::p_worse_adjusted);
  adjust_side(all, &TestOutcome::p_equivalent, &Claim::p_equivalent_adjusted);
  adjust_side(all, &TestOutcome::p_not_meaningful, &Claim::p_not_meaningful_adjusted);
  std::vector<double> better;
  for (Claim& claim : all.claims) {
    claim.deciding = deciding_alone(claim.test);
    claim.deciding_adjusted = adjusted_deciding(claim);
    claim.status = kept(claim);
    if (claim.test.outcome.p_better) better.push_back(*claim.test.outcome.p_better);
  }
  if (all.claims.size() > 1 && better.size() == all.claims.size() && one_candidate(all))
    all.better_on = variance::partial_conjunction(better, claim_level(all.claims.front().test)).count;
}

ScoreTest test_slice(const Slice& slice, std::size_t candidate, std::size_t baseline, const std::string& name,
                     ScoreTest test, const std::optional<variance::FailurePolicy>& policy) {
  const auto& row = *variance::find_comparison(name);
  test.candidate = slice.names[candidate];
  test.baseline = slice.names[baseline];
  const bool pairs = row.pairing == variance::Pairing::paired;
  if (pairs && !slice.paired) refuse_unpaired(name, slice);
  if (pairs) slice.require_equal(candidate, baseline);
  test.sides =
      two_sides(test.candidate, slice.scores[candidate], test.baseline, slice.scores[baseline], slice.paired && pairs);
  test.sides->unit = test.unit;
  JudgedPair pair = judged_pair(slice, candidate, baseline, row, test.settings, policy);
  // Too few scores may remain without failed runs: of several claims only this one is then INVALID.
  const bool lacks = pair.missing_candidate + pair.missing_baseline > 0 &&
                     std::min(std::ssize(pair.candidate), std::ssize(pair.baseline)) < row.min_runs;
  if (pair.refused || lacks) {
    test.outcome = {.test = name,
                    .status = Status::invalid,
                    .reason = variance::InvalidReason::missing,
                    .method = "none",
                    .candidate_runs = static_cast<std::int64_t>(slice.scores[candidate].size()),
                    .baseline_runs = static_cast<std::int64_t>(slice.scores[baseline].size())};
    test.outcome.estimate.method = "none: scores are missing";
    test.outcome.notes.emplace_back(
        pair.refused
            ? "scores are missing, and --failure refuse forbids a test without them: re-run the failed runs, "
              "or leave out their pairs with --failure drop"
            : "too few scores remain without the failed runs: this test needs " + std::to_string(row.min_runs));
  } else {
    run_test(test, name, std::move(pair.candidate), std::move(pair.baseline));
    measure_effects(test, slice.scores[candidate], slice.scores[baseline], pairs);
  }
  if (slice.paired && !pairs && !slice.by_line)
    test.warnings.push_back("the runs have pair numbers, which this test does not use");
  if (pair.missing_candidate + pair.missing_baseline > 0) {
    test.outcome.details.emplace_back("missing_candidate", static_cast<double>(pair.missing_candidate));
    test.outcome.details.emplace_back("missing_baseline", static_cast<double>(pair.missing_baseline));
  }
  test.outcome.notes.insert(test.outcome.notes.end(), slice.notes.begin(), slice.notes.end());
  test.outcome.notes.insert(test.outcome.notes.end(), pair.notes.begin(), pair.notes.end());
  return test;
}

Json claims_document(const Claims& all) {
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

std::string claims_page(const Claims& all) {
  const ScoreTest& first = all.claims.front().test;
  TextTable table({{"claim"},
                   {"n", Align::right},
                   {"estimate", Align::right},
                   {"interval"},
                   {"p for"},
                   {"p", Align::right},
                   {"adjusted p", Align::right},
                   {"verdict"}});
  for (const Claim& claim : all.claims) {
    const TestOutcome& o = claim.test.outcome;
    table.add({subject_of(claim), std::to_string(o.candidate_runs),
               o.status == Status::invalid ? "" : short_text(o.estimate.point), bounds_text(o.estimate),
               claimed_text(claim), deciding_text(claim.deciding, limit_of(claim)),
               deciding_text(claim.deciding_adjusted, limit_of(claim)),
               std::string(variance::name_of(claim.status, o.about))});
  }
  const std::string rule = rule_text(all), better = claim_word(Status::better, first.outcome.about);
  std::string out = bold(counted(std::ssize(all.claims), "claim")) + ", corrected by " +
                    std::string(name_of(all.adjust)) + "\n" +
                    paragraph(first.outcome.test + " (" + first.outcome.method + "), " + wanted_words(first) +
                              ", alpha " + short_text(first.settings.alpha) + "; estimate: " + first.outcome.estimand) +
                    (rule.empty() ? "" : paragraph(rule)) + "\n" + both_sides_text(all) +
                    table.text(2, terminal_width()) + effects_text(all);
  if (all.better_on)
    out += "\n" + paragraph((*all.better_on == 0 ? "no " + all.task + " shows significantly that " + first.candidate +
                                                       " is " + better + " than " + first.baseline
                                                 : first.candidate + " is " + better + " than " + first.baseline +
                                                       " on at least " + std::to_string(*all.better_on) + " of " +
                                                       counted(std::ssize(all.claims), all.task)) +
                            " (partial conjunction)");
  std::vector<std::string> notes = all.notes;
  for (const Claim& claim : all.claims)
    for (const auto* from : {&claim.test.outcome.notes, &claim.test.warnings})
      for (const std::string& note : *from) notes.push_back(subject_of(claim) + ": " + note);
  if (std::ranges::any_of(all.claims, [](const Claim& claim) { return claim.test.outcome.drawn; }))
    out += "\nseed: " + std::to_string(first.root) + " (--seed repeats the draws)\n";
  return out + listed("note", notes);
}

}  // namespace retrial::harness::inline scores
