#include "variance/verdict/sentence_parts.hpp"

#include "variance/numbers/number_text.hpp"
#include "variance/verdict/design_family.hpp"

namespace retrial::variance::inline verdict {

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

std::string beat_text(const std::string& winner, const std::string& loser, std::int64_t won, const PairedWin& counts) {
  const std::string out = winner + " beat " + loser + " in " + std::to_string(won) + " of ";
  if (counts.ties == 0) return out + counted_text(counts.untied(), "pair");
  return out + counted_text(counts.untied(), "untied pair") + " (" + std::to_string(counts.ties) + " more tied)";
}

std::string candidate_wins(const Verdict& v) {
  return beat_text(v.design.candidate, v.design.baseline, v.counts.wins, v.counts);
}

namespace {

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

/// The rate at which the design says this in error.
std::string error_text(const Verdict& v) {
  const bool wins = family_of(v.design).data == SequentialData::wins;
  const std::string equal = ". If the two were equally good, this design would say ";
  switch (v.status) {
    case Status::better:
      if (v.sequential->at_half) return equal + "BETTER in " + percent(v.sequential->at_half->better) + " of studies";
      [[fallthrough]];
    case Status::worse:
      return equal + "BETTER or WORSE in at most " + percent((wins ? 2.0 : 1.0) * settings_of(v.design).alpha) +
             " of studies";
    case Status::equivalent:
      return ". If the true win rate were at an end of the band " + significant(v.design.band->first, 4) + " to " +
             significant(v.design.band->second, 4) + ", this design would say EQUIVALENT in at most " +
             percent(settings_of(v.design).alpha) + " of studies";
    case Status::not_meaningful:
      return ". If the true win rate were " + percent(v.design.levels().gamma) +
             ", this design would say NOT MEANINGFUL in " + percent(v.sequential->at_gamma->against) + " of studies";
    default:
      return family_of(v.design).anytime ? ". This design may be extended to more pairs"
                                         : ". This design may not be extended; a new study may have more pairs";
  }
}

std::string stopped(const Verdict& v) {
  return "the " + v.design.family + " design stopped after " + std::to_string(v.sequential->at_n) + " of at most " +
         counted_text(v.design.pairs, "pair");
}

}  // namespace

std::string sequential_sentence(const Verdict& v) {
  if (v.sequential->state == SequentialState::go_on) return undecided(v);
  return candidate_wins(v) + "; " + stopped(v) + ": " + claim_text(v.design, v.status) + error_text(v) + ".";
}

std::string test_sentence(const Verdict& v) {
  const TestOutcome& test = *v.test;
  std::string out = test.test + " on " + counted_text(v.complete_pairs, "pair");
  if (test.p) out += ", two-sided p = " + significant(*test.p, 3);
  return out + ": " + claim_text(v.design, v.status) + " at alpha = " + significant(v.design.alpha, 4) +
         (v.design.sides == Sides::one ? " in each direction." : " in both directions together.");
}

}  // namespace retrial::variance::inline verdict
