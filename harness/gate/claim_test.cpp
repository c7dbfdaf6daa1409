#include "harness/gate/claim_test.hpp"

#include <algorithm>
#include <set>

#include "harness/gate/censoring.hpp"
#include "harness/gate/claim_evidence.hpp"
#include "harness/gate/schedule.hpp"

namespace retrial::harness::inline gate {
namespace {

using Scores = std::vector<double>;

/// Of values some of which may be losses: then so may the median be.
std::optional<double> median_of(Scores values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const double below = values[(values.size() - 1) / 2], above = values[values.size() / 2];
  return below == above ? below : (below + above) / 2;
}

bool asked_for_counts(const GateSettings& settings) {
  return settings.test == GateTest::automatic || settings.test == GateTest::counts;
}

bool every_pair_numbered(const GateClaim& claim) {
  for (const auto& side : claim.trials)
    if (side.empty() || !std::ranges::all_of(side, [](const GateTrial& t) { return t.pair.has_value(); })) return false;
  return true;
}

/// What is known of both sides before any test.
void describe_sides(GateVerdict& verdict, const GateClaim& claim, const ClaimSide& a, const ClaimSide& b) {
  verdict.n = {std::ssize(claim.trials[base]), std::ssize(claim.trials[head])};
  verdict.failures = {a.failures, b.failures};
  for (const std::size_t side : {base, head}) {
    const Scores& values = (side == base ? a : b).values;
    const bool limits = (side == base ? a : b).censored > 0;  // the median may be one
    verdict.median[side] = median_of(limits ? values : without_losses(values));
  }
  verdict.order = order_of(claim);
  for (const std::size_t side : {base, head}) {
    verdict.origins[side] = origins_of(claim.trials[side]);
    for (const GateTrial& trial : claim.trials[side])
      if (!trial.record.empty()) verdict.records[side].push_back(trial.record);
  }
}

bool all_equal(const ClaimSide& a, const ClaimSide& b) {
  const double first = a.values.front();
  const auto equal = [&](double v) { return v == first; };
  return std::ranges::all_of(a.values, equal) && std::ranges::all_of(b.values, equal);
}

/// The test that was asked for, or else the one that fits the claim; returned is why it cannot be.
std::optional<std::string> take_test(ClaimTest& out, const GateClaim& claim, const ClaimSide& a, const ClaimSide& b,
                                     const GateSettings& settings) {
  GateVerdict& verdict = out.verdict;
  const bool pairs = every_pair_numbered(claim);
  const GateTest asked = settings.test == GateTest::automatic ? claim.test : settings.test;
  if (claim.test == GateTest::counts) verdict.warnings.emplace_back(not_time);
  if (settings.test == GateTest::counts && claim.test != GateTest::counts)
    return "the test counts is about instructions";
  if (claim.test == GateTest::counts && asked_for_counts(settings) && counts_claim(out, a, b, settings)) {
    verdict.test = "counts";
    return {};
  }
  const bool only_pairs = settings.by_pairs() || asked == GateTest::paired;
  if (only_pairs && !pairs) return "no pair numbers for a paired test";
  verdict.test = "rank";
  const bool by_pairs = asked == GateTest::automatic || only_pairs;
  if (by_pairs && pairs && paired_claim(out, claim, a, b, settings)) {
    verdict.test = settings.test == GateTest::signflip ? "signflip" : settings.test == GateTest::win ? "win" : "paired";
  } else if (only_pairs) {
    return "a paired test needs common pairs without losses";
  } else {
    rank_claim(out, a, b, settings);
  }
  out.all_equal = all_equal(a, b);
  return {};
}

/// `problem`: why it has no rank; empty: it has one.
ClaimTest test_ranked(const GateClaim& claim, const std::string& problem, const GateSettings& settings) {
  ClaimTest out{.verdict = {.workload = claim.workload,
                            .metric = claim.metric,
                            .unit = claim.unit,
                            .direction = claim.direction,
                            .absolute = claim.absolute}};
  GateVerdict& verdict = out.verdict;
  verdict.against = claim.against;
  if (claim.alone) {
    verdict.verdict = *claim.alone == head ? "new" : "missing";
    return out;
  }
  const ClaimSide a = claim_side(claim, base, settings), b = claim_side(claim, head, settings);
  describe_sides(verdict, claim, a, b);
  if (claim.trials[base].empty() || claim.trials[head].empty()) {
    verdict.verdict = claim.trials[base].empty() ? "new" : "missing";
    return out;
  }
  auto failure = why_untestable(a, b, claim.absolute, settings);
  if (!failure && !problem.empty()) failure = problem;
  if (!failure) failure = take_test(out, claim, a, b, settings);
  if (failure) verdict.verdict = "failed", verdict.reason = *failure;
  return out;
}

}  // namespace

ClaimTest test_claim(const GateClaim& claim, const GateSettings& settings) {
  const Censored cut = censored(claim, settings.statistic);
  ClaimTest out = test_ranked(cut.claim, cut.problem, settings);
  out.verdict.warnings.insert(out.verdict.warnings.end(), cut.notes.begin(), cut.notes.end());
  return out;
}

std::optional<ClaimTest> test_cycles(const GateClaim& claim, const GateSettings& settings) {
  static const std::set<std::string> times{"s", "ms", "us", "ns"};
  const auto no_clock = [](const GateTrial& trial) { return trial.clock_mhz.value_or(0.0) <= 0.0; };
  const auto lacks_one = [&](const auto& side) { return std::ranges::any_of(side, no_clock); };
  if (!times.contains(claim.unit) || claim.alone || std::ranges::any_of(claim.trials, lacks_one)) return {};
  GateClaim cycles = claim;
  for (auto& side : cycles.trials)
    for (GateTrial& trial : side)
      for (double& value : trial.values) value *= *trial.clock_mhz;
  cycles.unit = "cycles";
  return test_claim(cycles, settings);
}

}  // namespace retrial::harness::inline gate
