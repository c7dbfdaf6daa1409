#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/json/json.hpp"
#include "results/text/value.hpp"
#include "variance/verdict/verdict.hpp"

/// A stored study for a workload that shows or audits its own results: plain values, without store and plan.
namespace retrial::workloads::inline interface {

/// A trial that has a result.
struct FinishedTrial {
  std::int64_t pair = 0;
  std::map<std::string, std::map<std::int64_t, double>> series;  ///< metric -> step -> value
  std::map<std::string, double> finals;                          ///< metrics without steps
  /// The stored JSON artifact of this name; null if it does not exist. Never an empty function.
  std::function<Json(std::string_view name)> artifact;
};

struct VariantTrials {
  std::string name;
  Values values;                      ///< every key of the declaration, resolved
  std::vector<FinishedTrial> trials;  ///< by pair
};

/// A candidate against the baseline of the study, on one metric, pair by pair.
struct JudgedPair {
  variance::PairedScores scores;
  double tie_limit = 0;                      ///< declared in the design
  std::optional<variance::Verdict> verdict;  ///< only if the comparison was declared before the first run
  std::string command;                       ///< command line that prints this comparison
};

/// Made by the harness from a store, and by hand in tests.
struct StudyEvidence {
  std::string study, baseline;
  std::optional<std::string> candidate;  ///< named by the study, if any
  double alpha = .05;
  bool finished = false;                ///< every planned trial ran, or the declared design has decided
  std::vector<VariantTrials> variants;  ///< in the order of the study, without the trials of searches
  /// Absent if the comparison cannot be made. Never an empty function.
  std::function<std::optional<JudgedPair>(const std::string& candidate, const std::string& metric)> judge;
};

}  // namespace retrial::workloads::inline interface
