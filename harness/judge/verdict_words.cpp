#include "harness/judge/verdict_words.hpp"

#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/verdict/complete_pairs.hpp"

namespace retrial::harness::inline judge {

Headline headline_of(const variance::Verdict& v) {
  using variance::Status;
  const std::string& a = v.design.candidate;
  const std::string& b = v.design.baseline;
  switch (v.status) {
    case Status::better:
    case Status::worse:
      return {a + " is ", " than " + b};
    case Status::equivalent:
      return {a + " is ", " to " + b};
    case Status::not_meaningful:
    case Status::inconclusive:
      return {a + " against " + b + ": ", ""};
    case Status::invalid:
      return {a + " against " + b + ": ", " (" + std::string(v.reason ? variance::name_of(*v.reason) : "") + ")"};
  }
  return {};
}

std::optional<MeanDifference> mean_difference(const variance::Verdict& verdict, const variance::PairedScores& scores) {
  if (!verdict.difference) {
    if (verdict.complete_pairs != 1) return std::nullopt;
    return MeanDifference{.estimate = {.point = variance::complete_pairs(scores).difference.front()},
                          .why = "undefined (n = 1)"};
  }
  MeanDifference out{.estimate = verdict.difference->mean};
  if (verdict.difference->degenerate) {
    out.estimate.low = out.estimate.high = std::nullopt;
    out.why = "no variation: exactly this in every pair";
  }
  return out;
}

std::string needed_text(const variance::FixedRule& rule) {
  if (!rule.better_from)
    return "never: " + counted(rule.pairs, "pair") + " are too few even if all are won (least p " +
           short_text(rule.least_p) + ")";
  return std::to_string(*rule.better_from) + " wins or more of " + std::to_string(rule.pairs) + " untied pairs";
}

std::string failure_text(variance::FailurePolicy policy) {
  switch (policy) {
    case variance::FailurePolicy::loss:
      return "a failed trial loses its pair";
    case variance::FailurePolicy::drop:
      return "a pair with a failed trial is left out";
    case variance::FailurePolicy::refuse:
      return "any failed trial makes the verdict INVALID";
  }
  return "";
}

}  // namespace retrial::harness::inline judge
