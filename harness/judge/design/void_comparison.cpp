#include "harness/judge/design/comparison.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline judge::inline design {

void demand_valid(const StudyView& study, const Comparison& comparison) {
  if (!comparison.violation) return;
  if (comparison.violation == variance::InvalidReason::dead_source)
    refuse_dead_seeds("study " + study.name, comparison.violation_detail);
  const bool edited = comparison.violation == variance::InvalidReason::program_changed;
  throw Error(
      {.exit = Exit::incomparable,
       .code = edited ? "compare.program_changed" : "compare.invalid",
       .where = "study " + study.name,
       .problem = "INVALID (" + std::string(name_of(*comparison.violation)) + "): " + comparison.violation_detail,
       .help = edited ? "run the study again in another store (--db), and leave the program alone meanwhile"
                      : "no other test makes it valid; retrial compare shows the declared verdict"});
}

void refuse_dead_seeds(const std::string& where, const std::string& detail) {
  throw Error({.exit = Exit::incomparable,
               .code = "compare.dead_source",
               .where = where,
               .problem = "INVALID (dead-source): " + detail,
               .help = "retrial check --command shows whether a seed arrives; if the program computes a single "
                       "number, run it without a seed or with --allow-constant"});
}

void demand_alone(Comparison& comparison) {
  if (comparison.side_by_side.empty() || comparison.violation) return;
  comparison.violation = variance::InvalidReason::side_by_side;
  comparison.violation_detail = comparison.side_by_side;
  std::erase(comparison.remarks, comparison.side_by_side);
}

void refuse_side_by_side(const StudyView& study, const Comparison& comparison) {
  if (comparison.side_by_side.empty()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.side_by_side",
               .where = "study " + study.name,
               .problem = "INVALID (side-by-side): " + comparison.side_by_side,
               .help = "without --require the test is shown, with a warning"});
}

}  // namespace retrial::harness::inline judge::inline design
