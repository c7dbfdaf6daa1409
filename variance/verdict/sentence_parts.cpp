#include "variance/verdict/sentence_parts.hpp"

#include "variance/numbers/number_text.hpp"
#include "variance/verdict/design_family.hpp"

namespace retrial::variance::inline verdict {
namespace {

/// "kd is BETTER than scratch".
std::string said(const Design& d, Status status) {
  const std::string word(name_of(status));
  switch (status) {
    case Status::better:
    case Status::worse:
      return d.candidate + " is " + word + " than " + d.baseline;
    case Status::equivalent:
      return d.candidate + " is " + word + " to " + d.baseline;
    case Status::not_meaningful:
      return "an advantage of " + d.candidate + " over " + d.baseline + " is " + word;
    default:
      return d.candidate + " against " + d.baseline + " is " + word;
  }
}

/// "kd beat scratch in 12 of 13 pairs".
std::string counts_text(const Verdict& v) {
  const bool ties = v.counts.ties > 0;
  std::string out = v.design.candidate + " beat " + v.design.baseline + " in " + std::to_string(v.counts.wins) +
                    " of " + counted_text(v.counts.untied(), ties ? "untied pair" : "pair");
  if (ties) out += " (" + std::to_string(v.counts.ties) + " more tied)";
  return out;
}

std::string needed_text(const SequentialPart& part) {
  std::string out;
  if (part.wins_to_better) out += counted_text(*part.wins_to_better, "win") + " in a row would be BETTER";
  if (part.losses_to_against)
    out += (out.empty() ? "" : ", ") + counted_text(*part.losses_to_against, "loss", "losses") + " in a row " +
           std::string(name_of(part.low_means));
  return out.empty() ? "" : "; " + out;
}

std::string undecided(const Verdict& v) {
  return "after " + std::to_string(v.sequential->at_n) + " of at most " + counted_text(v.design.pairs, "pair") + ", " +
         counts_text(v) + ": not decided yet" + needed_text(*v.sequential) + ".";
}

/// How often the design is wrong in what it just said.
std::string error_text(const Verdict& v) {
  const bool wins = family_of(v.design).data == SequentialData::wins;
  switch (v.status) {
    case Status::better:
      if (v.sequential->at_half)
        return "; with this design two equal variants are called so " + percent(v.sequential->at_half->better) +
               " of the time";
      [[fallthrough]];
    case Status::worse:
      return "; with this design BETTER or WORSE is said of two equal variants at most " +
             percent((wins ? 2.0 : 1.0) * settings_of(v.design).alpha) + " of the time";
    case Status::equivalent:
      return "; with this design a share at an end of the band " + significant(v.design.band->first, 4) + " to " +
             significant(v.design.band->second, 4) + " is called so at most " + percent(settings_of(v.design).alpha) +
             " of the time";
    case Status::not_meaningful:
      return "; with this design a candidate that wins " + percent(v.design.levels().gamma) +
             " of all pairs is called so " + percent(v.sequential->at_gamma->against) + " of the time";
    default:
      return family_of(v.design).anytime ? "; a design of this family may be extended to more pairs"
                                         : "; the declared pairs may not be extended, a new design may";
  }
}

std::string stopped(const Verdict& v) {
  return "family " + v.design.family + " stopped after " + std::to_string(v.sequential->at_n) + " of at most " +
         counted_text(v.design.pairs, "pair");
}

}  // namespace

std::string sequential_sentence(const Verdict& v) {
  if (v.sequential->state == SequentialState::go_on) return undecided(v);
  return counts_text(v) + ", where " + stopped(v) + ": " + said(v.design, v.status) + error_text(v) + ".";
}

std::string test_sentence(const Verdict& v) {
  const TestOutcome& test = *v.test;
  std::string out = test.test + " of " + counted_text(v.complete_pairs, "pair");
  if (test.p) out += ", two-sided p = " + significant(*test.p, 3);
  return out + ": " + said(v.design, v.status) + " at alpha = " + significant(v.design.alpha, 4) +
         (v.design.sides == Sides::one ? " for each direction." : " for both directions together.");
}

}  // namespace retrial::variance::inline verdict
