#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"

/// What a study claims besides its one judged comparison: written down before the first run, part of the study's
/// document and so of its digest, judged together after the last.
namespace retrial::harness::inline study {

/// A number that every trial of a variant leaves: the final value of a metric, or its value at one step of a series.
struct Reading {
  std::string metric;
  std::optional<std::int64_t> step;

  /// "accuracy[2]", "parent_accuracy".
  [[nodiscard]] std::string text() const;
  bool operator==(const Reading&) const = default;
};
/// Nothing for a text of another form: NAME, or NAME[STEP] with a step from 0.
[[nodiscard]] std::optional<Reading> reading_from(const std::string& text);

/// Several are averaged within the trial.
using Readings = std::vector<Reading>;
/// "accuracy[1]"; "the mean of accuracy[1] and accuracy[2]"; of many how many, the first and the last.
[[nodiscard]] std::string text_of(const Readings& readings);

/// Where a mean over pairs is said to lie.
enum class Expect {
  higher,      ///< above what it is held against, by more than the margin
  lower,       ///< below, by more than the margin
  not_higher,  ///< above by no more than the margin: not superior to it
  not_lower,   ///< below by no more than the margin: not inferior to it
  equal        ///< no further away than the margin
};
[[nodiscard]] std::string name_of(Expect expect);
[[nodiscard]] const std::vector<Expect>& all_expectations();
/// Whether the margin is a tolerance, which must be said, and not how much is claimed.
[[nodiscard]] bool tolerates(Expect expect);

/// One claim about pairs of trials that share their seeds, about two readings of the same trial, or about a reading
/// and a number.
struct RegisteredClaim {
  std::string name, says;       ///< NAME, or NAME/CANDIDATE where a study says it of several; says: may be empty
  std::string candidate;        ///< the variant that is read
  std::string baseline;         ///< the variant it is held against; the candidate again: its own trials
  Readings metric, against;     ///< of the candidate, of the baseline
  std::optional<double> value;  ///< instead of a baseline: the number it is held against
  Expect expect = Expect::higher;
  double margin = 0;  ///< in the unit of the metric; above 0 for a tolerance
  std::string test;   ///< of all_comparisons()
  std::string unit;   ///< of the metric

  /// The table of the study file that it comes from, which may stand for several candidates.
  [[nodiscard]] std::string table() const { return name.substr(0, name.find('/')); }
  /// "potential_nominal_max of wt is higher than that of ft".
  [[nodiscard]] std::string sentence() const;
};

/// All claims of a study, which are one family: their error rates are held together.
struct RegisteredClaims {
  std::vector<RegisteredClaim> claims;
  double alpha = 0.05;           ///< chance that any false claim is said to hold
  std::string failure = "loss";  ///< of the design: only drop leaves out the pair of a trial that failed

  [[nodiscard]] bool empty() const { return claims.empty(); }
};

/// Tests that a claim may name: of pairs, with a p for each direction. The first is the default.
[[nodiscard]] const std::vector<std::string>& claim_tests();
/// Least one-sided p of `test` for so many pairs; absent where every p can be reached.
[[nodiscard]] std::optional<double> least_p(const std::string& test, std::int64_t pairs);

/// Field "claims" of a study document; doubles by their bits.
[[nodiscard]] Json document_of(const RegisteredClaims& claims);
/// Error{integrity} for a document of another form.
[[nodiscard]] RegisteredClaims registered_claims_of(const Json& document);

}  // namespace retrial::harness::inline study
