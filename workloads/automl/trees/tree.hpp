#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workloads/automl/trees/bins.hpp"

namespace retrial::automl::inline trees {

enum class Criterion { gini, entropy, variance };

/// What trees of a forest learn: of classes the class of each place, of values each value in 2^32 steps of their range,
/// so that sums are whole numbers and exact in any order.
struct TreeTarget {
  std::size_t classes = 0;          ///< 0: values
  std::vector<std::int64_t> codes;  ///< by place
  double lowest = 0, range = 0;     ///< of values
  [[nodiscard]] std::size_t width() const { return classes == 0 ? 1 : classes; }
};

struct TreeSettings {
  Criterion criterion = Criterion::gini;
  std::size_t columns = 1;  ///< tried at a node
  std::size_t max_leaves = 2;
  bool random_edges = false;  ///< one edge per column, drawn; else the best one
};

struct Tree {
  struct Node {
    std::int32_t column = -1;  ///< -1: a leaf
    double edge = 0;           ///< values up to it, and unknown ones, go left
    std::uint32_t left = 0, right = 0;
    std::uint32_t leaf = 0;  ///< number of the leaf
  };
  std::vector<Node> nodes;     ///< the root first
  std::vector<double> leaves;  ///< shares of the classes, or a mean, leaf by leaf

  [[nodiscard]] std::uint32_t leaf_of(std::span<const float> row) const;
};

using KeyOfNode = std::function<std::uint64_t(std::uint64_t)>;

/// Best first: the leaf with the largest weighted decrease is split next, on a tie the one that was made first.
/// `weights`: how often each place counts. `key(v)`: of the draws of node v, from 1.
[[nodiscard]] Tree grown(const Bins& bins, const TreeTarget& target, const TreeSettings& settings,
                         std::span<const std::uint32_t> weights, const KeyOfNode& key);

}  // namespace retrial::automl::inline trees
