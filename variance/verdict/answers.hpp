#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/verdict.hpp"

/// The two questions of every verdict, each with an answer of its own: is the difference real, and is it as large as
/// what was declared to matter?
namespace retrial::variance::inline verdict {

/// "yes", "no", "undecided".
enum class Answer { yes, no, undecided };
[[nodiscard]] std::string_view name_of(Answer answer);

/// Whether a difference was shown, whatever its size.
struct RealAnswer {
  bool asked = true;                  ///< false: the declared test asks only whether the two are equal within a margin
  bool shown = false;                 ///< BETTER or WORSE at the declared alpha
  Status direction = Status::better;  ///< the one that was shown, or is nearer
  std::optional<double> p;            ///< the p that decides: shown iff p <= alpha. Absent for rules without one
};

enum class Bound {
  gamma,   ///< the smallest share of pairs won that matters
  margin,  ///< the largest difference that does not matter, in the unit of the metric
  band,    ///< the shares of pairs won that count as equal
  rope     ///< half the width of practical equivalence, of a Bayesian test
};
/// "gamma", "margin", "band", "rope".
[[nodiscard]] std::string_view name_of(Bound bound);

/// Yes: beyond the bound with the error rate alpha. No: short of it, by the rule that says NOT MEANINGFUL or
/// EQUIVALENT.
struct SizeAnswer {
  Bound bound = Bound::gamma;
  Answer answer = Answer::undecided;
  /// Fixed designs with a gamma: exact probability of at least (yes: at most alpha), at most (no: at most beta) as many
  /// wins if the win rate were gamma.
  std::optional<double> p_yes = {}, p_no = {};
};

struct Answers {
  RealAnswer real;
  std::vector<SizeAnswer> large;  ///< one per declared bound; empty: not asked
};
/// Nothing for an INVALID verdict.
[[nodiscard]] std::optional<Answers> answers_of(const Verdict& verdict);
/// The same of one test of two variants; its bounds are those that it reads.
[[nodiscard]] std::optional<Answers> answers_of(const TestOutcome& outcome, const TestSettings& settings);

/// The answers that a bound of equivalence gives. Undecided without that bound.
[[nodiscard]] Answer beyond_margin(const Verdict& verdict);
[[nodiscard]] Answer beyond_band(const Verdict& verdict);

}  // namespace retrial::variance::inline verdict
