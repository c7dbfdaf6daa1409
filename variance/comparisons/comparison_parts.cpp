#include "variance/comparisons/comparison_parts.hpp"

#include "variance/comparisons/least_p.hpp"
#include "variance/numbers/check.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline comparisons {

Relabelling relabelling(const TestSettings& settings) {
  Relabelling how{.draws = settings.resamples};
  if (settings.key) how.key = derive(*settings.key, "permutation");
  return how;
}

std::uint64_t key_of(const TestSettings& settings, std::string_view purpose) {
  if (settings.key) return derive(*settings.key, purpose);
  throw InvalidInput("seed", "none", "a seed: this test draws random numbers");
}

TestOutcome judged(const TestResult& result, const TestSettings& settings, Estimate estimate, std::string estimand,
                   std::optional<double> p_equivalent) {
  TestOutcome outcome{.statistic = result.statistic,
                      .df = result.df,
                      .df_within = result.df_within,
                      .p = result.p_two,
                      .p_better = result.p_greater,
                      .p_worse = result.p_less,
                      .p_equivalent = p_equivalent,
                      .drawn = result.drawn,
                      .exact = result.exact,
                      .method = result.method,
                      .estimate = std::move(estimate),
                      .estimand = std::move(estimand)};
  if (!result.note.empty()) outcome.notes.push_back(result.note);
  const double level = claim_level(settings);
  if (result.p_greater <= level)
    outcome.status = Status::better;
  else if (result.p_less <= level)
    outcome.status = Status::worse;
  else if (p_equivalent && *p_equivalent <= settings.alpha)
    outcome.status = Status::equivalent;
  return outcome;
}

TestOutcome judged(const Posterior& posterior, const TestSettings& settings, Estimate estimate, std::string estimand) {
  TestOutcome outcome{.posterior = posterior, .estimate = std::move(estimate), .estimand = std::move(estimand)};
  const double needed = 1.0 - claim_level(settings);
  if (posterior.right >= needed)
    outcome.status = Status::better;
  else if (posterior.left >= needed)
    outcome.status = Status::worse;
  else if (posterior.rope >= needed)
    outcome.status = Status::equivalent;
  return outcome;
}

TestOutcome all_tied(std::string method, Estimate estimate, std::string estimand) {
  return {.status = Status::invalid,
          .reason = InvalidReason::ties,
          .method = std::move(method),
          .estimate = std::move(estimate),
          .estimand = std::move(estimand),
          .notes = {"every score is tied with its counterpart: there is nothing to rank"}};
}

void note_min_p(TestOutcome& outcome, double min_p, const TestSettings& settings) {
  outcome.details.emplace_back("least_p", min_p);
  if (min_p / 2.0 <= claim_level(settings)) return;
  outcome.notes.push_back("this few runs cannot reach alpha = " + significant(settings.alpha, 3) +
                          ": the smallest attainable two-sided p is " + significant(min_p, 3));
}

namespace {

/// The p of the claim that the outcome makes; absent if it makes none.
std::optional<double> exact_p_of(Status claim, const ExactClaims& exact) {
  if (claim == Status::better) return exact.better;
  if (claim == Status::worse) return exact.worse;
  if (claim == Status::equivalent) return exact.equivalent;
  return std::nullopt;
}

std::string at_alpha(const TestSettings& settings) {
  return "alpha = " + significant(settings.alpha, 3) + (settings.sides == Sides::two ? " two-sided" : "");
}

/// Empty if this number can decide.
std::string pairs_wanted(std::size_t pairs, const TestSettings& settings) {
  const double least = least_sign_p(static_cast<std::int64_t>(pairs)), level = claim_level(settings);
  if (least <= level) return "";
  return std::to_string(pairs) + (pairs == 1 ? " pair allows" : " pairs allow") + " no exact p below " +
         significant(least, 3) + ", " + std::to_string(pairs_to_decide(level)) + " without ties can reach " +
         at_alpha(settings);
}

std::string runs_wanted(const TwoSamples& runs, const TestSettings& settings) {
  const double least = least_label_p(runs.candidate.count(), runs.baseline.count()), level = claim_level(settings);
  if (least <= level) return "";
  return std::to_string(runs.candidate.count()) + " runs against " + std::to_string(runs.baseline.count()) +
         " allow no exact p below " + significant(least, 3) + ", " + std::to_string(runs_to_decide(level)) +
         " of each can reach " + at_alpha(settings);
}

void note_repeats_of(TestOutcome& outcome, const std::string& what, const std::string& law, const std::string& wanted) {
  outcome.notes.push_back(
      what + " repeat, which a t test cannot treat as continuous: p is the smallest that the exact law of " + law +
      " allows" + (wanted.empty() ? "" : "; " + wanted));
}

}  // namespace

void require_exact(TestOutcome& outcome, const ExactClaims& exact, const TestSettings& settings) {
  outcome.details.emplace_back("p_for_better", exact.better);
  outcome.details.emplace_back("p_for_worse", exact.worse);
  if (exact.equivalent) outcome.details.emplace_back("p_for_equivalent", *exact.equivalent);
  const auto p = exact_p_of(outcome.status, exact);
  if (!p || *p <= claim_level(settings)) return;
  outcome.notes.push_back(std::string(name_of(outcome.status)) + " is not claimed: the " + exact.law +
                          " of these scores has p = " + significant(*p, 3) + ", more than " +
                          shortest(claim_level(settings)));
  outcome.status = Status::inconclusive;
}

void note_repeats(TestOutcome& outcome, std::size_t pairs, const TestSettings& settings) {
  note_repeats_of(outcome, "differences", "their signs", pairs_wanted(pairs, settings));
}

void note_repeats(TestOutcome& outcome, const TwoSamples& runs, const TestSettings& settings) {
  note_repeats_of(outcome, "scores", "their labels", runs_wanted(runs, settings));
}

void note_too_few(TestOutcome& outcome, std::size_t pairs, const TestSettings& settings) {
  if (const auto wanted = pairs_wanted(pairs, settings); !wanted.empty()) outcome.notes.push_back(wanted);
}

void note_too_few(TestOutcome& outcome, const TwoSamples& runs, const TestSettings& settings) {
  if (const auto wanted = runs_wanted(runs, settings); !wanted.empty()) outcome.notes.push_back(wanted);
}

void note_interval(TestOutcome& outcome, const TestSettings& settings) {
  if (settings.interval != WinMethod::percentile) return;
  outcome.notes.emplace_back(
      "the percentile interval of a share is degenerate at 0 and 1 and under-covers below 30 pairs: use it only to "
      "reproduce published results");
}

double margin_of(const TestSettings& settings) {
  if (settings.margin) return *settings.margin;
  throw InvalidInput("margin", "none", "the largest difference that does not matter, in the unit of the scores");
}

double tolerance_of(const TwoSamples& scores, const TestSettings& settings) {
  return tie_tolerance(settings.resolution, scores.candidate, scores.baseline);
}

std::vector<double> differences_of(const TwoSamples& scores) {
  return variance::differences_of(scores.candidate.values(), scores.baseline.values());
}

}  // namespace retrial::variance::inline comparisons
