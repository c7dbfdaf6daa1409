#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/interface/trial/probe.hpp"

/// Checks for the probes of any workload, and helpers for checks: numbers in, at most one finding out. No LibTorch.
namespace retrial::workloads::inline interface::inline trial {

/// One declared term of an objective on one batch. Gradients are flat, over the trained parameters, 0 where none
/// arrives.
struct TermShare {
  std::string name;
  double weight = 1.0;           ///< as declared; 0: switched off by a key, so not checked
  std::vector<double> gradient;  ///< weighted
};

/// dead-term: a declared term has a weight and a gradient of 0.
/// unaccounted-term: |total - sum of the terms| > 1e-5 of the largest of total and terms. The finding names the term
/// that is computed and never added, where exactly one explains the difference.
[[nodiscard]] std::vector<Finding> check_terms(std::span<const TermShare> declared, std::span<const double> total);

/// train-mode-in-eval: outputs of the same rows one by one and in large batches differ by more than 1e-4, or by more
/// than 2e-5 of the largest if outputs are large: large logits have larger rounding errors.
[[nodiscard]] std::optional<Finding> check_batches(const std::string& what, std::span<const float> one_by_one,
                                                   std::span<const float> together);

/// `kind` (score-ignores-data, rewind-ignored): two digests agree that must differ.
[[nodiscard]] std::optional<Finding> check_differs(const std::string& kind, const std::string& what,
                                                   const std::string& a, const std::string& b);

/// "0.0123": four significant digits, for people.
[[nodiscard]] std::string short_number(double value);
/// "3 of 10".
[[nodiscard]] std::string share_text(std::size_t some, std::size_t all);
/// std::logic_error, a defect of the probe itself, unless both sides have as many values.
void require_equal_sizes(std::size_t a, std::size_t b);
/// Infinite if only one side is finite.
[[nodiscard]] float largest_difference(std::span<const float> a, std::span<const float> b);

}  // namespace retrial::workloads::inline interface::inline trial
