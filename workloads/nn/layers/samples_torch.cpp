#include "workloads/nn/layers/samples_torch.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "determinism/seeds/seeds.hpp"
#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/layers/model_torch.hpp"

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

Samples::Samples(const data::ImageSet& set, std::vector<std::uint32_t> rows, data::PixelTable table, std::int64_t batch,
                 const at::Device& device)
    : set_(set),
      rows_(std::move(rows)),
      table_(std::move(table)),
      batch_(std::min(batch, static_cast<std::int64_t>(rows_.size()))),
      device_(device),
      clean_(on(device, image_buffer(set.shape, batch_))),
      changed_(image_buffer(set.shape, batch_)),
      labels_(at::empty({batch_}, at::kLong)),
      augmenter_(set.shape) {
  if (!device_.is_cpu()) resident_ = resident();
}

Samples::Resident Samples::resident() const {
  const std::int64_t pixels = set_.shape.pixels();
  const at::Tensor bytes = at::empty({count(), pixels}, at::kByte);
  for (std::int64_t i = 0; i < count(); ++i)
    std::copy_n(set_.image(rows_[static_cast<std::size_t>(i)]), pixels, bytes.data_ptr<std::uint8_t>() + i * pixels);
  const auto& values = table_.channels();
  const at::Tensor table = at::empty({static_cast<std::int64_t>(values.size()), 256}, at::kFloat);
  for (std::size_t c = 0; c < values.size(); ++c) std::ranges::copy(values[c], table.data_ptr<float>() + c * 256);
  return {bytes.to(device_), labels_of(set_, rows_).to(device_), table.to(device_)};
}

std::int64_t Samples::batches() const {
  return (count() + batch_ - 1) / batch_;
}

void Samples::begin_epoch(std::uint64_t order_seed, std::uint64_t epoch) {
  order_ = determinism::epoch_order(order_seed, static_cast<std::uint32_t>(rows_.size()), epoch);
  const at::Tensor places = at::empty({count()}, at::kLong);
  std::ranges::copy(order_, places.data_ptr<std::int64_t>());
  index_ = on(device_, places);
}

at::Tensor Samples::index(std::int64_t b) const {
  return index_.narrow(0, b * batch_, static_cast<std::int64_t>(places(b).size()));
}

at::Tensor Samples::gathered(std::int64_t b) {
  const auto images = static_cast<std::uint64_t>(places(b).size());
  device_kernels()->gather({.bytes = resident_.bytes.const_data_ptr<std::uint8_t>(),
                            .table = resident_.table.const_data_ptr<float>(),
                            .places = index(b).const_data_ptr<std::int64_t>(),
                            .images = clean_.data_ptr<float>(),
                            .count = images,
                            .pixels = static_cast<std::uint64_t>(set_.shape.pixels()),
                            .plane = static_cast<std::uint64_t>(set_.shape.height * set_.shape.width)});
  return clean_.narrow(0, 0, static_cast<std::int64_t>(images));
}

std::span<const std::uint32_t> Samples::places(std::int64_t b) const {
  const std::int64_t first = b * batch_;
  return {order_.data() + first, static_cast<std::size_t>(std::min(batch_, count() - first))};
}

at::Tensor Samples::images(std::int64_t b) {
  if (!device_.is_cpu()) return gathered(b);
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
  return on(device_, changed_.narrow(0, 0, static_cast<std::int64_t>(places(b).size())));
}

at::Tensor Samples::labels(std::int64_t b) {
  if (!device_.is_cpu()) return resident_.labels.index_select(0, index(b));
  const auto chosen = places(b);
  std::transform(chosen.begin(), chosen.end(), labels_.data_ptr<std::int64_t>(),
                 [&](std::uint32_t place) { return std::int64_t{set_.labels[rows_[place]]}; });
  return labels_.narrow(0, 0, static_cast<std::int64_t>(chosen.size()));
}

}  // namespace retrial::nn::inline layers
