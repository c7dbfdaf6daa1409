#include "harness/judge/design/design_violation.hpp"

#include <algorithm>

#include "harness/study/checks/study.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

using variance::InvalidReason;

bool pair_by_pair(const std::vector<results::PlanEntry>& plan) {
  std::int64_t pair = 0;
  for (const auto& entry : plan) {
    if (entry.pair_index != pair && entry.pair_index != pair + 1) return false;
    pair = entry.pair_index;
  }
  return true;
}

std::string retried_text(const Comparison& c) {
  return "failed trials were run again (" + std::to_string(c.retries.candidate) + " times for " + c.design.candidate +
         ", " + std::to_string(c.retries.baseline) + " for " + c.design.baseline + ", up to " +
         std::to_string(c.retries.most) + " of one trial), and the design allows " +
         (c.design.retries == 0 ? "none" : std::to_string(c.design.retries) + " for each trial") +
         ": a program that fails when it does badly would be drawn again until it does well. Declare retries = " +
         std::to_string(c.retries.most) + " in [compare] before the first run";
}

}  // namespace

void violate(Comparison& out, InvalidReason reason, const std::string& detail) {
  if (out.violation) return;
  out.violation = reason;
  out.violation_detail = detail;
}

void count_retries(const PlannedTrial& trial, bool of_candidate, Comparison& comparison) {
  auto& [of_candidates, of_baselines, most] = comparison.retries;
  (of_candidate ? of_candidates : of_baselines) += trial.retries;
  most = std::max(most, trial.retries);
}

void find_retries(Comparison& comparison) {
  if (comparison.retries.most > comparison.design.retries)
    violate(comparison, InvalidReason::retried, retried_text(comparison));
}

void find_violation(const StudyView& study, Comparison& comparison) {
  if (study.pairs > 1 &&
      !pairs_differ(study.vary, determinism::mode_from_document(study.mode), comparison.metric.nature))
    violate(comparison, InvalidReason::one_cluster,
            "no source of variation was varied, so that the pairs are copies of one pair and n is 1");
  find_retries(comparison);
  if (!study.design || !study.design->sequential()) return;
  if (!pair_by_pair(study.plan)) violate(comparison, InvalidReason::order, "the plan is not in the order of the pairs");
  if (!comparison.undeclared.empty())
    violate(comparison, InvalidReason::design_mismatch,
            "a sequential design stops by one claim and says nothing about another: " + comparison.undeclared.front());
}

void refuse_violation(const std::string& study, const Comparison& declared) {
  if (!declared.violation) return;
  throw Error({.exit = Exit::incomparable,
               .code = "run.design",
               .where = "study " + study,
               .problem = "none of its verdicts could be valid (" +
                          std::string(variance::name_of(*declared.violation)) + "): " + declared.violation_detail,
               .help = "use another seed, or a separate store with --db; retrial compare shows what was judged"});
}

}  // namespace retrial::harness::inline judge::inline design
