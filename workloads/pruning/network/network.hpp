#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/nn/shape/architecture.hpp"

/// Pruning: the weights of a network that may be removed, those that must be removed together, and the remaining
/// network.
namespace retrial::pruning::inline network {

/// The channels that one side of a layer reads or writes: the indices offset .. offset + count - 1 of a group. After
/// flattening each channel represents `repeat` adjacent features.
struct Channels {
  int group = 0;
  std::int64_t offset = 0, count = 0, repeat = 1;
};

/// A convolution or linear layer whose weight (out, in * repeat, taps) may be pruned. Batch norms and biases never are.
struct Layer {
  std::string name;  ///< its weight is the tensor name + ".weight"
  Channels out, in;
  std::int64_t taps = 1;       ///< taps per kernel
  std::int64_t positions = 1;  ///< places of one output map

  [[nodiscard]] std::int64_t columns() const { return in.count * in.repeat * taps; }
  [[nodiscard]] std::int64_t weights() const { return out.count * columns(); }
};

/// A batch norm over the channels that flow through it.
struct Norm {
  std::string name;
  Channels channels;
};

/// Channels that can only be removed together, everywhere: a connected component of the dependency graph, in which a
/// tensor that flows on without mixing channels (batch norm, ReLU, pooling, addition) couples what writes and what
/// reads it. Pixels and classes are never removed.
struct Group {
  std::int64_t size = 0;
  bool removable = true;
};

/// A network in the terms of pruning. Layers are in the order of their first use in a forward pass; this order decides
/// ties.
struct Network {
  std::vector<Layer> layers;
  std::vector<Norm> norms;
  std::vector<Group> groups;
  std::int64_t parameters = 0;  ///< all parameters, including biases and batch norms

  [[nodiscard]] std::int64_t weights() const;
  /// The first layer that writes a group, used as its name; empty for the pixels.
  [[nodiscard]] std::string writer_of(std::size_t group) const;
};

/// Throws InvalidInput as nn::tensors_of does. With shortcut A the three stages of a ResNet are one group: a channel of
/// a narrow stage is the channel that it is copied to, and channels of zeros have no counterpart there. The layers of a
/// script are its trained parameters NAME.weight of two or more dimensions; none before a worker has read the file.
[[nodiscard]] Network network_of(const nn::Architecture& architecture, const data::Shape& input, int classes);

}  // namespace retrial::pruning::inline network
