#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "workloads/data/augment/augment.hpp"
#include "workloads/data/split/pixels.hpp"

namespace retrial::nn::inline layers {

/// Rows of a set as one float tensor (rows, channels, height, width); int64 labels in the same order.
[[nodiscard]] at::Tensor images_of(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                   const data::PixelTable& table);
[[nodiscard]] at::Tensor labels_of(const data::ImageSet& set, std::span<const std::uint32_t> rows);

/// The training rows, batch by batch in the order of an epoch. The returned tensors are views of buffers that the next
/// call of the same function overwrites. On a GPU the rows stay there as bytes, a kernel makes a batch of them, and the
/// order is sent once an epoch; augmented images are made on the host and sent.
class Samples {
 public:
  Samples(const data::ImageSet& set, std::vector<std::uint32_t> rows, data::PixelTable table, std::int64_t batch,
          const at::Device& device = at::kCPU);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
  [[nodiscard]] std::int64_t batches() const;
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }

  /// Order of epoch e: epoch_order(order_seed, count, e); the last short batch is kept.
  void begin_epoch(std::uint64_t order_seed, std::uint64_t epoch);
  /// Places of batch b in the training part.
  [[nodiscard]] std::span<const std::uint32_t> places(std::int64_t b) const;
  /// The same as int64 on the device.
  [[nodiscard]] at::Tensor index(std::int64_t b) const;
  [[nodiscard]] at::Tensor images(std::int64_t b);
  [[nodiscard]] at::Tensor augmented(std::int64_t b, const data::Operator& op, const data::AugmentationKey& key);
  [[nodiscard]] at::Tensor labels(std::int64_t b);

 private:
  /// The training part on a device: bytes of images, labels, the table of pixels.
  struct Resident {
    at::Tensor bytes, labels, table;
  };
  [[nodiscard]] Resident resident() const;
  [[nodiscard]] at::Tensor gathered(std::int64_t b);

  const data::ImageSet& set_;
  std::vector<std::uint32_t> rows_, order_;
  data::PixelTable table_;
  std::int64_t batch_;
  at::Device device_;
  at::Tensor clean_, changed_, labels_, index_;
  Resident resident_;
  data::Augmenter augmenter_;
};

}  // namespace retrial::nn::inline layers
