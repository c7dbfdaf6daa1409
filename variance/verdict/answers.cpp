#include "variance/verdict/answers.hpp"

#include <algorithm>
#include <cmath>

#include "variance/comparisons/deciding_p.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline verdict {
namespace {

bool directional(Status status) {
  return status == Status::better || status == Status::worse;
}

RealAnswer by_sign_test(const Verdict& v) {
  const DecidingP deciding = deciding_p(v.p_better, v.p_worse, v.design.sides);
  const bool shown = at_most(deciding.p, v.design.alpha);
  return {.shown = shown, .direction = deciding.claim, .p = shown ? std::min(deciding.p, v.design.alpha) : deciding.p};
}

RealAnswer by_test(const TestOutcome& test, Status status, Sides sides) {
  const auto deciding = deciding_p(test, sides);
  if (deciding && deciding->claim == Status::equivalent) return {.asked = false, .p = std::nullopt};
  RealAnswer out{.shown = directional(status), .p = std::nullopt};
  if (out.shown) out.direction = status;
  if (!deciding) return out;
  out.direction = deciding->claim;
  out.p = deciding->p;
  return out;
}

/// The largest evidence up to the last look, in natural logs; absent where the rule has none.
using Evidence = std::optional<double> SequentialStep::*;
std::optional<double> largest(const Verdict& v, Evidence evidence) {
  std::optional<double> out;
  for (const auto& step : v.sequential->looks)
    if (step.*evidence) out = std::max(out.value_or(*(step.*evidence)), *(step.*evidence));
  return out;
}

/// Families of e-values decide at e = 1 / alpha, so 1 / e is their p. The others decide by boundaries.
RealAnswer by_family(const Verdict& v) {
  const DesignFamily& family = family_of(v.design);
  const bool against_is_worse = family.data != SequentialData::wins || v.sequential->low_means == Status::worse;
  RealAnswer out{.shown = directional(v.status), .p = std::nullopt};
  const auto better = largest(v, &SequentialStep::log_e);
  const auto worse = against_is_worse ? largest(v, &SequentialStep::log_e_against) : std::nullopt;
  if (out.shown)
    out.direction = v.status;
  else if (worse > better)
    out.direction = Status::worse;
  if (family.mixture.empty() || !better) return out;
  const double alpha = settings_of(v.design).alpha,
               p = std::min(1.0, std::exp(-std::max(*better, worse.value_or(*better))));
  out.p = std::min(1.0, v.design.alpha / alpha * (out.shown ? std::min(p, alpha) : p));
  return out;
}

RealAnswer real_answer(const Verdict& v) {
  if (v.sequential) return by_family(v);
  return v.test ? by_test(*v.test, v.status, v.design.sides) : by_sign_test(v);
}

/// The wins of the variant that the answer is about: the candidate, unless the baseline was shown to be better.
std::int64_t judged_wins(const Verdict& v, const RealAnswer& real) {
  return real.shown && real.direction == Status::worse ? v.counts.losses : v.counts.wins;
}

SizeAnswer gamma_of_wins(std::int64_t wins, std::int64_t n, const Levels& levels) {
  SizeAnswer out{.bound = Bound::gamma,
                 .p_yes = binomial_at_least(wins, n, *levels.gamma),
                 .p_no = binomial_at_most(wins, n, *levels.gamma)};
  if (excludes_gamma(wins, n, levels))
    out.answer = Answer::no;
  else if (at_most(*out.p_yes, levels.alpha))
    out.answer = Answer::yes;
  return out;
}

SizeAnswer gamma_of_fixed(const Verdict& v, const RealAnswer& real) {
  return gamma_of_wins(judged_wins(v, real), v.counts.untied(), v.design.levels());
}

/// By the verdict, or by the interval that holds at every look. A family on differences has no interval of win rates.
SizeAnswer gamma_of_family(const Verdict& v, const RealAnswer& real) {
  SizeAnswer out{.bound = Bound::gamma};
  if (v.status == Status::not_meaningful) out.answer = Answer::no;
  if (family_of(v.design).data != SequentialData::wins || v.sequential->looks.empty()) return out;
  const Estimate& share = v.sequential->looks.back().interval;
  if (!share.low || !share.high) return out;
  const bool worse = real.shown && real.direction == Status::worse;
  const double low = worse ? 1.0 - *share.high : *share.low, high = worse ? 1.0 - *share.low : *share.high;
  const double gamma = *v.design.levels().gamma;
  if (high < gamma) out.answer = Answer::no;
  if (low >= gamma) out.answer = Answer::yes;
  return out;
}

Answer outside(const Estimate& interval, double low, double high) {
  if (!interval.low || !interval.high) return Answer::undecided;
  return *interval.low > high || *interval.high < low ? Answer::yes : Answer::undecided;
}

std::int64_t detail(const TestOutcome& outcome, std::string_view name) {
  const auto found = std::ranges::find(outcome.details, name, [](const auto& each) { return each.first; });
  return found == outcome.details.end() ? 0 : static_cast<std::int64_t>(found->second);
}

/// The rule of wins alone has a p for NOT MEANINGFUL, and counts its wins and losses.
SizeAnswer gamma_of_test(const TestOutcome& outcome, const TestSettings& settings) {
  const std::int64_t wins = detail(outcome, "wins"), losses = detail(outcome, "losses");
  return gamma_of_wins(outcome.status == Status::worse ? losses : wins, wins + losses,
                       {.alpha = settings.sides == Sides::two ? settings.alpha / 2 : settings.alpha,
                        .beta = settings.beta,
                        .gamma = settings.gamma});
}

SizeAnswer margin_of_test(const TestOutcome& outcome, const TestSettings& settings) {
  SizeAnswer out{.bound = Bound::margin};
  const bool within = outcome.p_equivalent && at_most(*outcome.p_equivalent, settings.alpha);
  out.answer = outcome.status == Status::equivalent || within
                   ? Answer::no
                   : outside(outcome.estimate, -*settings.margin, *settings.margin);
  return out;
}

/// A posterior is of a difference beyond the rope.
SizeAnswer rope_of_test(const TestOutcome& outcome) {
  return {.bound = Bound::rope,
          .answer = outcome.status == Status::equivalent ? Answer::no
                    : directional(outcome.status)        ? Answer::yes
                                                         : Answer::undecided};
}

}  // namespace

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::no:
      return "no";
    case Answer::undecided:
      break;
  }
  return "undecided";
}

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::gamma:
      return "gamma";
    case Bound::margin:
      return "margin";
    case Bound::rope:
      return "rope";
    case Bound::band:
      break;
  }
  return "band";
}

