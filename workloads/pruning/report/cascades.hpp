#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/json/json.hpp"
#include "results/text/value.hpp"
#include "variance/numbers/estimate.hpp"
#include "workloads/interface/evidence.hpp"

/// Finished trials of the workload `pruning`, for its tables and figures.
namespace retrial::pruning {

/// One trial: a parent (step 0) and its pruned networks, step by step.
struct CascadeRun {
  std::int64_t pair = 0;
  std::map<std::string, std::map<std::int64_t, double>> series;  ///< metric -> step -> value
  std::map<std::string, double> finals;
  Json potential, backselect;  ///< the artifacts of these names; null if missing

  [[nodiscard]] std::optional<double> at(const std::string& metric, std::int64_t step) const;
  /// Steps that count, parent first; pruned networks that were not retrained do not count.
  [[nodiscard]] std::vector<std::int64_t> steps() const;
  [[nodiscard]] bool untrained() const;  ///< the parent is no better than chance
};

struct VariantCascades {
  std::string variant;
  Values values;
  bool unstructured = false;     ///< single weights are masked
  std::vector<CascadeRun> runs;  ///< finished ones, by pair

  /// Mean over the pairs that have a value, with Student's interval; nothing without any.
  [[nodiscard]] std::optional<variance::Estimate> mean(const std::string& metric, double alpha) const;
  [[nodiscard]] std::optional<variance::Estimate> mean(const std::string& metric, std::int64_t step,
                                                       double alpha) const;
  /// Mean prune ratio in percent of every step that counts in all pairs, parent first.
  [[nodiscard]] std::vector<std::pair<std::int64_t, double>> ratios() const;
};

struct PruningStudy {
  const workloads::StudyEvidence& evidence;
  std::vector<VariantCascades> variants;  ///< in the order of the study

  [[nodiscard]] bool one_pair() const;
};

/// Reads every finished trial.
[[nodiscard]] PruningStudy read_cascades(const workloads::StudyEvidence& evidence);

/// The steps of `ratios` nearest to the prune ratios that Liebenwein et al. 2021 compare: 15, 46, 69, 80 and 93.8 %;
/// each once, ascending.
[[nodiscard]] std::vector<std::pair<std::int64_t, double>> compared_steps(
    const std::vector<std::pair<std::int64_t, double>>& ratios);

}  // namespace retrial::pruning
