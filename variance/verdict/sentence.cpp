#include <string>

#include "variance/comparisons/deciding_p.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/verdict/pair_outcomes.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {
namespace {

/// "kd is BETTER than scratch", for every status.
std::string claim_text(const Design& d, Status status) {
  const std::string word(name_of(status));
  switch (status) {
    case Status::better:
    case Status::worse:
      return d.candidate + " is " + word + " than " + d.baseline;
    case Status::equivalent:
      return d.candidate + " is " + word + " to " + d.baseline;
    case Status::not_meaningful:
      return "any advantage of " + d.candidate + " over " + d.baseline + " is " + word;
    default:
      return d.candidate + " vs " + d.baseline + " is " + word;
  }
}

/// "kd beat scratch in 31 of 40 untied pairs (2 more tied)", "(both failed in 5 more)".
std::string beat_text(const std::string& winner, const std::string& loser, std::int64_t won, const Verdict& v) {
  const std::string out = winner + " beat " + loser + " in " + std::to_string(won) + " of ";
  if (v.counts.ties == 0) return out + counted_text(v.counts.untied(), "pair");
  return out + counted_text(v.counts.untied(), "untied pair") + " (" + undecided_text(v, "more") + ")";
}

/// The same for the wins of the candidate.
std::string candidate_wins(const Verdict& v) {
  return beat_text(v.design.candidate, v.design.baseline, v.counts.wins, v);
}

std::string needed_text(const SequentialPart& part) {
  std::string out;
  if (part.wins_to_better) out += counted_text(*part.wins_to_better, "win") + " in a row would give BETTER";
  if (part.losses_to_against)
    out += (out.empty() ? "" : ", ") + counted_text(*part.losses_to_against, "loss", "losses") + " in a row " +
           std::string(name_of(part.low_means));
  return out.empty() ? "" : "; " + out;
}

std::string undecided(const Verdict& v) {
  return "after " + std::to_string(v.sequential->at_n) + " of at most " + counted_text(v.design.pairs, "pair") + ", " +
         candidate_wins(v) + ": not decided yet" + needed_text(*v.sequential) + ".";
}

/// The fixed rule looks at the untied pairs, so its rates depend on their number.
std::string given_ties(const Verdict& v) {
  if (rule_of(v.design) != "curtailed" || v.counts.ties + v.dropped_pairs == 0) return "";
  return v.dropped_pairs > 0 ? " with as many pairs tied or left out" : " with as many ties";
}

/// The rate at which the design says this in error.
std::string error_text(const Verdict& v) {
  const bool wins = family_of(v.design).data == SequentialData::wins;
  const std::string equal = ". If the two were equally good, this design would say ";
  switch (v.status) {
    case Status::better:
    case Status::worse:
      if (v.sequential->at_half)
        return equal + std::string(name_of(v.status)) + " in " +
               percent(v.status == Status::better ? v.sequential->at_half->better : v.sequential->at_half->against) +
               " of studies" + given_ties(v);
      return equal + "BETTER or WORSE in at most " + percent((wins ? 2.0 : 1.0) * settings_of(v.design).alpha) +
             " of studies";
    case Status::equivalent:
      return ". If the true win rate were at an end of the band " + significant(v.design.band->first, 4) + " to " +
             significant(v.design.band->second, 4) + ", this design would say EQUIVALENT in at most " +
             percent(settings_of(v.design).alpha) + " of studies";
    case Status::not_meaningful:
      return ". If the true win rate were " + percent(*v.design.levels().gamma) +
             ", this design would say NOT MEANINGFUL in " + percent(v.sequential->at_win_rate->against) +
             " of studies" + given_ties(v);
    default:
      return family_of(v.design).anytime ? ". This design may be extended to more pairs"
                                         : ". This design may not be extended; a new study may have more pairs";
  }
}

std::string stopped(const Verdict& v) {
  return "the " + v.design.family + " design stopped after " + std::to_string(v.sequential->at_n) + " of at most " +
         counted_text(v.design.pairs, "pair");
}

/// For a sequential design.
std::string sequential_sentence(const Verdict& v) {
  if (v.sequential->state == SequentialState::go_on) return undecided(v);
  return candidate_wins(v) + "; " + stopped(v) + ": " + claim_text(v.design, v.status) + error_text(v) + ".";
}

/// For a fixed design with a test of its own.
std::string test_sentence(const Verdict& v) {
  const TestOutcome& test = *v.test;
  std::string out = test.test + " on " + counted_text(v.complete_pairs, "pair");
  if (const auto deciding = deciding_p(test, v.design.sides)) {
    const bool directed = deciding->claim != Status::equivalent;
    out += std::string(directed ? v.design.sides == Sides::two ? ", two-sided" : ", one-sided" : ",") +
           " p = " + significant(deciding->p, 3);
  }
  return out + ": " + claim_text(v.design, v.status) + " at alpha = " + significant(v.design.alpha, 4) +
         (v.design.sides == Sides::one ? " in each direction." : " in both directions together.");
}

std::string size_text(const Verdict& v) {
  constexpr double smallest_shown = 5e-5;  // below it two decimals of a percentage are 0.00
  const double rate = v.false_positive_rate();
  return ". If the two were equally good, this rule would say " + std::string(name_of(v.status)) + " in at most " +
         (rate < smallest_shown ? percent(rate, 1) : fixed(100.0 * rate, 2) + " %") + " of studies.";
}

std::string directional_text(const Verdict& v) {
  const Design& d = v.design;
  const std::string wins = v.status == Status::better ? beat_text(d.candidate, d.baseline, v.counts.wins, v)
                                                      : beat_text(d.baseline, d.candidate, v.counts.losses, v);
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
         percent(*d.levels().gamma, 4) + " would win this few pairs in at most " + percent(d.beta, 4) + " of studies.";
}

std::string advice_text(const Verdict& v) {
  const std::int64_t untied = v.counts.untied();
  if (!v.more_pairs || !v.more_pairs->pairs)
    return "A new study would need more than " + counted_text(11 * untied, "pair") + " to reach a verdict.";
  const std::int64_t more = *v.more_pairs->pairs;
  return "A new study with " + std::to_string(untied + more) + " untied pairs (" + std::to_string(more) +
         " more) would reach a verdict with probability " + percent(v.more_pairs->probability, 2) + ".";
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
      return std::to_string(v.counts.ties) + " of " + counted_text(v.counts.pairs(), "pair") + " tied" +
             (v.open_pairs > 0 ? " (a score is only a bound in " + std::to_string(v.open_pairs) + ")" : "") +
             (v.both_failed > 0 ? " (both failed in " + std::to_string(v.both_failed) + ")" : "") + ", more than the " +
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
    case InvalidReason::dead_source:
      return "another seed changes nothing";
    case InvalidReason::side_by_side:
      return "trials ran side by side";
    case InvalidReason::program_changed:
      return "a program was edited between its runs";
    case InvalidReason::retried:
      return "failed trials were run again";
  }
  return "";
}

std::string invalid_text(const Verdict& v) {
  const std::string reason(name_of(v.reason.value_or(InvalidReason::numerics)));
  return v.design.candidate + " vs " + v.design.baseline + " is INVALID (" + reason + "): " + reason_text(v) + ".";
}

}  // namespace

namespace {

std::string sentence_of_look(const Verdict& v) {
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

}  // namespace

std::string sentence(const Verdict& v) {
  if (v.status == Status::invalid) return invalid_text(v);
  if (v.looks < 2) return sentence_of_look(v);
  return sentence_of_look(v) + " This is look " + std::to_string(v.looks) +
         " at the question. If the two were equally good, at least one of these looks would say BETTER in at most " +
         percent(v.looks_rate) + " of studies.";
}

}  // namespace retrial::variance::inline verdict
