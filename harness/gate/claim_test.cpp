#include "harness/gate/claim_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "harness/gate/censoring.hpp"
#include "harness/gate/schedule.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/ranks/strata.hpp"
#include "variance/samples/interpolated.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction;
using Scores = std::vector<double>;

constexpr double worst_score = std::numeric_limits<double>::infinity();

/// One value per process; infinity on the worse side is a loss.
struct Side {
  Scores values;
  std::vector<std::optional<std::int64_t>> pairs;
  std::vector<std::optional<GatePlace>> places;
  std::int64_t failures = 0, censored = 0;
};

Side side_of(const GateClaim& claim, std::size_t which, const GateSettings& settings) {
  Side out;
  const double worst = claim.direction == Direction::lower ? worst_score : -worst_score;
  for (const GateTrial& trial : claim.trials[which]) {
    const auto no_number = [](double value) { return !std::isfinite(value); };
    const bool failed = trial.failed || trial.values.empty() || std::ranges::any_of(trial.values, no_number);
    out.failures += failed ? 1 : 0, out.censored += !failed && trial.censored ? 1 : 0;
    if (failed && settings.failure != GateFailure::loss) continue;
    out.values.push_back(failed || trial.censored ? worst : reduced(trial.values, settings.statistic, claim.direction));
    out.pairs.push_back(trial.pair);
    out.places.push_back(trial.place);
  }
  return out;
}

Scores finite_of(const Scores& values) {
  Scores out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double v) { return std::isfinite(v); });
  return out;
}

/// 1.4826 MAD, or the standard deviation where more than half of the values are equal.
double robust_spread(const Scores& values) {
  if (values.size() < 2) return 0.0;
  const double middle = *variance::median(values);
  Scores off;
  for (const double v : values) off.push_back(std::fabs(v - middle));
  const double mad = 1.4826 * *variance::median(off);
  return mad > 0.0 ? mad : *variance::sd(values);
}

/// Values on the scale of the test: logarithms of ratios. Losses stay infinite.
Scores scaled(const Scores& values, bool absolute) {
  Scores out = values;
  if (!absolute)
    for (double& v : out) v = std::isinf(v) ? v : std::log(v);
  return out;
}

/// Of values some of which may be losses: then so may the median be.
std::optional<double> median_of(Scores values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const double below = values[(values.size() - 1) / 2], above = values[values.size() / 2];
  return below == above ? below : (below + above) / 2;
}

bool has_loss(const Scores& values) {
  return std::ranges::any_of(values, [](double v) { return std::isinf(v); });
}

struct Shift {
  variance::Estimate at95, at90;
};

void take_shift(ClaimTest& out, const Shift& shift) {
  const auto shown = [&](variance::Estimate e) {
    e.point = shown_effect(e.point, out.verdict.absolute);
    for (auto* bound : {&e.low, &e.high})
      if (*bound) *bound = shown_effect(**bound, out.verdict.absolute);
    return e;
  };
  out.verdict.effect = shown_effect(shift.at95.point, out.verdict.absolute);
  out.verdict.ci95 = shown(shift.at95);
  out.verdict.ci90 = shown(shift.at90);
  const bool lower = out.verdict.direction == Direction::lower;
  out.worse = lower ? shift.at95.point : -shift.at95.point;
  out.low = shift.at90.low, out.high = shift.at90.high;
  if (lower) return;
  std::swap(out.low, out.high);
  for (auto* bound : {&out.low, &out.high})
    if (*bound) *bound = -**bound;
}

using Strata = std::vector<variance::RankStratum>;

constexpr std::size_t most_in_stratum = 100;  // of a side, for exact laws of ranks with ties

/// The values by the places where they were measured. One stratum where a place has values of one side only, as beside
/// a stored baseline, or too many for the exact law.
Strata strata_of(const Side& a, const Side& b, const Scores& from, const Scores& to) {
  std::map<std::optional<GatePlace>, variance::RankStratum> by_place;
  for (std::size_t i = 0; i < from.size(); ++i) by_place[a.places[i]].baseline.push_back(from[i]);
  for (std::size_t i = 0; i < to.size(); ++i) by_place[b.places[i]].candidate.push_back(to[i]);
  Strata out;
  for (auto& [_, stratum] : by_place) {
    const auto [few, many] = std::minmax(stratum.baseline.size(), stratum.candidate.size());
    if (few == 0 || many > most_in_stratum) return {{.candidate = to, .baseline = from}};
    out.push_back(std::move(stratum));
  }
  return out;
}

