#include <string>

#include "variance/numbers/number_text.hpp"
#include "variance/verdict/design_family.hpp"
#include "variance/verdict/sentence_parts.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {
namespace {

std::string size_text(const Verdict& v) {
  return ". If the two were equally good, this rule would say " + std::string(name_of(v.status)) + " in at most " +
         fixed(100.0 * v.applied.size, 2) + " % of studies.";
}

std::string directional_text(const Verdict& v) {
  const Design& d = v.design;
  const std::string wins = v.status == Status::better ? beat_text(d.candidate, d.baseline, v.counts.wins, v.counts)
                                                      : beat_text(d.baseline, d.candidate, v.counts.losses, v.counts);
  return wins + ": " + claim_text(d, v.status) + size_text(v);
}

std::string within_band_text(const Verdict& v) {
  const Design& d = v.design;
  return candidate_wins(v) + ": the interval of that share is within " + significant(d.band->first, 4) + " to " +
         significant(d.band->second, 4) + ", so " + claim_text(d, v.status) +
         ". If the true win rate were at an end of the band, this rule would say EQUIVALENT in at most " +
         percent(d.levels().alpha, 4) + " of studies.";
}

std::string equivalent_text(const Verdict& v) {
  if (!v.equivalence || !v.equivalence->test.equivalent) return within_band_text(v);
  const Design& d = v.design;
  const Estimate& difference = v.equivalence->difference;
  return d.candidate + " and " + d.baseline + " differ by " + significant(difference.point, 4) + " in " + d.metric +
         " on average (" + percent(difference.level, 4) + " interval " + significant(*difference.low, 4) + " to " +
         significant(*difference.high, 4) + ", " + counted_text(v.complete_pairs, "pair") + "), inside the margin of " +
         significant(*d.margin, 6) + ": " + claim_text(d, v.status) +
         ". If they differed by the margin, this rule would say EQUIVALENT in at most " + percent(d.alpha, 4) +
         " of studies.";
}

std::string not_meaningful_text(const Verdict& v) {
  const Design& d = v.design;
  return candidate_wins(v) + ": " + claim_text(d, v.status) + ". A candidate with a true win rate of " +
         percent(d.gamma, 4) + " would win this few pairs in at most " + percent(d.beta, 4) + " of studies.";
}

std::string advice_text(const Verdict& v) {
  const std::int64_t untied = v.counts.untied();
  if (!v.more_pairs || !v.more_pairs->pairs)
    return "A new study would need more than " + counted_text(11 * untied, "pair") + " to reach a verdict.";
  const std::int64_t more = *v.more_pairs->pairs;
  return "A new study with " + std::to_string(untied + more) + " untied pairs (" + std::to_string(more) +
         " more) would reach a verdict with probability " + significant(100.0 * v.more_pairs->probability, 2) + " %.";
}

std::string inconclusive_text(const Verdict& v) {
  return candidate_wins(v) + ": " + claim_text(v.design, v.status) + ". " + advice_text(v);
}

std::string given_text(const Verdict& v) {
  return "the design declared " + counted_text(v.design.pairs, "pair") + " and the study has " +
         std::to_string(v.counts.pairs() + v.dropped_pairs);
}

std::string missing_text(const Verdict& v) {
  const std::string failed = counted_text(v.candidate.missing, "trial") + " of " + v.design.candidate + " and " +
                             std::to_string(v.baseline.missing) + " of " + v.design.baseline + " failed";
  return failed + (v.design.failure == FailurePolicy::refuse ? ", and the design refuses failed trials"
                                                             : ", and no pair is left");
}

std::string reason_text(const Verdict& v) {
  if (!v.detail.empty() && v.reason != InvalidReason::numerics) return v.detail;
  switch (v.reason.value_or(InvalidReason::numerics)) {
    case InvalidReason::extended:
      return given_text(v) + (family_of(v.design).sequential()
                                  ? "; declare the max number of pairs before looking at the first"
                                  : "; a fixed design may not be extended");
    case InvalidReason::design_mismatch:
      return given_text(v) + "; a fixed design is judged only when it is complete";
    case InvalidReason::missing:
      return missing_text(v);
    case InvalidReason::ties:
      return std::to_string(v.counts.ties) + " of " + counted_text(v.counts.pairs(), "pair") + " tied, more than the " +
             percent(v.design.tie_limit, 4) + " that the design allows";
    case InvalidReason::numerics:
      return "a computation failed (" + v.detail + ")";
    case InvalidReason::order:
      return "the pairs are not in the order of the plan";
    case InvalidReason::one_cluster:
      return "all trials share one search, which supports no claim about the pipeline";
    case InvalidReason::sampler:
      return "the sampler did not mix";
    case InvalidReason::null_control:
      return "the control run without a change raised an alarm";
  }
  return "";
}

std::string invalid_text(const Verdict& v) {
  const std::string reason(name_of(v.reason.value_or(InvalidReason::numerics)));
  return v.design.candidate + " vs " + v.design.baseline + " is INVALID (" + reason + "): " + reason_text(v) + ".";
}

}  // namespace

std::string sentence(const Verdict& v) {
  if (v.status == Status::invalid) return invalid_text(v);
  if (v.sequential) return sequential_sentence(v);
  if (v.test) return test_sentence(v);
  switch (v.status) {
    case Status::better:
    case Status::worse:
      return directional_text(v);
    case Status::equivalent:
      return equivalent_text(v);
    case Status::not_meaningful:
      return not_meaningful_text(v);
    case Status::inconclusive:
      return inconclusive_text(v);
    case Status::invalid:
      break;
  }
  return invalid_text(v);
}

}  // namespace retrial::variance::inline verdict
