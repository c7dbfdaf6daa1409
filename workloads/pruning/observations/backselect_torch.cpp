#include "workloads/pruning/observations/backselect_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

#include "variance/numbers/error.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::pruning::inline observations {
namespace {

/// Squares of an image, row by row.
struct Blocks {
  std::int64_t side, height, width;

  Blocks(const at::Tensor& images, std::int64_t block)
      : side(block), height(images.size(2) / block), width(images.size(3) / block) {
    if (images.size(2) % block != 0 || images.size(3) % block != 0)
      throw InvalidInput("backselect_block", std::to_string(block), "a divisor of the image's sides");
  }
  [[nodiscard]] std::int64_t count() const { return height * width; }
  /// Sets one block of an image to 0, in every channel. Written out: as views of tensors the zeros took half of the
  /// time.
  void clear(float* image, std::int64_t channels, std::int64_t index) const {
    const std::int64_t row = width * side, top = index / width * side, left = index % width * side;
    for (std::int64_t line = 0; line < channels * side; ++line) {
      const std::int64_t channel = line / side, y = top + line % side;
      float* from = image + (channel * height * side + y) * row + left;
      std::fill(from, from + side, 0.0F);
    }
  }
  /// A view of every channel of one block.
  [[nodiscard]] at::Tensor of(const at::Tensor& images, std::int64_t index) const {
    return images.narrow(2, index / width * side, side).narrow(3, index % width * side, side);
  }
};

}  // namespace

std::vector<std::int64_t> removal_order(const nn::Model& model, const at::Tensor& image, std::int64_t block) {
  const Blocks blocks(image, block);
  const std::int64_t predicted = nn::predicted(nn::logits_of(model, image)).item().toLong();
  const at::Tensor now = image.contiguous().clone();
  const std::int64_t channels = image.size(1), values = image.numel();
  std::vector<std::int64_t> left(static_cast<std::size_t>(blocks.count())), order;
  for (std::int64_t b = 0; b < blocks.count(); ++b) left[static_cast<std::size_t>(b)] = b;
  while (!left.empty()) {
    const at::Tensor tried = now.repeat({static_cast<std::int64_t>(left.size()), 1, 1, 1});
    for (std::size_t i = 0; i < left.size(); ++i)
      blocks.clear(tried.data_ptr<float>() + static_cast<std::int64_t>(i) * values, channels, left[i]);
    const at::Tensor sure =
        at::softmax(nn::logits_of(model, tried).to(at::kDouble), 1).select(1, predicted).contiguous();
    const double* confidences = sure.data_ptr<double>();
    const auto best = std::max_element(confidences, confidences + left.size()) - confidences;
    blocks.clear(now.data_ptr<float>(), channels, left[static_cast<std::size_t>(best)]);
    order.push_back(left[static_cast<std::size_t>(best)]);
    left.erase(left.begin() + best);
  }
  return order;
}

at::Tensor informative_pixels(const nn::Model& model, const at::Tensor& images, const BackSelect& options) {
  std::vector<at::Tensor> chosen;
  const Blocks blocks(images, options.block);
  const auto keep = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::llround(options.share * static_cast<double>(blocks.count()))));
  for (std::int64_t i = 0; i < images.size(0); ++i) {
    const at::Tensor image = images.narrow(0, i, 1);
    const auto order = removal_order(model, image, options.block);
    const at::Tensor left = at::zeros_like(image);
    for (auto place = order.end() - keep; place != order.end(); ++place)
      blocks.of(left, *place).copy_(blocks.of(image, *place));
    chosen.push_back(left);
  }
  return at::cat(chosen);
}

double mean_confidence(const nn::Model& model, const at::Tensor& images, const at::Tensor& labels) {
  const at::Tensor sure = at::softmax(nn::logits_of(model, images).to(at::kDouble), 1);
  double sum = 0;
  for (std::int64_t i = 0; i < images.size(0); ++i)
    sum += sure.data_ptr<double>()[i * sure.size(1) + labels.data_ptr<std::int64_t>()[i]];
  return sum / static_cast<double>(images.size(0));
}

}  // namespace retrial::pruning::inline observations
