#include "workloads/nn/training/evaluate_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <limits>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::nn::inline training {
namespace {

/// A comparison with NaN is false, so a NaN is never the largest; a row of NaNs gives 0.
std::int64_t arg_max(const float* row, std::int64_t classes) {
  std::int64_t best = 0;
  float largest = -std::numeric_limits<float>::infinity();
  for (std::int64_t k = 0; k < classes; ++k)
    if (row[k] > largest) {
      largest = row[k];
      best = k;
    }
  return best;
}

}  // namespace

at::Tensor logits_of(const Model& model, const at::Tensor& images) {
  RETRIAL_OPERATION("evaluate");
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> parts;
  for (std::int64_t from = 0; from < images.size(0); from += evaluation_batch)
    parts.push_back(
        model
            .forward(on(device_of(model), images.narrow(0, from, std::min(evaluation_batch, images.size(0) - from))),
                     {})
            .logits);
  return on_host(at::cat(parts));
}

void estimate_statistics(const Model& model, const at::Tensor& images) {
  const at::NoGradGuard no_gradient;
  for (const auto& [name, statistic] : model.buffers()) statistic.zero_();  // no share of a NaN stays
  for (std::int64_t from = 0; from < images.size(0);) {
    const std::int64_t left = images.size(0) - from;
    const std::int64_t rows =
        left == evaluation_batch + 1 ? left : std::min(evaluation_batch, left);  // none of one row
    const double share = static_cast<double>(rows) / static_cast<double>(from + rows);
    (void)model.forward(on(device_of(model), images.narrow(0, from, rows)),
                        {.training = true, .dropout = {}, .momentum = share});
    from += rows;
  }
}

at::Tensor predicted(const at::Tensor& logits) {
  const at::Tensor rows = logits.contiguous();
  const at::Tensor labels = at::empty({rows.size(0)}, at::kLong);
  for (std::int64_t b = 0; b < rows.size(0); ++b)
    labels.data_ptr<std::int64_t>()[b] = arg_max(rows.data_ptr<float>() + b * rows.size(1), rows.size(1));
  return labels;
}

std::string not_finite_text(const at::Tensor& logits, const std::string& network) {
  const std::int64_t rows = logits.size(0) - logits.isfinite().all(1).sum().item().toLong();
  if (rows == 0) return "";
  return std::to_string(rows) + " of " + std::to_string(logits.size(0)) + " test rows have logits of the " + network +
         " that are not finite, so its accuracy is meaningless";
}

double percent_equal(const at::Tensor& a, const at::Tensor& b) {
  const std::int64_t *left = a.data_ptr<std::int64_t>(), *right = b.data_ptr<std::int64_t>();
  std::int64_t equal = 0;
  for (std::int64_t i = 0; i < a.numel(); ++i) equal += left[i] == right[i] ? 1 : 0;
  return 100.0 * static_cast<double>(equal) / static_cast<double>(a.numel());
}

void report_losses(const EpochReport& report, const at::Tensor& logits, const at::Tensor& labels) {
  const bool on_labels_alone = report.terms.size() == 1 && report.terms.front().first == "ce";
  if (profiler::health_is_watched() && on_labels_alone)
    profiler::epoch_evaluated(report.loss, at::cross_entropy_loss(logits, labels).item().toDouble());
}

determinism::Psum2 predictions_digest(const at::Tensor& labels, const at::Tensor& logits) {
  return determinism::tensor_digest({{"labels", labels}, {"logits", logits}});
}

}  // namespace retrial::nn::inline training
