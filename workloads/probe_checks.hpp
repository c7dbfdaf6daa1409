#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/probe.hpp"

/// Checks that a workload's probe can use: numbers in, a finding or none out. No LibTorch.
namespace retrial::workloads {

/// One declared term of an objective on one batch. Gradients are flat, over what is trained, 0 where none arrives.
struct TermShare {
  std::string name;
  double weight = 1.0;           ///< as declared; 0: a key switches the term off, and nothing is asked of it
  std::vector<double> gradient;  ///< weighted
};

/// dead-term: a declared term with a weight whose gradient is 0.
/// unaccounted-term: |total - sum of the terms| > 1e-5 of the largest of total and terms. The finding names the term
/// that is computed and never added, where exactly one explains the difference.
[[nodiscard]] std::vector<Finding> check_terms(std::span<const TermShare> declared, std::span<const double> total);

/// teacher-mutated: parameters and buffers of `what` before and after a training step, as digests.
[[nodiscard]] std::optional<Finding> check_frozen(const std::string& what, const std::string& before,
                                                  const std::string& after);

/// teacher-path-differs: outputs of the plain pass and of the pass that also returns features, bit for bit.
[[nodiscard]] std::optional<Finding> check_paths(const std::string& what, std::span<const float> plain,
                                                 std::span<const float> with_features);

/// train-mode-in-eval: outputs of the same rows one by one and in large batches differ by more than 1e-4, or by
/// more than 2e-5 of the largest where outputs are large: a loss that blows up the logits has larger rounding errors.
[[nodiscard]] std::optional<Finding> check_batches(const std::string& what, std::span<const float> one_by_one,
                                                   std::span<const float> together);

/// mask-not-applied: a masked weight (mask 0) is not 0. mask-revived: a mask is 1 where it was 0 one step earlier.
/// Spans of one length each; `layer` names them.
[[nodiscard]] std::optional<Finding> check_masked(const std::string& layer, std::span<const float> weights,
                                                  std::span<const std::uint8_t> mask);
[[nodiscard]] std::optional<Finding> check_never_revived(const std::string& layer, std::span<const std::uint8_t> before,
                                                         std::span<const std::uint8_t> after);

/// ratio-missed: |reached - requested| > 1 / prunable, both as shares kept.
[[nodiscard]] std::optional<Finding> check_ratio(double requested, std::int64_t kept, std::int64_t prunable);

/// `kind` (score-ignores-data, rewind-ignored): two digests that have to differ agree.
[[nodiscard]] std::optional<Finding> check_differs(const std::string& kind, const std::string& what,
                                                   const std::string& a, const std::string& b);

}  // namespace retrial::workloads
