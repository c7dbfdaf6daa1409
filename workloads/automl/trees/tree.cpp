#include "workloads/automl/trees/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "variance/random/rng.hpp"

namespace retrial::automl::inline trees {
namespace {

/// Places at a node, and the best split of them that was found.
struct Open {
  std::size_t first = 0, last = 0;  // in the grower's list of places
  std::int64_t rows = 0;            // weighted
  std::vector<std::int64_t> sums;   // of the target, weighted
  double gain = 0;                  // 0: no split
  std::size_t column = 0, bin = 0;
};

/// x ln x for 0 to `last`. Logarithms of the project, so that no bit depends on a mathematics library.
std::vector<double> n_log_n_to(std::size_t last) {
  std::vector<double> values(last + 1);
  for (std::size_t n = 2; n <= last; ++n) values[n] = static_cast<double>(n) * variance::log(static_cast<double>(n));
  return values;
}

class Grower {
 public:
  Grower(const Bins& bins, const TreeTarget& target, const TreeSettings& settings,
         std::span<const std::uint32_t> weights, const KeyOfNode& key)
      : bins_(bins),
        target_(target),
        settings_(settings),
        weights_(weights),
        key_(key),
        order_(bins.columns()),
        counts_(256),
        sums_(256 * target.width()) {
    for (std::uint32_t place = 0; place < weights.size(); ++place)
      if (weights[place] > 0) places_.push_back(place);
    if (settings.criterion == Criterion::entropy)
      n_log_n_ = n_log_n_to(std::accumulate(weights.begin(), weights.end(), std::size_t{0}));
  }

  Tree grow() {
    open_node(0, places_.size());
    std::size_t leaves = 1;
    while (leaves < settings_.max_leaves && !queue_.empty()) {
      const std::uint32_t node = queue_.top().node;
      queue_.pop();
      split(node);
      ++leaves;
    }
    for (std::uint32_t node = 0; node < tree_.nodes.size(); ++node)
      if (tree_.nodes[node].column < 0) close(node);
    return std::move(tree_);
  }

 private:
  struct Candidate {
    double gain;
    std::uint32_t node;
    bool operator<(const Candidate& other) const { return gain != other.gain ? gain < other.gain : node > other.node; }
  };

  void open_node(std::size_t first, std::size_t last) {
    Open open{.first = first, .last = last, .sums = std::vector<std::int64_t>(target_.width())};
    for (std::size_t i = first; i < last; ++i) {
      open.rows += weights_[places_[i]];
      add(open.sums, places_[i]);
    }
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    if (open.rows >= 2 && !pure(open)) find_split(open, key_(node + 1));
    if (open.gain > 0) queue_.push({open.gain, node});
    open_.push_back(std::move(open));
  }

  template <typename Sums>
  void add(Sums&& sums, std::uint32_t place) const {
    const std::int64_t weight = weights_[place], code = target_.codes[place];
    if (target_.classes == 0)
      sums[0] += weight * code;
    else
      sums[static_cast<std::size_t>(code)] += weight;
  }

  [[nodiscard]] bool pure(const Open& open) const {
    return target_.classes > 0 && *std::max_element(open.sums.begin(), open.sums.end()) == open.rows;
  }

  struct Range {
    std::size_t column, low, high;  // the least and the greatest bin at a node
  };

  /// Draws columns until `settings.columns` of them are not constant here, and tries these in ascending order.
  void find_split(Open& open, std::uint64_t key) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    variance::Stream draws(key);
    std::vector<Range> chosen;
    for (std::size_t q = 0; q < order_.size() && chosen.size() < settings_.columns; ++q) {
      std::swap(order_[q], order_[q + variance::bounded(draws.next(), order_.size() - q)]);
      if (const Range range = range_of(open, order_[q]); range.low < range.high) chosen.push_back(range);
    }
    std::sort(chosen.begin(), chosen.end(), [](const Range& x, const Range& y) { return x.column < y.column; });
    for (const Range& range : chosen)
      if (settings_.random_edges)
        try_one_edge(open, range, key);
      else
        try_all_edges(open, range);
  }

  [[nodiscard]] Range range_of(const Open& open, std::size_t column) const {
    const auto bin = bins_.column(column);
    std::uint8_t low = 255, high = 0;
    for (std::size_t i = open.first; i < open.last; ++i) {
      low = std::min(low, bin[places_[i]]);
      high = std::max(high, bin[places_[i]]);
    }
    return {column, low, high};
  }

  void try_all_edges(Open& open, const Range& range) {
    const auto bin = bins_.column(range.column);
    const std::size_t width = target_.width();
    for (std::size_t i = open.first; i < open.last; ++i) {
      const std::uint32_t place = places_[i];
      counts_[bin[place]] += weights_[place];
      add(sums_.data() + bin[place] * width, place);
    }
    left_.assign(width, 0);
    std::int64_t rows = 0;
    for (std::size_t edge = range.low; edge < range.high; ++edge) {
      if (counts_[edge] == 0) continue;  // the split of the bin before
      rows += counts_[edge];
      for (std::size_t k = 0; k < width; ++k) left_[k] += sums_[edge * width + k];
      keep_if_better(open, range.column, edge, rows);
    }
    const std::size_t used = range.high - range.low + 1;
    std::fill_n(counts_.begin() + static_cast<std::ptrdiff_t>(range.low), used, 0);
    std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(range.low * width), used * width, 0);
  }

