#include "workloads/pruning/network/channel_graph.hpp"

#include <algorithm>

namespace retrial::pruning::inline network {

int ChannelGraph::add(std::int64_t count, bool removable) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({.parent = node, .shift = 0, .count = count, .removable = removable});
  return node;
}

ChannelGraph::Place ChannelGraph::place_of(int node) const {
  Place place{node, 0};
  while (nodes_[static_cast<std::size_t>(place.root)].parent != place.root) {
    const Node& at = nodes_[static_cast<std::size_t>(place.root)];
    place = {at.parent, place.shift + at.shift};
  }
  return place;
}

void ChannelGraph::couple(int wide, int narrow, std::int64_t shift) {
  const Place a = place_of(wide), b = place_of(narrow);
  if (a.root == b.root) return;
  // The older node stays the root, so that groups keep the order of the forward pass.
  const bool first = a.root < b.root;
  Node& child = nodes_[static_cast<std::size_t>(first ? b.root : a.root)];
  const std::int64_t to_a = shift + a.shift - b.shift;
  child.parent = first ? a.root : b.root;
  child.shift = first ? to_a : -to_a;
}

std::vector<int> ChannelGraph::roots() const {
  std::vector<int> found;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node)
    if (nodes_[static_cast<std::size_t>(node)].parent == node) found.push_back(node);
  return found;
}

std::int64_t ChannelGraph::lowest(int root) const {
  std::int64_t low = 0;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node)
    if (const Place place = place_of(node); place.root == root) low = std::min(low, place.shift);
  return low;
}

std::vector<Group> ChannelGraph::groups() const {
  std::vector<Group> found;
  for (const int root : roots()) {
    Group group{.size = 0, .removable = true};
    const std::int64_t low = lowest(root);
    for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
      const Place place = place_of(node);
      if (place.root != root) continue;
      const Node& at = nodes_[static_cast<std::size_t>(node)];
      group.size = std::max(group.size, place.shift - low + at.count);
      group.removable = group.removable && at.removable;
    }
    found.push_back(group);
  }
  return found;
}

Channels ChannelGraph::channels(int node, std::int64_t repeat) const {
  const Place place = place_of(node);
  const std::vector<int> all = roots();
  return {.group = static_cast<int>(std::find(all.begin(), all.end(), place.root) - all.begin()),
          .offset = place.shift - lowest(place.root),
          .count = nodes_[static_cast<std::size_t>(node)].count,
          .repeat = repeat};
}

}  // namespace retrial::pruning::inline network
