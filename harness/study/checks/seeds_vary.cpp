#include "harness/study/checks/study.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline checks {

bool pairs_differ(const std::vector<std::string>& varied, const determinism::KernelMode& mode, results::Nature judged) {
  // Under `inherit` nothing is known about the kernels, and noise that was not requested is not a sample.
  const bool noise_requested = !mode.inherit() && !mode.deterministic;
  return !varied.empty() || noise_requested || judged == results::Nature::cost;
}

namespace {

/// A comparison or claims must not rest on copies of one pair. Not part of checked(), because `retrial check` chooses
/// what varies itself.
void demand_pairs_that_differ(const StudyDraft& draft, const Study& study) {
  const bool judges = study.compare || !study.claims.empty();
  if (!judges || study.pairs < 2 || pairs_differ(study.varied, study.mode, judged_metric(study).nature)) return;
  const std::string field = draft.hold && !draft.hold->empty() ? "hold" : "vary";
  const auto& given = field == "hold" ? draft.hold : draft.vary;
  throw Error(
      {.code = "study.nothing_varied",
       .where = draft.at(field),
       .field = field,
       .value = given ? results::joined(*given) : "",
       .problem = "no source of variation is varied, so all pairs would be copies of one pair and support no verdict",
       .allowed = study.held.empty() ? "" : "vary at least one of " + results::joined(study.held),
       .help = "pairs = 1 runs one trial per variant; retrial check finds out whether a trial repeats itself"});
}

}  // namespace

Study checked_to_run(const StudyDraft& draft) {
  Study study = checked(draft);
  demand_pairs_that_differ(draft, study);
  return study;
}

}  // namespace retrial::harness::inline study::inline checks
