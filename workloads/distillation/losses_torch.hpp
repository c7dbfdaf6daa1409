#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>
#include <vector>

#include "workloads/distillation/methods.hpp"

namespace retrial::distillation {

/// -(1/B) sum_b log p(z_b)[y_b]; logits (B, K), labels int64 (B).
[[nodiscard]] at::Tensor ce(const at::Tensor& student, const at::Tensor& labels);

/// Divergence of the student's softened distribution from the teacher's (Hinton, Vinyals, Dean 2015):
/// (T^2 if t_squared) * reduce sum_k p^t_k log(p^t_k / p^s_k), both softmaxes at temperature T. 0 log 0 = 0. Gradient
/// with respect to the student's logits, batch mean and T^2: T (p^s - p^t) / B. None flows to the teacher. Different
/// shapes throw InvalidInput("teacher").
[[nodiscard]] at::Tensor soft(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights);

/// What the terms of a method may look at. `teacher` is undefined where the method has none.
struct Sight {
  at::Tensor student, teacher, labels;
};

/// One loss: a name that methods refer to, and its function. A new loss is one file and one row.
struct TermRow {
  std::string_view name;
  bool reads_teacher;
  at::Tensor (*value)(const Sight& sight, const Weights& weights);
};
[[nodiscard]] const std::vector<TermRow>& all_terms();
[[nodiscard]] const TermRow& find_term(std::string_view name);

}  // namespace retrial::distillation
