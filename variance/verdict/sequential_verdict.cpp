#include "variance/verdict/sequential_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/designs/design_family.hpp"
#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/verdict/decided_scores.hpp"
#include "variance/verdict/pair_outcomes.hpp"

namespace retrial::variance::inline verdict {
namespace {

using Score = std::optional<double>;
constexpr double infinite = std::numeric_limits<double>::infinity();

bool finite_score(const Score& score) {
  return score && std::isfinite(*score);
}

/// The pairs as a rule reads them, up to the first one that the design cannot use.
struct Prepared {
  std::vector<double> differences;
  std::vector<std::int64_t> pair_of;  ///< pairs of the plan used up to each difference
  std::optional<InvalidReason> reason;
  std::string detail;
  std::int64_t at = 0;  ///< pairs used up
};

/// Zero for a tie.
double difference_or_tie(double candidate, double baseline, const PairedScores& scores) {
  const double sign = scores.direction == Direction::higher ? 1.0 : -1.0;
  const double tolerance = own_tolerance(candidate, baseline, scores);
  const double difference = candidate - baseline;
  return std::fabs(difference) <= tolerance ? 0.0 : sign * difference;
}

double lost_or_won(const Score& candidate, const Score& baseline) {
  if (finite_score(candidate) == finite_score(baseline)) return 0.0;
  return finite_score(candidate) ? infinite : -infinite;
}

void stop(Prepared& out, InvalidReason reason, std::int64_t pair, const std::string& what) {
  out.reason = reason;
  out.detail = what + " in pair " + std::to_string(pair);
}

/// A score outside the declared range voids the guarantee of a rule on bounded scores.
bool outside(Prepared& out, const Score& score, const Design& design, std::int64_t pair) {
  const auto& range = *design.range;
  if (*score >= range.first && *score <= range.second) return false;
  stop(out, InvalidReason::design_mismatch, pair,
       "a score of " + shortest(*score) + " is outside the declared range " + shortest(range.first) + " to " +
           shortest(range.second) + ",");
  return true;
}

/// False: the design ends here, INVALID.
bool take(Prepared& out, const PairedScores& scores, const Design& design, std::size_t i) {
  const Score &candidate = scores.candidate[i], &baseline = scores.baseline[i];
  const auto pair = static_cast<std::int64_t>(i);
  const SequentialData data = family_of(design).data;
  const bool failed = !candidate || !baseline;
  if (failed && design.failure == FailurePolicy::drop) return true;
  if (failed && design.failure == FailurePolicy::refuse) {
    stop(out, InvalidReason::missing, pair, "the design refuses failed trials, but one failed");
    return false;
  }
  const bool both = finite_score(candidate) && finite_score(baseline);
  if (!both && data != SequentialData::wins) {
    stop(out, InvalidReason::missing, pair,
         "family " + design.family + " needs a finite score for every trial, but one is missing");
    return false;
  }
  if (data == SequentialData::bounded &&
      (outside(out, candidate, design, pair) || outside(out, baseline, design, pair)))
    return false;
  out.differences.push_back(both ? difference_or_tie(*candidate, *baseline, scores) : lost_or_won(candidate, baseline));
  out.pair_of.push_back(pair + 1);
  return true;
}

Prepared prepared_pairs(const PairedScores& given, const Design& design) {
  const PairedScores scores = decided_scores(given);
  if (family_of(design).data == SequentialData::bounded && !design.range)
    throw InvalidInput("range", "none", "the lowest and highest possible score, declared");
  Prepared out;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    out.at = static_cast<std::int64_t>(i) + 1;
    if (!take(out, scores, design, i)) break;
  }
  return out;
}

double tie_share(std::int64_t ties, std::int64_t pairs) {
  return static_cast<double>(ties) / static_cast<double>(pairs);
}

/// Number of wins (or losses) in a row that reach a boundary within `left` pairs, with ties within the limit of a rule
/// that has one.
std::optional<std::int64_t> streak_to_boundary(const SignPlan& plan, const SequentialStep& now, std::int64_t left,
                                               double tie_limit, bool won) {
  const std::int64_t n = now.pairs - now.ties;
  for (std::int64_t k = 1; k <= left && n + k <= plan.horizon; ++k) {
    const auto row = static_cast<std::size_t>(n + k);
    const bool reached = won ? now.wins + k >= plan.high[row] : now.wins <= plan.low[row];
    if (reached && tie_share(now.ties, now.pairs + k) <= tie_limit) return k;
  }
  return std::nullopt;
}

/// The rule that knows how many declared pairs are left, since its boundaries depend on it.
bool counts_declared_pairs(const Design& design) {
  return rule_of(design) == "curtailed";
}

/// Tied and left-out pairs do not advance the rule, so the plan may end before the rule does. This ends the rule at the
/// first look after which no outcome of the remaining pairs decides.
void curtail_part(SequentialPart& part, const SignPlan& plan, std::int64_t pairs) {
  if (!plan.settled.empty()) return;  // no row of wins or losses reaches EQUIVALENT; such a plan runs to its end
  for (std::size_t i = 0; i < part.looks.size(); ++i) {
    SequentialStep& step = part.looks[i];
    const std::int64_t n = step.pairs - step.ties, left = pairs - part.pair_of[i];
    if (step.state != SequentialState::go_on || n + left >= plan.horizon) continue;
    if (streak_to_boundary(plan, step, left, 1.0, true) || streak_to_boundary(plan, step, left, 1.0, false)) continue;
    step.state = SequentialState::ended;
    part.looks.resize(i + 1);
    return;
  }
}

void set_needed_rows(SequentialPart& part, const Design& design) {
  const SequentialStep now = part.looks.empty() ? SequentialStep{} : part.looks.back();
  const auto plan = sign_plan_of(design, part.at_n - (now.pairs - now.ties));
  if (!plan) return;
  part.low_means = plan->low_means;
  if (part.state != SequentialState::go_on) return;
  const std::int64_t left = design.pairs - part.at_n;
  const double tie_limit = counts_declared_pairs(design) ? design.tie_limit : 1.0;
  part.wins_to_better = streak_to_boundary(*plan, now, left, tie_limit, true);
  part.losses_to_against = streak_to_boundary(*plan, now, left, tie_limit, false);
}

/// A rule that counts the declared pairs has an e-value of its own after every tie, and their maximum is no e-value.
std::optional<double> always_valid(const SequentialPart& part, const Design& design) {
  if (counts_declared_pairs(design) && (part.left_out > 0 || (!part.looks.empty() && part.looks.back().ties > 0)))
    return std::nullopt;
  std::optional<double> largest;
  for (const auto& step : part.looks)
    if (step.log_e) largest = std::max(largest.value_or(*step.log_e), *step.log_e);
  if (!largest) return std::nullopt;
  return std::min(1.0, std::exp(-*largest));
}

bool too_many_ties(const SequentialPart& part, const Design& design) {
  if (part.looks.empty()) return false;
  const SequentialStep& last = part.looks.back();
  return last.ties == last.pairs || tie_share(last.ties, last.pairs) > design.tie_limit;
}

/// The looks, up to the one that ends the rule.
void watch_pairs(SequentialPart& part, const Prepared& pairs, const Design& design, Steps steps) {
  SequentialSettings settings = settings_of(design);
  settings.intervals = steps == Steps::with_intervals;
  settings.used = pairs.pair_of;
  part.pair_of = pairs.pair_of;
  part.looks = watch(rule_of(design), pairs.differences, settings);
  if (!counts_declared_pairs(design)) {
    if (const auto plan = sign_plan_of(design)) curtail_part(part, *plan, design.pairs);
    return;
  }
  // Pairs that are left out at the end of the plan reach no rule, but then no pair is to come.
  const bool ended = part.given == design.pairs && !pairs.reason;
  if (!ended || part.looks.empty() || part.looks.back().state != SequentialState::go_on) return;
  settings.used.back() = part.pair_of.back() = design.pairs;
  part.looks = watch(rule_of(design), pairs.differences, settings);
}

/// Sets where the pairs end: at the look that decided, before a pair that cannot be used, or with the last pair of the
/// plan.
void end(Followed& out, const Prepared& pairs, const Design& design) {
  SequentialPart& part = out.part;
  if (!part.looks.empty()) part.state = part.looks.back().state;
  part.at_n = pairs.at;
  if (part.state != SequentialState::go_on) {
    part.at_n = part.pair_of[part.looks.size() - 1];
  } else if (pairs.reason) {
    out.reason = pairs.reason;
    out.detail = pairs.detail;
    part.state = SequentialState::ended;
  } else if (part.given == design.pairs) {
    part.state = SequentialState::ended;
  }
  part.pair_of.resize(part.looks.size());
  part.left_out = part.at_n - static_cast<std::int64_t>(part.looks.size()) - (out.reason ? 1 : 0);
}

}  // namespace