  /// An edge between the least and the greatest bin. Its word comes after those of the columns.
  void try_one_edge(Open& open, const Range& range, std::uint64_t key) {
    const std::size_t word = order_.size() + range.column;
    const std::uint64_t drawn = variance::block(key, 0, static_cast<std::uint32_t>(word / 2))[word % 2];
    const std::size_t edge = range.low + variance::bounded(drawn, range.high - range.low);
    const auto bin = bins_.column(range.column);
    left_.assign(target_.width(), 0);
    std::int64_t rows = 0;
    for (std::size_t i = open.first; i < open.last; ++i) {
      if (bin[places_[i]] > edge) continue;
      rows += weights_[places_[i]];
      add(left_, places_[i]);
    }
    keep_if_better(open, range.column, edge, rows);
  }

  void keep_if_better(Open& open, std::size_t column, std::size_t edge, std::int64_t left_rows) const {
    const double gain = gain_of(open, left_rows);
    if (!(gain > open.gain)) return;
    open.gain = gain;
    open.column = column;
    open.bin = edge;
  }

  [[nodiscard]] double n_log_n(std::int64_t n) const { return n_log_n_[static_cast<std::size_t>(n)]; }

  /// The decrease of impurity, times rows.
  [[nodiscard]] double gain_of(const Open& open, std::int64_t left_rows) const {
    const std::int64_t right_rows = open.rows - left_rows;
    if (settings_.criterion == Criterion::entropy) {
      double gain = n_log_n(open.rows) - n_log_n(left_rows) - n_log_n(right_rows);
      for (std::size_t k = 0; k < left_.size(); ++k)
        gain += n_log_n(left_[k]) + n_log_n(open.sums[k] - left_[k]) - n_log_n(open.sums[k]);
      return gain;
    }
    // Gini and variance alike: the squared distance of the two means, 0 exactly where they are equal.
    const auto left = static_cast<double>(left_rows), right = static_cast<double>(right_rows);
    double distance = 0;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const double apart = static_cast<double>(left_[k]) / left - static_cast<double>(open.sums[k] - left_[k]) / right;
      distance += apart * apart;
    }
    return distance * (left * right / (left + right));
  }

  void split(std::uint32_t node) {
    const std::size_t first = open_[node].first, last = open_[node].last, bin = open_[node].bin;
    const auto column = bins_.column(open_[node].column);
    const auto begin = places_.begin();
    const auto middle =
        std::partition(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last),
                       [&](std::uint32_t place) { return column[place] <= bin; });
    tree_.nodes[node].column = static_cast<std::int32_t>(open_[node].column);
    tree_.nodes[node].edge = bins_.edge(open_[node].column, bin);
    tree_.nodes[node].left = static_cast<std::uint32_t>(tree_.nodes.size());
    open_node(first, static_cast<std::size_t>(middle - begin));
    tree_.nodes[node].right = static_cast<std::uint32_t>(tree_.nodes.size());
    open_node(static_cast<std::size_t>(middle - begin), last);
  }

  void close(std::uint32_t node) {
    const Open& open = open_[node];
    const auto rows = static_cast<double>(open.rows);
    tree_.nodes[node].leaf = static_cast<std::uint32_t>(tree_.leaves.size() / target_.width());
    for (const std::int64_t sum : open.sums) {
      const double share = static_cast<double>(sum) / rows;
      tree_.leaves.push_back(target_.classes > 0 ? share : target_.lowest + share * 0x1p-32 * target_.range);
    }
  }

  const Bins& bins_;
  const TreeTarget& target_;
  const TreeSettings& settings_;
  std::span<const std::uint32_t> weights_;
  const KeyOfNode& key_;
  std::vector<std::uint32_t> places_;
  std::vector<Open> open_;  // by node
  std::priority_queue<Candidate> queue_;
  Tree tree_;
  std::vector<std::size_t> order_;                  // columns, as drawn
  std::vector<std::int64_t> counts_, sums_, left_;  // by bin; left of the edge that is tried
  std::vector<double> n_log_n_;                     // for entropy
};

}  // namespace

std::uint32_t Tree::leaf_of(std::span<const float> row) const {
  std::uint32_t at = 0;
  while (nodes[at].column >= 0) {
    const float cell = row[static_cast<std::size_t>(nodes[at].column)];
    at = !(static_cast<double>(cell) > nodes[at].edge) ? nodes[at].left : nodes[at].right;
  }
  return nodes[at].leaf;
}

Tree grown(const Bins& bins, const TreeTarget& target, const TreeSettings& settings,
           std::span<const std::uint32_t> weights, const KeyOfNode& key) {
  return Grower(bins, target, settings, weights, key).grow();
}

}  // namespace retrial::automl::inline trees