/// Half of the probability of what was seen is left out: less conservative where values are tied.
std::optional<double> mid_p_worse(Strata strata, Direction direction) {
  for (auto& stratum : strata) {
    if (std::max(stratum.candidate.size(), stratum.baseline.size()) > most_in_stratum) return {};
    if (direction == Direction::higher) std::swap(stratum.candidate, stratum.baseline);
  }
  return variance::rank_test_stratified(strata).mid_greater;
}

void rank_claim(ClaimTest& out, const Side& a, const Side& b, const GateSettings& settings) {
  const Scores from = scaled(a.values, out.verdict.absolute), to = scaled(b.values, out.verdict.absolute);
  const double n = static_cast<double>(a.values.size()), m = static_cast<double>(b.values.size());
  double greater = 1.0, less = 1.0;
  Shift shift;
  const Strata raw = strata_of(a, b, a.values, b.values);
  out.verdict.strata = std::ssize(raw);
  for (const auto& stratum : raw)
    out.verdict.min_p *= std::exp(-variance::log_choose(std::ssize(stratum.baseline) + std::ssize(stratum.candidate),
                                                        std::ssize(stratum.baseline)));
  if (settings.mid_p) out.verdict.mid_p_worse = mid_p_worse(raw, out.verdict.direction);
  if (raw.size() > 1 || has_loss(a.values) || has_loss(b.values)) {
    const Strata on_scale = strata_of(a, b, from, to);
    const auto test = variance::rank_test_stratified(raw);
    greater = test.p_greater, less = test.p_less;
    shift = {variance::shift_stratified(on_scale), variance::shift_stratified(on_scale, 2.0 * settings.equiv_alpha)};
  } else {
    const auto test = variance::mann_whitney(b.values, a.values).test;
    greater = test.p_greater, less = test.p_less;
    shift = {variance::hodges_lehmann_shift(to, from),
             variance::hodges_lehmann_shift(to, from, 2.0 * settings.equiv_alpha)};
  }
  const bool lower = out.verdict.direction == Direction::lower;
  out.verdict.p_worse = lower ? greater : less;
  out.verdict.p_better = lower ? less : greater;
  take_shift(out, shift);
  const double ra = robust_spread(finite_of(from)), rb = robust_spread(finite_of(to));
  out.sigma = std::sqrt((ra * ra + rb * rb) / 2.0);
  out.runs_term = std::sqrt(1.0 / n + 1.0 / m);
}

/// Differences of the pairs that both sides have, candidate - baseline.
Scores pair_differences(const Side& a, const Side& b, bool absolute) {
  const Scores from = scaled(a.values, absolute), to = scaled(b.values, absolute);
  std::map<std::int64_t, double> of_base;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (a.pairs[i]) of_base[*a.pairs[i]] = from[i];
  Scores out;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const auto found = b.pairs[i] ? of_base.find(*b.pairs[i]) : of_base.end(); found != of_base.end())
      out.push_back(to[i] == found->second ? 0.0 : to[i] - found->second);
  return out;
}

/// p of "greater" and "less" of paired differences.
struct Tails {
  double greater = 1.0, less = 1.0;
};

