#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"

/// Claims of a study in addition to its one judged comparison: registered before the first run, part of the study's
/// document and so of its digest, judged together after the last run.
namespace retrial::harness::inline study::inline declared {

/// A number that every trial of a variant records: the final value of a metric, or its value at one step of a series.
struct Reading {
  std::string metric;
  std::optional<std::int64_t> step;

  /// "accuracy[2]", "parent_accuracy".
  [[nodiscard]] std::string text() const;
  bool operator==(const Reading&) const = default;
};
/// Reads NAME, or NAME[STEP] with a step from 0; nothing for any other text.
[[nodiscard]] std::optional<Reading> reading_from(const std::string& text);

/// Several readings are averaged within the trial.
using Readings = std::vector<Reading>;
/// "accuracy[1]"; "the mean of accuracy[1] and accuracy[2]"; for many readings their number, the first and the last.
[[nodiscard]] std::string text_of(const Readings& readings);

/// The claimed position of a mean over pairs, relative to its reference.
enum class Expect {
  higher,      ///< above the reference, by more than the margin
  lower,       ///< below it, by more than the margin
  not_higher,  ///< above it by no more than the margin: not superior
  not_lower,   ///< below it by no more than the margin: not inferior
  equal        ///< no further away than the margin
};
[[nodiscard]] std::string name_of(Expect expect);
[[nodiscard]] const std::vector<Expect>& all_expectations();
/// Whether the margin is a required tolerance, and not the size of the claimed difference.
[[nodiscard]] bool tolerates(Expect expect);

/// A variant's part of a contrast.
struct Weighted {
  std::string variant;
  double weight = 1;  ///< finite, not 0
  bool operator==(const Weighted&) const = default;
};
/// Variants of one pair whose weighted sum is compared with a number: sum over them of weight * metric.
using Contrast = std::vector<Weighted>;
/// Whether the weights sum to 0, as far as their rounding tells: a sum that does not change where every variant gains
/// the same.
[[nodiscard]] bool is_balanced(const Contrast& contrast);

/// One of the sets of a claim about a share: where the candidate is ahead of the baseline in this reading, it is won.
struct ShareCell {
  std::string candidate, baseline;
  Reading metric;
  bool operator==(const ShareCell&) const = default;
};

/// One claim about pairs of trials that share their seeds, about two readings of the same trial, about a reading and a
/// number, or about a contrast of several variants and a number.
struct RegisteredClaim {
  std::string name, says;       ///< NAME, or NAME/CANDIDATE if made about several candidates; says: may be empty
  std::string candidate;        ///< the variant that is read; empty for a contrast
  std::string baseline;         ///< the variant it is compared with; equal to the candidate: its own trials
  Readings metric, against;     ///< candidate's, baseline's
  std::optional<double> value;  ///< instead of a baseline: the number it is compared with
  Contrast contrast = {};       ///< instead of a candidate; two or more variants, each once
  /// Two or more: the claim is about the share of them that the candidate wins in a pair, compared with `value`.
  /// `candidate`, `baseline` and `metric` then name all of them for people.
  std::vector<ShareCell> cells = {};
  Expect expect = Expect::higher;
  double margin = 0;  ///< in the unit of the metric; above 0 for a tolerance
  std::string test;   ///< as in all_comparisons()
  std::string unit;   ///< unit of the metric
  /// Test rows / training rows of the redrawn divisions of one data set (corrected_t, and tost corrected by it); absent
  /// for tests that take the pairs as independent.
  std::optional<double> overlap = {};

  /// The table of the study file that declares it, possibly for several candidates.
  [[nodiscard]] std::string table() const { return name.substr(0, name.find('/')); }
  /// The variants whose trials are read, each once.
  [[nodiscard]] std::vector<std::string> variants() const;
  /// Whether a higher score of this variant makes the claimed value higher: the candidate, or a weight above 0.
  [[nodiscard]] bool raised_by(const std::string& variant) const;
  /// The variants by which the claimed value is raised, or lowered: "a, b"; empty where no variant does.
  [[nodiscard]] std::string side(bool raising) const;
  /// "potential_nominal_max of wt is higher than that of ft".
  [[nodiscard]] std::string sentence() const;
};

/// All claims of a study. They are one family: alpha holds for all of them together.
struct RegisteredClaims {
  std::vector<RegisteredClaim> claims;
  double alpha = 0.05;           ///< probability that any false claim is reported to hold
  std::string failure = "loss";  ///< failure policy of the design: only drop leaves out the pair of a failed trial

  [[nodiscard]] bool empty() const { return claims.empty(); }
};

/// Tests that a claim may name: paired tests with a p for each direction. The first is the default.
[[nodiscard]] const std::vector<std::string>& claim_tests();
/// The one for pairs that share rows; the others take pairs as independent.
inline constexpr const char* resample_test = "corrected_t";
/// "paired_t", "corrected_t, overlap 0.797".
[[nodiscard]] std::string test_text(const RegisteredClaim& claim);
/// For claims about a share, in addition: exact however the sets of a pair depend on each other.
inline constexpr const char* share_test = "binomial";
/// Smallest attainable one-sided p of the claim's test with this many pairs; nothing if every p is attainable.
[[nodiscard]] std::optional<double> min_p(const RegisteredClaim& claim, std::int64_t pairs);

/// Field "claims" of a study document; doubles by their bits.
[[nodiscard]] Json document_of(const RegisteredClaims& claims);
/// Error{integrity} for a document in any other form.
[[nodiscard]] RegisteredClaims registered_claims_of(const Json& document);

}  // namespace retrial::harness::inline study::inline declared
