#include "harness/scores/family.hpp"

#include <algorithm>

#include "harness/scores/selection/options.hpp"
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

}  // namespace retrial::harness::inline scores
