#pragma once

#include <cstdint>
#include <vector>

#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline network {

/// The dependency graph of channels: nodes are the channels of one tensor, and coupled nodes share their channels,
/// possibly at an offset (a concatenation, or a map filled up with zero channels). Union-find with offsets.
class ChannelGraph {
 public:
  /// A new tensor of `count` channels without couplings.
  int add(std::int64_t count, bool removable = true);
  /// Channel c of `narrow` is channel c + shift of `wide`.
  void couple(int wide, int narrow, std::int64_t shift = 0);

  /// The connected components in the order of their first node.
  [[nodiscard]] std::vector<Group> groups() const;
  /// The place of the channels of a node in its group; `repeat` features each.
  [[nodiscard]] Channels channels(int node, std::int64_t repeat = 1) const;

 private:
  struct Node {
    int parent;
    std::int64_t shift;  ///< channel c is channel c + shift of the parent
    std::int64_t count;
    bool removable;
  };
  struct Place {
    int root;
    std::int64_t shift;
  };
  [[nodiscard]] Place place_of(int node) const;
  [[nodiscard]] std::int64_t lowest(int root) const;
  [[nodiscard]] std::vector<int> roots() const;

  std::vector<Node> nodes_;
};

}  // namespace retrial::pruning::inline network
