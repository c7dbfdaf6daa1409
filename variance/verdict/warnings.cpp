#include <string>
#include <utility>

#include "variance/numbers/number_text.hpp"
#include "variance/verdict/answers.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {
namespace {

constexpr double enough_power = 0.8;

std::string failed_text(const Verdict& v, const std::string& name, std::int64_t missing) {
  std::string text = counted_text(missing, "trial") + " of " + name + " failed; ";
  switch (v.design.failure) {
    case FailurePolicy::loss:
      return text + "a failed trial counts as a loss unless both of its pair failed";
    case FailurePolicy::drop:
      return text + "their pairs are left out (" + counted_text(v.dropped_pairs, "pair") + " in all)";
    case FailurePolicy::refuse:
      break;
  }
  return text + "the design refuses failed trials";
}

/// "3 of 10 scores of ft are bounds (at least): ..."
void add_bounds(std::vector<std::string>& list, const std::string& name, const VariantSummary& variant) {
  for (const auto& [count, bound] :
       {std::pair(variant.at_least, ScoreBound::at_least), std::pair(variant.at_most, ScoreBound::at_most)})
    if (count > 0)
      list.push_back(std::to_string(count) + " of " + counted_text(variant.runs, "score") + " of " + name + " " +
                     (count == 1 ? "is a bound" : "are bounds") + " (" + std::string(name_of(bound)) +
                     "): a pair that it leaves open is a tie, and the mean is one of bounds");
}

void add_about_variant(std::vector<std::string>& list, const Verdict& v, const std::string& name,
                       const VariantSummary& variant) {
  if (variant.missing > 0) list.push_back(failed_text(v, name, variant.missing));
  if (variant.diverged > 0)
    list.push_back(counted_text(variant.diverged, "trial") + " of " + name +
                   " diverged; a diverged trial counts as a loss unless both of its pair failed");
  add_bounds(list, name, variant);
  if (variant.sd && *variant.sd == 0.0) list.push_back("all scores of " + name + " are identical");
  if (v.flags.same_test_items && variant.binomial_floor && variant.sd &&
      *variant.binomial_floor * *variant.binomial_floor >= 0.5 * *variant.sd * *variant.sd)
    list.push_back("every run of " + name + " was tested on the same items: another set of that size would move its " +
                   v.design.metric + " by about " + significant(*variant.binomial_floor, 2) +
                   " (one sd), which the spread over seeds does not include");
  if (!variant.floor_share || *variant.floor_share < 0.5) return;
  const std::string share = *variant.floor_share >= 1.0 ? "100 % or more" : percent(*variant.floor_share);
  list.push_back(share + " of the variance of " + name +
                 " comes from the size of the test set; no choice of seeds removes it");
}

/// Reason that the declared rule and the t interval of the mean may differ.
std::string reason_to_differ(const Design& d) {
  if (d.test == "pab_exact") return "the declared rule counts the pairs won, the mean weighs them by their size";
  return "the declared test, " + d.test + ", decides" +
         (d.sides == Sides::one ? ", in each direction at alpha; the interval is two-sided" : "");
}

/// Warning where the t interval of the mean and the verdict point different ways.
void add_disagreement(std::vector<std::string>& list, const Verdict& v) {
  const auto answers = answers_of(v);
  if (!answers || v.sequential || !v.difference || !v.difference->mean.low || !answers->real.asked) return;
  const Status says = answers->real.shown ? answers->real.direction : Status::inconclusive;
  if (says == v.mean_favors) return;
  const auto winner = [&](Status status) { return status == Status::better ? v.design.candidate : v.design.baseline; };
  const Estimate& mean = v.difference->mean;
  std::string text = "the t interval of the mean difference, " + significant(*mean.low, 4) + " to " +
                     significant(*mean.high, 4) + ", ";
  if (v.mean_favors == Status::inconclusive)
    text += "contains 0, although a difference is shown";
  else if (says == Status::inconclusive)
    text += "excludes 0 in favor of " + winner(v.mean_favors) + ", but no difference is shown";
  else
    text += "favors " + winner(v.mean_favors) + ", but the verdict favors " + winner(says);
  list.push_back(text + ": " + reason_to_differ(v.design));
}

}  // namespace

std::vector<std::string> warnings_of(const Verdict& v) {
  std::vector<std::string> list;
  add_disagreement(list, v);
  const bool known = v.design.test == "pab_exact" && (!v.sequential || v.sequential->at_win_rate);
  if (known && v.design.gamma && v.planned.power < enough_power)
    list.push_back("the design of " + counted_text(v.design.pairs, "pair") + " has power " + percent(v.planned.power) +
                   " " + win_rate_condition(v.design));
  if (v.flags.small_sample && v.counts.untied() > 0)
    list.push_back("with " + counted_text(v.counts.untied(), "untied pair") + " the smallest attainable p is " +
                   significant(v.applied.min_p, 3) + ": neither BETTER nor WORSE was possible");
  if (v.tied_scores() > 0)
    list.push_back(counted_text(v.tied_scores(), "pair") + " tied: test and interval are conditional on the ties");
  if (v.both_failed > 0)
    list.push_back("in " + counted_text(v.both_failed, "pair") +
                   " neither trial has a score (both failed): neither won nor lost, and not part of test and interval");
  add_about_variant(list, v, v.design.candidate, v.candidate);
  add_about_variant(list, v, v.design.baseline, v.baseline);
  if (auto text = unequal_failures(v); !text.empty() && v.status != Status::invalid) list.push_back(std::move(text));
  if (v.equivalence && v.equivalence->test.equivalent && v.complete_pairs < v.counts.pairs())
    list.push_back("no claim of equivalence: " + counted_text(v.counts.pairs() - v.complete_pairs, "judged pair") +
                   " without a finite score");
  if (v.flags.coarse_metric)
    list.push_back("the metric is coarse: fewer than half of the scores are distinct, so normal models do not fit");
  if (v.difference && v.difference->degenerate) list.push_back("all differences are identical: there is no t test");
  if (v.flags.drift)
    list.push_back("the differences drift along the seed list (runs test, p = " + significant(v.drift_test->p_two, 2) +
                   "): pairs may not be exchangeable");
  return list;
}

}  // namespace retrial::variance::inline verdict