/// A mean over the pairs that happen to be complete says nothing about a variant that failed in the others.
Answer beyond_margin(const Verdict& v) {
  if (v.status == Status::equivalent && v.test) return Answer::no;
  if (!v.equivalence || v.complete_pairs != v.counts.pairs()) return Answer::undecided;
  if (v.equivalence->test.equivalent) return Answer::no;
  return outside(v.equivalence->difference, -*v.design.margin, *v.design.margin);
}

/// By the exact interval of level 1 - 2 alpha of the share of untied pairs won.
Answer beyond_band(const Verdict& v) {
  if (!v.design.band) return Answer::undecided;
  const auto [low, high] = *v.design.band;
  if (v.sequential) {
    if (v.status == Status::equivalent) return Answer::no;
    return v.sequential->looks.empty() ? Answer::undecided : outside(v.sequential->looks.back().interval, low, high);
  }
  const PairedWin untied{.wins = v.counts.wins, .losses = v.counts.losses};
  const Estimate share = win_interval(untied, 2.0 * v.design.levels().alpha);
  if (share.low && share.high && *share.low >= low && *share.high <= high) return Answer::no;
  return outside(share, low, high);
}

std::optional<Answers> answers_of(const Verdict& v) {
  if (v.status == Status::invalid) return std::nullopt;
  Answers out{.real = real_answer(v), .large = {}};
  if (v.design.gamma) out.large.push_back(v.sequential ? gamma_of_family(v, out.real) : gamma_of_fixed(v, out.real));
  if (v.design.margin) out.large.push_back({.bound = Bound::margin, .answer = beyond_margin(v)});
  if (v.design.band) out.large.push_back({.bound = Bound::band, .answer = beyond_band(v)});
  return out;
}

std::optional<Answers> answers_of(const TestOutcome& outcome, const TestSettings& settings) {
  if (outcome.status == Status::invalid) return std::nullopt;
  Answers out{.real = by_test(outcome, outcome.status, settings.sides), .large = {}};
  const auto* test = find_comparison(outcome.test);
  const auto reads = [&](std::string_view setting) {
    return test != nullptr && (test->reads_setting(setting) || test->needs == setting);
  };
  if (settings.gamma && reads("gamma")) out.large.push_back(gamma_of_test(outcome, settings));
  if (settings.margin && reads("margin")) out.large.push_back(margin_of_test(outcome, settings));
  if (settings.rope > 0 && reads("rope")) out.large.push_back(rope_of_test(outcome));
  return out;
}

}  // namespace retrial::variance::inline verdict