Tails flipped_signs(const Scores& differences, const GateClaim& claim, std::uint64_t root) {
  const std::string name = "comparison:" + claim.workload + "/" + claim.metric;
  const auto test = variance::paired_permutation(
      differences, {.draws = 99'999, .key = variance::derive(variance::derive(root, name), "permutation")});
  return {.greater = test.p_greater, .less = test.p_less};
}

/// The sign test of the pairs that are not tied, and whether the baseline is known not to win a meaningful share of
/// them.
Tails pairs_won(ClaimTest& out, const Scores& differences, double tolerance, const GateSettings& settings) {
  const auto above = std::ranges::count_if(differences, [&](double d) { return d > tolerance; });
  const auto below = std::ranges::count_if(differences, [&](double d) { return d < -tolerance; });
  const bool lower = out.verdict.direction == Direction::lower;
  out.won = lower ? below : above, out.lost = lower ? above : below;
  out.not_meaningful = variance::excludes_gamma(out.lost, out.won + out.lost, {.beta = settings.equiv_alpha});
  const auto tail = [&](std::int64_t wins) { return variance::binomial_at_least(wins, above + below, 0.5); };
  return {.greater = tail(above), .less = tail(below)};
}

bool paired_claim(ClaimTest& out, const GateClaim& claim, const Side& a, const Side& b, const GateSettings& settings) {
  const Scores differences = pair_differences(a, b, out.verdict.absolute);
  if (differences.empty() || has_loss(differences)) return false;
  const Scores from = scaled(a.values, out.verdict.absolute), to = scaled(b.values, out.verdict.absolute);
  const double tolerance = variance::tie_tolerance({}, from, to);
  Tails tails;
  if (settings.test == GateTest::signflip) {
    tails = flipped_signs(differences, claim, settings.root);
  } else if (settings.test == GateTest::win) {
    tails = pairs_won(out, differences, tolerance, settings);
  } else {
    const auto test = variance::wilcoxon(differences, tolerance).test;
    tails = {.greater = test.p_greater, .less = test.p_less};
  }
  const bool lower = out.verdict.direction == Direction::lower;
  out.verdict.p_worse = lower ? tails.greater : tails.less;
  out.verdict.p_better = lower ? tails.less : tails.greater;
  const double k = static_cast<double>(differences.size());
  if (const std::size_t most = std::max(from.size(), to.size()); differences.size() < most)
    out.verdict.warnings.push_back(std::to_string(most - differences.size()) + " of " + std::to_string(most) +
                                   " pairs have no partner");
  out.verdict.min_p = std::exp2(-k);
  take_shift(
      out, {variance::hodges_lehmann(differences), variance::hodges_lehmann(differences, 2.0 * settings.equiv_alpha)});
  out.sigma = robust_spread(differences);
  out.runs_term = 1.0 / std::sqrt(k);
  return true;
}

/// Counts of one program and input are the same in every process, or nearly so.
bool counts_repeat(const Scores& counts, const GateSettings& settings) {
  if (counts.size() < 2 || has_loss(counts)) return false;
  const auto [low, high] = std::ranges::minmax(counts);
  return high / low - 1.0 <= settings.min_effect / 10.0;
}

/// Counts that repeat need no p: the change is what they say it is. Ratios of such counts lie within a fifth of the
/// least effect, so that a change beyond it has the same sign in every pair.
bool counts_claim(ClaimTest& out, const Side& a, const Side& b, const GateSettings& settings) {
  if (!counts_repeat(a.values, settings) || !counts_repeat(b.values, settings)) return false;
  const Scores differences = pair_differences(a, b, out.verdict.absolute);
  if (differences.size() < 2) return false;
  const auto [low, high] = std::ranges::minmax(differences);
  const variance::Estimate range{.point = *variance::median(differences), .low = low, .high = high};
  take_shift(out, {range, range});
  return true;
}

std::optional<std::string> why_failed(const Side& a, const Side& b, bool absolute, const GateSettings& settings) {
  const std::int64_t failures = a.failures + b.failures;
  if (settings.failure == GateFailure::refuse && failures > 0) return "a process failed or has no value";
  if (a.values.empty() || b.values.empty()) return "no process has a value";
  if (settings.failure == GateFailure::drop)
    for (const Side* side : {&a, &b})
      if (20 * side->failures > static_cast<std::int64_t>(side->values.size()) + side->failures)
        return "more than 5 % of the processes of a side failed";
  const bool none_of_base = finite_of(a.values).empty(), none_of_head = finite_of(b.values).empty();
  if (none_of_base && none_of_head && a.censored + b.censored > 0) return "no process reached its target";
  if ((none_of_base && a.censored == 0) || (none_of_head && b.censored == 0)) return "no process has a value";
  if (!absolute)
    for (const Side* side : {&a, &b})
      if (std::ranges::any_of(side->values, [](double v) { return std::isfinite(v) && v <= 0.0; }))
        return "nonpositive_value";
  return {};
}

bool asked_for_counts(const GateSettings& settings) {
  return settings.test == GateTest::automatic || settings.test == GateTest::counts;
}

bool every_pair_numbered(const GateClaim& claim) {
  for (const auto& side : claim.trials)
    if (side.empty() || !std::ranges::all_of(side, [](const GateTrial& t) { return t.pair.has_value(); })) return false;
  return true;
}

}  // namespace

double reduced(const Scores& values, Statistic statistic, Direction direction) {
  if (statistic == Statistic::automatic) statistic = direction == Direction::lower ? Statistic::min : Statistic::last;
  switch (statistic) {
    case Statistic::q1:
      return *variance::interpolated_quantile(values, 0.25);
    case Statistic::median:
      return *variance::median(values);
    case Statistic::mean:
      return *variance::mean(values);
    case Statistic::last:
      return values.back();
    default:
      return *std::ranges::min_element(values);
  }
}

double shown_effect(double value, bool absolute) {
  return absolute ? value : std::expm1(value);
}

double on_test_scale(double bound, bool absolute) {
  return absolute ? bound : std::log1p(bound);
}

namespace {

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
  const Side a = side_of(claim, base, settings), b = side_of(claim, head, settings);
  verdict.n = {std::ssize(claim.trials[base]), std::ssize(claim.trials[head])};
  verdict.failures = {a.failures, b.failures};
  for (const std::size_t side : {base, head}) {
    const Scores& values = (side == base ? a : b).values;
    const bool limits = (side == base ? a : b).censored > 0;  // the median may be one
    verdict.median[side] = median_of(limits ? values : finite_of(values));
  }
  verdict.order = order_of(claim);
  for (const std::size_t side : {base, head}) {
    verdict.origins[side] = origins_of(claim.trials[side]);
    for (const GateTrial& trial : claim.trials[side])
      if (!trial.record.empty()) verdict.records[side].push_back(trial.record);
  }
  if (claim.trials[base].empty() || claim.trials[head].empty()) {
    verdict.verdict = claim.trials[base].empty() ? "new" : "missing";
    return out;
  }
  const auto failure = why_failed(a, b, claim.absolute, settings);
  if (failure || !problem.empty()) {
    verdict.verdict = "failed", verdict.reason = failure.value_or(problem);
    return out;
  }
  const bool pairs = every_pair_numbered(claim);
  const GateTest asked = settings.test == GateTest::automatic ? claim.test : settings.test;
  if (claim.test == GateTest::counts) verdict.warnings.emplace_back(not_time);
  if (settings.test == GateTest::counts && claim.test != GateTest::counts) {
    verdict.verdict = "failed", verdict.reason = "the test counts is about instructions";
    return out;
  }
  if (claim.test == GateTest::counts && asked_for_counts(settings) && counts_claim(out, a, b, settings)) {
    verdict.test = "counts";
    return out;
  }
  const bool only_pairs = settings.by_pairs() || asked == GateTest::paired;
  if (only_pairs && !pairs) {
    verdict.verdict = "failed", verdict.reason = "no pair numbers for a paired test";
    return out;
  }
  verdict.test = "rank";
  const bool by_pairs = asked == GateTest::automatic || only_pairs;
  if (by_pairs && pairs && paired_claim(out, claim, a, b, settings)) {
    verdict.test = settings.test == GateTest::signflip ? "signflip" : settings.test == GateTest::win ? "win" : "paired";
  } else if (only_pairs) {
    verdict.verdict = "failed", verdict.reason = "a paired test needs common pairs without losses";
    return out;
  } else {
    rank_claim(out, a, b, settings);
  }
  Scores all = a.values;
  all.insert(all.end(), b.values.begin(), b.values.end());
  out.all_equal = std::ranges::all_of(all, [&](double v) { return v == all.front(); });
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