PairedScores first_pairs(const PairedScores& scores, std::int64_t n) {
  PairedScores out = scores;
  const auto size = std::min(static_cast<std::size_t>(n), scores.candidate.size());
  out.candidate.resize(size);
  out.baseline.resize(size);
  if (!out.candidate_bounds.empty()) out.candidate_bounds.resize(size);
  if (!out.baseline_bounds.empty()) out.baseline_bounds.resize(size);
  return out;
}

Followed follow(const PairedScores& scores, const Design& design, Steps steps) {
  Followed out;
  out.part.given = static_cast<std::int64_t>(scores.candidate.size());
  if (out.part.given > design.pairs) {
    out.part.state = SequentialState::ended;
    out.part.at_n = out.part.given;
    out.reason = InvalidReason::extended;
    return out;
  }
  const Prepared pairs = prepared_pairs(scores, design);
  watch_pairs(out.part, pairs, design, steps);
  end(out, pairs, design);
  set_needed_rows(out.part, design);
  out.part.always_valid_p = always_valid(out.part, design);
  if (out.part.state == SequentialState::go_on || out.reason) return out;
  if (out.part.looks.empty())
    out.reason = InvalidReason::missing;
  else if (too_many_ties(out.part, design))
    out.reason = InvalidReason::ties;
  return out;
}

}  // namespace retrial::variance::inline verdict
