#include "harness/study/study.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study {

bool pairs_differ(const std::vector<std::string>& varied, const determinism::KernelMode& mode, results::Nature judged) {
  // Under `inherit` nothing is known of the kernels, and noise that nobody asked for is no sample of anything.
  const bool noise_is_asked_for = !mode.inherit() && !mode.deterministic;
  return !varied.empty() || noise_is_asked_for || judged == results::Nature::cost;
}

namespace {

/// A comparison or claims must not rest on copies of one pair. Not part of checked(), because `retrial check` varies
/// and holds by itself.
void demand_pairs_that_differ(const StudyDraft& draft, const Study& study) {
  const bool judges = study.compare || !study.claims.empty();
  if (!judges || study.pairs < 2 || pairs_differ(study.varied, study.mode, judged_metric(study).nature)) return;
  const std::string field = draft.hold && !draft.hold->empty() ? "hold" : "vary";
  const auto& given = field == "hold" ? draft.hold : draft.vary;
  throw Error({.code = "study.nothing_varied",
               .where = draft.at(field),
               .field = field,
               .value = given ? results::joined(*given) : "",
               .problem = "no source of variation is varied, so that all pairs are copies of one and nothing can be "
                          "judged from them",
               .allowed = study.held.empty() ? "" : "vary at least one of " + results::joined(study.held),
               .help = "pairs = 1 runs one trial of each variant; retrial check tells whether a trial repeats itself"});
}

}  // namespace

Study checked_to_run(const StudyDraft& draft) {
  Study study = checked(draft);
  demand_pairs_that_differ(draft, study);
  return study;
}

}  // namespace retrial::harness::inline study
