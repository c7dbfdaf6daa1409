#pragma once

#include "harness/judge/design/comparison.hpp"
#include "harness/plan/plan.hpp"

namespace retrial::harness::inline judge::inline design {

/// Sets the look of the comparison and those before it: a violation (`extended`, `design-mismatch`) where the same
/// trials were looked at by another rule before the design was declared; else a line of `undeclared` where the question
/// was, and where its trials had been planned by an earlier study that declared another question or none.
void find_looks(const results::Store& store, const StudyView& study, Comparison& comparison);

/// Past looks and plans of a store that bear on a later look.
struct Past {
  std::vector<results::StudyRow> studies;  ///< in order of insertion
  std::vector<Look> looks;                 ///< in order
};
/// After the look was recorded: those that other commands recorded since it was placed came before it, too.
void count_again(const results::Store& store, Comparison& comparison);
/// The same for a comparison whose look has its question, study and draw; `document` is that of its study.
void place_look(const Past& past, const Json& document, Comparison& comparison);

/// A look by a declared design, without its question and study.
[[nodiscard]] Look declared_look(const variance::Design& design, const Json& document);

/// Error{incomparable} where no verdict on a plan could be valid because of earlier looks at its trials.
void demand_unseen(const results::Store& store, const std::string& study, const Plan& plan);

/// True when an earlier study of the store planned the trials of one of these claims and did not register it, or
/// registered it with others or at other levels: a claim made after looking at the numbers has no error rate.
/// Independent of when the trials of that study ran.
[[nodiscard]] bool claims_came_later(const results::Store& store, const StudyView& study);

/// "before the first look at its question ...; this is look 3, ...", with the rate of them all: what follows "not
/// declared". For a sequence of two or more.
[[nodiscard]] std::string sequence_text(const Sequence& sequence, const std::string& store = "this store");

/// Names of the registered claims that ask this question.
[[nodiscard]] std::vector<std::string> claims_about(const results::Digest& question, const results::Store& store,
                                                    const StudyView& study);
/// A study may declare two answers to one question, a design and claims: the error rate of both together. For a study
/// with a design and such claims.
[[nodiscard]] std::string shared_text(const StudyView& study, const std::vector<std::string>& claims);

/// A look at the question of a comparison by another rule than the declared one; `rule` tells rules apart.
[[nodiscard]] Look look_by(const Comparison& comparison, const std::string& by, const Json& rule, double rate);

}  // namespace retrial::harness::inline judge::inline design
