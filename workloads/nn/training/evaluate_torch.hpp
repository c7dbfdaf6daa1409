#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "determinism/digest/psum2.hpp"
#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn::inline training {

/// Test and validation rows go through a model in file order, 500 at a time.
inline constexpr std::int64_t evaluation_batch = 500;

/// Logits of all images in evaluation mode, without a gradient: on the device of the model, wherever the images are;
/// the host gets them at the end.
[[nodiscard]] at::Tensor logits_of(const Model& model, const at::Tensor& images);

/// Computes the running statistics of every batch norm again, from nothing: the mean and the unbiased variance of each
/// batch of these images, averaged with the number of rows as weight (a cumulative average, as PyTorch keeps it with
/// momentum = None and equal batches). Everything else stays. At least two images.
void estimate_statistics(const Model& model, const at::Tensor& images);

/// Index of the largest logit per row as int64; a NaN counts as -infinity, ties go to the lowest index.
[[nodiscard]] at::Tensor predicted(const at::Tensor& logits);

/// Empty, or a warning that the logits of some test rows are not finite: a network whose running statistics overflowed
/// has a finite loss in training, and chance accuracy. `network` is "student cnn8".
[[nodiscard]] std::string not_finite_text(const at::Tensor& logits, const std::string& network);

/// Percentage of rows in which two int64 vectors agree.
[[nodiscard]] double percent_equal(const at::Tensor& a, const at::Tensor& b);

/// Tells who watches the health of the training the loss on labels of rows that do not train, beside that on the rows
/// that do; nothing where the objective has other terms, whose loss is no loss on labels.
void report_losses(const EpochReport& report, const at::Tensor& logits, const at::Tensor& labels);

/// The predictions digest: the list of "labels" (the predicted ones) and "logits".
[[nodiscard]] determinism::Psum2 predictions_digest(const at::Tensor& labels, const at::Tensor& logits);

}  // namespace retrial::nn::inline training
