#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "harness/gate/claim_sides.hpp"
#include "harness/gate/claim_test.hpp"
#include "results/text/text.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::harness::inline gate {
namespace {

/// Smallest p of k pairs.
double min_p_of(const std::string& test, std::int64_t pairs) {
  if (test != "rank") return std::exp2(-static_cast<double>(pairs));
  return std::exp(-variance::log_choose(2 * pairs, pairs));
}

/// Smallest detectable effect, and the pairs that detect the margin.
void add_power(ClaimTest& test, const GateSettings& settings, std::int64_t claims) {
  GateVerdict& verdict = test.verdict;
  if (verdict.test == "counts") {
    verdict.mde = settings.least(verdict.absolute);
    return;
  }
  if (verdict.test == "win") return;  // a share of pairs won has no size
  const double alpha = settings.alpha / static_cast<double>(claims);
  const double z = variance::quantile(1.0 - alpha) + variance::quantile(settings.power);
  const double size = z * test.sigma * test.runs_term * std::sqrt(std::numbers::pi / 3.0);
  verdict.mde = verdict.min_p > alpha ? std::numeric_limits<double>::infinity() : shown_effect(size, verdict.absolute);
  const double margin = settings.within(verdict.absolute);
  const double delta = on_test_scale(margin > 0.0 ? margin : settings.least(verdict.absolute), verdict.absolute);
  if (delta <= 0.0) return;
  const double sides = verdict.test == "rank" ? 2.0 : 1.0;
  const double wanted = std::ceil(sides * std::numbers::pi / 3.0 * std::pow(test.sigma * z / delta, 2.0));
  if (wanted > 1e9) return;
  std::int64_t pairs = std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted));
  while (min_p_of(verdict.test, pairs) > alpha) ++pairs;
  verdict.pairs_needed = pairs;
}

void decide(ClaimTest& test, const GateSettings& settings, std::int64_t claims) {
  GateVerdict& v = test.verdict;
  const double least = on_test_scale(settings.least(v.absolute), v.absolute),
               margin = on_test_scale(settings.within(v.absolute), v.absolute);
  const bool few = std::min(v.n[base], v.n[head]) < 2;
  const bool counts = v.test == "counts";
  const auto proven = [&](const std::optional<double>& p) { return counts || *p <= settings.alpha; };
  const bool won = v.test == "win";
  const bool worse = proven(v.p_worse_adjusted) && (won || *test.worse > least);
  const bool better = proven(v.p_better_adjusted) && (won || -*test.worse > least);
  if ((worse || better) && !counts && v.order != "interleaved" && !settings.allow_sequential) {
    v.verdict = "inconclusive", v.reason = "sequential_design";
  } else if (worse || better) {
    v.verdict = worse ? "regressed" : "improved";
  } else if (test.all_equal && !few) {
    v.verdict = "equivalent";
    v.warnings.emplace_back("degenerate: every value is the same");
  } else if (won && test.not_meaningful) {
    v.verdict = "no_worse", v.reason = "not_meaningful";
  } else if (!won && margin > 0.0 && test.low && test.high && -margin < *test.low && *test.high < margin) {
    v.verdict = "equivalent";
  } else if (!won && margin > 0.0 && test.high && *test.high < margin) {
    v.verdict = "no_worse";
  } else {
    v.verdict = "inconclusive";
    const bool dumb = v.min_p > settings.alpha / static_cast<double>(claims);
    v.reason = few ? "too_few_trials" : dumb ? "design_cannot_reject" : "noise";
  }
}

/// Whether time and cycles, one of which shows a change, do not agree in its sign.
bool clocks_disagree(const ClaimTest& time, const ClaimTest& cycles, const GateSettings& settings,
                     std::int64_t claims) {
  if (!time.worse || !cycles.worse || *time.worse * *cycles.worse > 0.0) return false;
  if (time.verdict.verdict == "regressed" || time.verdict.verdict == "improved") return true;
  const GateVerdict& v = cycles.verdict;
  const double least = on_test_scale(settings.least(v.absolute), v.absolute),
               alpha = settings.alpha / static_cast<double>(claims);
  return (v.p_worse.value_or(1.0) <= alpha && *cycles.worse > least) ||
         (v.p_better.value_or(1.0) <= alpha && -*cycles.worse > least);
}

void adjust(std::vector<ClaimTest>& tests) {
  std::vector<double> worse, better;
  for (const ClaimTest& test : tests)
    if (test.verdict.p_worse) worse.push_back(*test.verdict.p_worse), better.push_back(*test.verdict.p_better);
  if (worse.empty()) return;
  const auto worse_adjusted = variance::adjusted(worse, variance::Adjustment::holm);
  const auto better_adjusted = variance::adjusted(better, variance::Adjustment::holm);
  std::size_t at = 0;
  for (ClaimTest& test : tests)
    if (test.verdict.p_worse) {
      test.verdict.p_worse_adjusted = worse_adjusted[at];
      test.verdict.p_better_adjusted = better_adjusted[at++];
    }
}

