#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variance/numbers/estimate.hpp"
#include "variance/two_variants/status.hpp"

/// Rules that are asked after every pair whether to go on: one row each. Everything about a rule is declared before the
/// first pair. Differences are candidate minus baseline, oriented so that positive is better, in the order of the plan,
/// which may never be sorted by result: the answer of a rule after pair i depends on pairs 1 to i alone.
namespace retrial::variance::inline sequential {

enum class SequentialState {
  go_on,
  decided_for,      ///< BETTER
  decided_against,  ///< NOT MEANINGFUL, WORSE or EQUIVALENT
  ended             ///< INCONCLUSIVE: the declared pairs are used up, or no continuation can decide
};
[[nodiscard]] std::string_view name_of(SequentialState state);

struct SequentialSettings {
  /// Chance of a false BETTER or WORSE, whenever one stops: rules on wins, for each of the two; rules on differences,
  /// for both together.
  double alpha = 0.05;
  double beta = 0.05;   ///< chance of NOT MEANINGFUL for a candidate that wins gamma of the pairs
  double gamma = 0.75;  ///< smallest share of pairs won that counts as a meaningful advantage
  /// Most pairs, declared beforehand; of sign rules: untied ones. Absent: no end, or, of a rule that must have one, the
  /// pairs of the exact fixed design.
  std::optional<std::int64_t> horizon;
  std::vector<std::int64_t> looks =
      {};                           ///< of group-sequential rules: pairs at each look, ascending; empty: five, equal
  double tie = 0.0;                 ///< differences no larger are ties
  double g = 1.0;                   ///< of the anytime t: variance of the standardized effect
  std::optional<double> low, high;  ///< declared range of the differences, of rules on bounded scores
  double t_opt = 30.0;              ///< untied pairs at which the interval of the share of pairs won is tightest
  std::int64_t draws = 10'000;      ///< of group_permutation: permutations, where there are more
  std::uint64_t key = 0;            ///< of its draws, those of the comparison
  /// dual_e with a horizon only: shares of pairs won around 1/2 that make it say EQUIVALENT.
  std::optional<std::pair<double, double>> band = {};
  bool intervals = true;  ///< false: steps without their interval, which is most of the time
};

/// The answer of a rule after a pair.
struct SequentialStep {
  std::int64_t pairs = 0, wins = 0, ties = 0;  ///< so far
  SequentialState state = SequentialState::go_on;
  Status status = Status::inconclusive;
  std::optional<double> log_e;             ///< natural log of the evidence for BETTER; decides at log(1 / level)
  std::optional<double> log_e_against;     ///< of the evidence against
  std::optional<double> statistic;         ///< wins of sign rules, t, or z
  std::optional<double> boundary;          ///< BETTER from this value of the statistic on (group_permutation: above it)
  std::optional<double> boundary_against;  ///< decided against from this value on down
  std::string_view note;  ///< "degenerate": differences have not varied; "drift": no mean fits them all; or empty
  Estimate interval;      ///< of what the rule is about; holds at every look together
};

enum class SequentialData {
  wins,         ///< only the sign of a difference counts; infinite ones are pairs of a run that diverged
  differences,  ///< finite numbers
  bounded       ///< finite numbers in the declared range [low, high], which contains 0
};

struct SequentialRule {
  std::string_view name, asks, when;
  SequentialData data = SequentialData::wins;
  bool open = true;   ///< may go on without an end; otherwise a horizon is part of the rule
  bool exact = true;  ///< its error rates hold exactly or as a bound, with no approximation
  std::string_view estimand;
  std::vector<SequentialStep> (*run)(std::span<const double>, const SequentialSettings&) = nullptr;
};
[[nodiscard]] std::span<const SequentialRule> all_sequential_rules();
/// Nothing for a name that is not in the table.
[[nodiscard]] const SequentialRule* find_sequential(std::string_view name);

/// One step for each pair, up to the first whose state is not go_on: pairs that had started by then change nothing.
/// InvalidInput for an unknown rule, settings out of range, differences that the rule cannot take.
[[nodiscard]] std::vector<SequentialStep> watch(std::string_view rule, std::span<const double> differences,
                                                const SequentialSettings& settings = {});

}  // namespace retrial::variance::inline sequential
