#include "harness/scores/family.hpp"

#include <algorithm>
#include <functional>

#include "harness/scores/options.hpp"
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

std::optional<variance::DecidingP> adjusted_deciding(const Claim& claim) {
  if (!claim.deciding) return std::nullopt;
  const Status claimed = claim.deciding->claim;
  if (claimed == Status::equivalent) return variance::DecidingP{.claim = claimed, .p = *claim.p_adjusted};
  const double p = claimed == Status::better ? *claim.p_better_adjusted : *claim.p_worse_adjusted;
  return variance::deciding_p(claimed == Status::better ? p : 1.0, claimed == Status::better ? 1.0 : p,
                              claim.test.settings.sides);
}

/// The equivalence of a test that tests something else too has no p value here.
Status kept(const Claim& claim) {
  const Status alone = claim.test.outcome.status;
  const bool by_p = claim.deciding && claim.deciding->claim == alone;
  return by_p && claim.deciding_adjusted->p > claim.test.settings.alpha ? Status::inconclusive : alone;
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

std::string deciding_text(const std::optional<variance::DecidingP>& deciding, double alpha) {
  return deciding ? p_text(deciding->p, alpha) : "";
}

/// "better": the claim that the p of a line is for.
std::string claimed_text(const Claim& claim) {
  if (!claim.deciding) return "";
  const Status claimed = claim.deciding->claim;
  return claimed == Status::better ? "better" : claimed == Status::worse ? "worse" : "equivalent";
}

/// What the columns of p values mean.
std::string rule_text(const Claims& all) {
  const ScoreTest& first = all.claims.front().test;
  const auto found = std::ranges::find_if(all.claims, [](const Claim& claim) { return claim.deciding.has_value(); });
  if (found == all.claims.end()) return "";
  const std::string alpha = short_text(first.settings.alpha);
  if (found->deciding->claim == Status::equivalent)
    return "p and adjusted p decide: EQUIVALENT needs an adjusted p of at most " + alpha;
  return std::string("p and adjusted p decide, each for the claim named before it: ") +
         (first.settings.sides == variance::Sides::two ? "twice the one-sided p" : "one-sided") +
         "; BETTER and WORSE need an adjusted p of at most " + alpha;
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
  std::vector<double> better;
  for (Claim& claim : all.claims) {
    claim.deciding = variance::deciding_p(claim.test.outcome, claim.test.settings.sides);
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
    one["deciding"] = claim.deciding ? Json(variance::name_of(claim.deciding->claim)) : Json();
    one["p_deciding"] = claim.deciding ? json_number(claim.deciding->p) : Json();
    one["p_deciding_adjusted"] = claim.deciding_adjusted ? json_number(claim.deciding_adjusted->p) : Json();
    one["verdict_alone"] = one.at("verdict");
    one["verdict"] = variance::name_of(claim.status);
    claims.push_back(one);
  }
  return {{"schema", "retrial.claims/1"},
          {"adjust", name_of(all.adjust)},
          {"claims", claims},
          {"better_on_at_least", all.better_on ? Json(*all.better_on) : Json()},
          {"declared", all.standing.undeclared.empty()},
          {"undeclared", all.standing.undeclared},
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
               claimed_text(claim), deciding_text(claim.deciding, claim.test.settings.alpha),
               deciding_text(claim.deciding_adjusted, claim.test.settings.alpha),
               std::string(variance::name_of(claim.status))});
  }
  const std::string rule = rule_text(all);
  std::string out =
      bold(counted(std::ssize(all.claims), "claim")) + ", corrected by " + std::string(name_of(all.adjust)) + "\n" +
      paragraph(first.outcome.test + " (" + first.outcome.method + "), " + word_of(first.settings.direction) +
                " is better, alpha " + short_text(first.settings.alpha) + "; estimate: " + first.outcome.estimand) +
      (rule.empty() ? "" : paragraph(rule)) + "\n" + both_sides_text(all) + table.text(2, terminal_width());
  if (all.better_on)
    out += "\n" + paragraph((*all.better_on == 0 ? "no " + all.task + " shows a significant improvement of " +
                                                       first.candidate + " over " + first.baseline
                                                 : first.candidate + " is better than " + first.baseline +
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