/// A benchmark that disappeared, and the new one that may be it under another name.
void suggest_renames(std::vector<ClaimTest>& tests) {
  std::set<std::string> all_new;
  std::set<std::string> gone;
  for (const ClaimTest& test : tests) {
    if (test.verdict.verdict == "new") all_new.insert(test.verdict.workload);
    if (test.verdict.verdict == "missing") gone.insert(test.verdict.workload);
  }
  const std::vector<std::string> names(all_new.begin(), all_new.end());
  for (ClaimTest& test : tests) {
    GateVerdict& v = test.verdict;
    if (v.verdict != "missing") continue;
    v.reason = "removed or renamed";
    auto near = results::nearest(v.workload, names);
    for (const std::string& name : names)
      if (!near && (name.starts_with(v.workload) || v.workload.starts_with(name))) near = name;
    if (!near && names.size() == 1 && gone.size() == 1) near = names.front();
    if (near) v.reason += ": is it " + results::one_line(*near, 100) + "?";
  }
}

bool may_differ(const GateSettings& settings, const std::string& key) {
  return std::ranges::find(settings.allow_diff, key) != settings.allow_diff.end();
}

}  // namespace

const std::vector<VerdictWord>& gate_words() {
  static const std::vector<VerdictWord> words{{"regressed", 1},    {"failed", 5},       {"missing", 4},
                                              {"incomparable", 4}, {"inconclusive", 3}, {"improved", 0},
                                              {"no_worse", 0},     {"equivalent", 0},   {"new", 0}};
  return words;
}

std::int64_t GateResult::count(const std::string& word) const {
  return std::ranges::count(claims, word, &GateVerdict::verdict);
}

std::int64_t GateResult::tested() const {
  return std::ranges::count_if(claims, &GateVerdict::tested);
}

std::vector<const GateVerdict*> GateResult::worst_first() const {
  std::vector<const GateVerdict*> out;
  for (const VerdictWord& word : gate_words()) {
    const auto from = static_cast<std::ptrdiff_t>(out.size());
    for (const GateVerdict& claim : claims)
      if (claim.verdict == word.word) out.push_back(&claim);
    std::stable_sort(out.begin() + from, out.end(), [](const GateVerdict* a, const GateVerdict* b) {
      return std::fabs(a->effect.value_or(0.0)) > std::fabs(b->effect.value_or(0.0));
    });
  }
  return out;
}

void conclude(GateResult& out, const GateSettings& settings) {
  for (const VerdictWord& word : gate_words())
    if (out.count(word.word) > 0) {
      out.verdict = word.word, out.exit = word.exit;
      break;
    }
  if (out.tested() == 0 && out.exit == 0) out.verdict = "missing", out.exit = 4;
  if (out.verdict != "inconclusive" || settings.inconclusive == "fail") return;
  out.exit = 0;
  if (settings.inconclusive != "warn") return;
  const std::string text = std::to_string(out.count("inconclusive")) + " of " + std::to_string(out.claims.size()) +
                           " claims are inconclusive, and --inconclusive warn lets them pass";
  if (std::ranges::find(out.warnings, text) == out.warnings.end()) out.warnings.push_back(text);
}

GateSuite slowed_down(GateSuite suite, double share) {
  for (GateClaim& claim : suite.claims)
    for (GateTrial& trial : claim.trials[head])
      for (double& value : trial.values)
        value = claim.direction == variance::Direction::lower ? value * (1.0 + share) : value / (1.0 + share);
  suite.notes.push_back("self-test: every value of " + suite.candidate + " was made " +
                        results::text_of(100.0 * share) + " % worse; the suite must be regressed");
  return suite;
}

GateResult judge_suite(const GateSuite& suite, const GateSettings& settings) {
  GateResult out{.baseline = suite.baseline,
                 .candidate = suite.candidate,
                 .verdict = {},
                 .claims = {},
                 .differences = suite.differences,
                 .warnings = suite.notes};
  const bool comparable =
      std::ranges::all_of(suite.differences, [&](const MachineDifference& d) { return may_differ(settings, d.key); });
  std::vector<ClaimTest> tests;
  for (const GateClaim& claim : suite.claims) {
    ClaimTest test = test_claim(claim, settings);
    if ((!comparable || !claim.incomparable.empty()) && test.verdict.tested()) {
      ClaimTest refused{.verdict = {.workload = claim.workload, .metric = claim.metric, .unit = claim.unit}};
      refused.verdict.direction = claim.direction, refused.verdict.absolute = claim.absolute;
      refused.verdict.n = test.verdict.n, refused.verdict.failures = test.verdict.failures;
      refused.verdict.median = test.verdict.median, refused.verdict.order = test.verdict.order;
      refused.verdict.origins = test.verdict.origins, refused.verdict.records = test.verdict.records;
      refused.verdict.verdict = "incomparable";
      refused.verdict.reason = claim.incomparable.empty() ? "measured on another machine" : claim.incomparable;
      test = refused;
    }
    tests.push_back(std::move(test));
  }
  adjust(tests);
  const std::int64_t claims =
      std::ranges::count_if(tests, [](const ClaimTest& test) { return test.verdict.p_worse.has_value(); });
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ClaimTest& test = tests[i];
    if (!test.verdict.tested()) continue;
    add_power(test, settings, claims);
    decide(test, settings, claims);
    const auto cycles = test_cycles(suite.claims[i], settings);
    if (cycles && clocks_disagree(test, *cycles, settings, claims))
      test.verdict.verdict = "inconclusive", test.verdict.reason = "clock_disagreement";
  }
  suggest_renames(tests);
  for (ClaimTest& test : tests) out.claims.push_back(std::move(test.verdict));
  conclude(out, settings);
  if (settings.min_effect > 0.5)
    out.warnings.push_back("with min_effect " + results::text_of(settings.min_effect) +
                           " this gate cannot see a 50 % slow-down");
  return out;
}

}  // namespace retrial::harness::inline gate
