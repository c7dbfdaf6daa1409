#include "workloads/nn/layers/samples_torch.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "determinism/seeds/seeds.hpp"

namespace retrial::nn::inline layers {
namespace {

at::Tensor image_buffer(const data::Shape& shape, std::int64_t count) {
  return at::empty({count, shape.channels, shape.height, shape.width}, at::kFloat);
}

}  // namespace

at::Tensor images_of(const data::ImageSet& set, std::span<const std::uint32_t> rows, const data::PixelTable& table) {
  const at::Tensor images = image_buffer(set.shape, static_cast<std::int64_t>(rows.size()));
  float* to = images.data_ptr<float>();
  for (const std::uint32_t row : rows) {
    table.convert(set.image(row), to);
    to += set.shape.pixels();
  }
  return images;
}

at::Tensor labels_of(const data::ImageSet& set, std::span<const std::uint32_t> rows) {
  const at::Tensor labels = at::empty({static_cast<std::int64_t>(rows.size())}, at::kLong);
  std::transform(rows.begin(), rows.end(), labels.data_ptr<std::int64_t>(),
                 [&](std::uint32_t row) { return std::int64_t{set.labels[row]}; });
  return labels;
}

Samples::Samples(const data::ImageSet& set, std::vector<std::uint32_t> rows, data::PixelTable table, std::int64_t batch)
    : set_(set),
      rows_(std::move(rows)),
      table_(std::move(table)),
      batch_(std::min(batch, static_cast<std::int64_t>(rows_.size()))),
      clean_(image_buffer(set.shape, batch_)),
      changed_(image_buffer(set.shape, batch_)),
      labels_(at::empty({batch_}, at::kLong)),
      augmenter_(set.shape) {}

std::int64_t Samples::batches() const {
  return (count() + batch_ - 1) / batch_;
}

void Samples::begin_epoch(std::uint64_t order_seed, std::uint64_t epoch) {
  order_ = determinism::epoch_order(order_seed, static_cast<std::uint32_t>(rows_.size()), epoch);
}

std::span<const std::uint32_t> Samples::places(std::int64_t b) const {
  const std::int64_t first = b * batch_;
  return {order_.data() + first, static_cast<std::size_t>(std::min(batch_, count() - first))};
}

at::Tensor Samples::images(std::int64_t b) {
  float* to = clean_.data_ptr<float>();
  for (const std::uint32_t place : places(b)) {
    table_.convert(set_.image(rows_[place]), to);
    to += set_.shape.pixels();
  }
  return clean_.narrow(0, 0, static_cast<std::int64_t>(places(b).size()));
}

at::Tensor Samples::augmented(std::int64_t b, const data::Operator& op, const data::AugmentationKey& key) {
  float* to = changed_.data_ptr<float>();
  for (const std::uint32_t place : places(b)) {
    augmenter_.convert(op, key, place, table_, set_.image(rows_[place]), to);
    to += set_.shape.pixels();
  }
  return changed_.narrow(0, 0, static_cast<std::int64_t>(places(b).size()));
}

at::Tensor Samples::labels(std::int64_t b) {
  const auto chosen = places(b);
  std::transform(chosen.begin(), chosen.end(), labels_.data_ptr<std::int64_t>(),
                 [&](std::uint32_t place) { return std::int64_t{set_.labels[rows_[place]]}; });
  return labels_.narrow(0, 0, static_cast<std::int64_t>(chosen.size()));
}

}  // namespace retrial::nn::inline layers
