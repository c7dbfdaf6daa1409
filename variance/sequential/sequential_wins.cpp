#include <cmath>
#include <functional>

#include "variance/sequential/confidence_sequences.hpp"
#include "variance/sequential/sequential_rules.hpp"
#include "variance/sequential/sequential_sign.hpp"
#include "variance/wins/decide.hpp"

/// The rules on wins. Verdicts come from the boundaries of a plan; each rule adds its own evidence.
namespace retrial::variance::inline sequential::sequential_rules {
namespace {

/// Fills in the evidence after `n` untied pairs.
using SignEvidence = std::function<void(SequentialStep&, std::int64_t wins, std::int64_t n)>;

void fill(SequentialStep& step, const SignPlan& plan, std::int64_t n) {
  const auto row = static_cast<std::size_t>(n);
  step.statistic = static_cast<double>(step.wins);
  if (plan.high[row] <= n) step.boundary = static_cast<double>(plan.high[row]);
  if (plan.low[row] >= 0) step.boundary_against = static_cast<double>(plan.low[row]);
}

Levels levels_of(const SequentialSettings& s) {
  return {.alpha = s.alpha, .beta = s.beta, .gamma = s.gamma};
}

Steps walk_signs(const SignPlan& plan, Differences differences, const SequentialSettings& s,
                 const SignEvidence& evidence) {
  Steps steps;
  SequentialStep step;
  for (const double d : differences) {
    step = counted(step, d, s.tie);
    const std::int64_t n = step.pairs - step.ties;
    fill(step, plan, n);
    evidence(step, step.wins, n);
    if (s.intervals) step.interval = bernoulli_sequence(step.wins, n, s.alpha, s.t_opt);
    if (const auto status = plan.verdict(step.wins, n)) decide(step, *status);
    steps.push_back(step);
    if (step.state != SequentialState::go_on) break;
  }
  return steps;
}

Steps walk_open(SignFamily family, Differences differences, const SequentialSettings& s, const SignEvidence& evidence) {
  if (s.horizon) return walk_signs(bounded_plan(family, *s.horizon, levels_of(s)), differences, s, evidence);
  const auto horizon = static_cast<std::int64_t>(differences.size()) + 1;
  return walk_signs(open_plan(family, horizon, levels_of(s)), differences, s, evidence);
}

double tie_share(std::int64_t ties, std::int64_t pairs) {
  return static_cast<double>(ties) / static_cast<double>(pairs);
}

/// The answer of the fixed rule when `ends.untied - n` pairs are still to come. The rule is INVALID with too many ties:
/// it stops once that is certain, and asks on as long as later pairs may still bring their share below the limit.
void ask_fixed(SequentialStep& step, const FixedEnds& ends, const SequentialSettings& s) {
  const std::int64_t n = step.pairs - step.ties, left = ends.untied - n;
  step.statistic = static_cast<double>(step.wins);
  if (ends.high <= n) step.boundary = static_cast<double>(ends.high);
  if (ends.low >= left) step.boundary_against = static_cast<double>(ends.low - left);
  step.log_e = std::log(conditional_rejection(step.wins, n, ends.high, ends.untied) / s.alpha);
  if (s.intervals) step.interval = bernoulli_sequence(step.wins, n, s.alpha, s.t_opt);
  const auto status = ends.settled(step.wins, n);
  if (tie_share(step.ties, step.pairs + left) > s.tie_limit)
    decide(step, Status::inconclusive);
  else if (status && tie_share(step.ties, step.pairs) <= s.tie_limit)
    decide(step, *status);
}

}  // namespace

Steps curtailed(Differences differences, const SequentialSettings& s) {
  const Levels levels = levels_of(s);
  const std::int64_t pairs = s.horizon ? *s.horizon : exact_sign_design(levels).pairs;
  FixedEnds ends = fixed_ends(pairs, levels);
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
    const std::int64_t used = s.used.empty() ? step.pairs : s.used[so_far.size() - 1];
    const std::int64_t untied = pairs - used + step.pairs - step.ties;
    if (untied != ends.untied) ends = fixed_ends(untied, levels);
    ask_fixed(step, ends, s);
  });
}

Steps sprt(Differences differences, const SequentialSettings& s) {
  const double gamma = required_gamma(levels_of(s));
  return walk_open(SignFamily::sprt, differences, s, [&](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_likelihood_ratio(wins, n, gamma);
    step.log_e_against = -*step.log_e;
  });
}

Steps mixture_e(Differences differences, const SequentialSettings& s) {
  return walk_open(SignFamily::mixture_e, differences, s, [](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_win_e(wins, n);
    step.log_e_against = log_win_e(n - wins, n);
  });
}

Steps dual_e(Differences differences, const SequentialSettings& s) {
  const double gamma = required_gamma(levels_of(s));
  const SignEvidence evidence = [&](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_win_e(wins, n);
    step.log_e_against = log_below_gamma_e(wins, n, gamma);
  };
  if (s.band) return walk_signs(dual_plan_with_band(*s.horizon, *s.band, levels_of(s)), differences, s, evidence);
  return walk_open(SignFamily::dual_e, differences, s, evidence);
}

}  // namespace retrial::variance::inline sequential::sequential_rules
