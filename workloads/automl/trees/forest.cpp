#include "workloads/automl/trees/forest.hpp"

#include <algorithm>
#include <cmath>

#include "results/json/json.hpp"
#include "variance/numbers/parallel.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline trees {
namespace {

constexpr std::size_t rows_of_block = 512;  // that one thread answers

class Forest final : public Model {
 public:
  Forest(Task task, std::size_t width, std::vector<Tree> trees)
      : task_(task), width_(width), trees_(std::move(trees)) {}

  [[nodiscard]] std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                            std::size_t threads) const override {
    const std::size_t outputs = outputs_of(data);
    std::vector<double> answers(rows.size() * outputs);
    const std::size_t blocks = (rows.size() + rows_of_block - 1) / rows_of_block;
    variance::parallel_for(blocks, threads, [&](std::size_t block) {
      const std::size_t end = std::min(rows.size(), (block + 1) * rows_of_block);
      for (std::size_t place = block * rows_of_block; place < end; ++place)
        answer(data.row(rows[place]), std::span(answers).subspan(place * outputs, outputs));
    });
    return answers;
  }

  [[nodiscard]] std::string bytes() const override {
    Json trees = Json::array();
    for (const Tree& tree : trees_) {
      Json nodes = Json::array();
      for (const Tree::Node& node : tree.nodes)
        nodes.push_back(node.column < 0 ? Json::array({node.leaf})
                                        : Json::array({node.column, node.edge, node.left, node.right}));
      trees.push_back({{"leaves", tree.leaves}, {"nodes", std::move(nodes)}});
    }
    return results::printed({{"about",
                              "a node is [leaf] or [column, edge, left, right]: values up to the edge and unknown ones "
                              "go left (edge null: unknown ones alone); the answer is the mean over trees"},
                             {"format", "retrial.forest/1"},
                             {"task", name_of(task_)},
                             {"trees", std::move(trees)},
                             {"width", width_}});
  }

 private:
  /// Trees in their order, by one thread.
  void answer(std::span<const float> row, std::span<double> into) const {
    const std::size_t first = task_ == Task::binary ? 1 : 0;  // of the shares, that of class 1
    for (const Tree& tree : trees_) {
      const std::size_t leaf = tree.leaf_of(row) * width_;
      for (std::size_t k = 0; k < into.size(); ++k) into[k] += tree.leaves[leaf + first + k];
    }
    for (double& value : into) value /= static_cast<double>(trees_.size());
  }

  Task task_;
  std::size_t width_;
  std::vector<Tree> trees_;
};

TreeTarget tree_target(const Training& training) {
  const DataSet& data = training.data;
  TreeTarget target{.classes = data.task == Task::regression ? 0 : data.classes.size(), .codes = {}};
  const std::vector<double> values = targets_of(data, training.rows);
  if (target.classes == 0) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    target.lowest = *low;
    target.range = *high - *low;
  }
  for (const double value : values) {
    const double step = target.range > 0 ? (value - target.lowest) / target.range * 0x1p32 : 0.0;
    target.codes.push_back(target.classes > 0 ? static_cast<std::int64_t>(value) : std::llrint(step));
  }
  return target;
}

std::vector<std::uint32_t> bootstrap_weights(std::uint64_t key, std::size_t rows) {
  std::vector<std::uint32_t> weights(rows);
  variance::Stream draws(key);
  for (std::size_t i = 0; i < rows; ++i) ++weights[variance::bounded(draws.next(), rows)];
  return weights;
}

}  // namespace

std::unique_ptr<Model> fit_forest(const Training& training, const ForestSettings& settings, const FitSeeds& seeds,
                                  std::size_t threads) {
  const Bins bins(training.data, training.rows);
  const TreeTarget target = tree_target(training);
  const double columns = std::nearbyint(settings.max_features * static_cast<double>(bins.columns()));
  const TreeSettings of_tree{.criterion = target.classes == 0 ? Criterion::variance : settings.criterion,
                             .columns = std::max<std::size_t>(1, static_cast<std::size_t>(columns)),
                             .max_leaves = static_cast<std::size_t>(settings.max_leaves),
                             .random_edges = settings.extra};
  const std::uint64_t key = stream_family(seeds.init, "forest", seeds.learner, 0);
  std::vector<Tree> trees(static_cast<std::size_t>(settings.trees));
  variance::parallel_for(trees.size(), threads, [&](std::size_t tree) {
    const auto key_of = [&](std::uint64_t node) {
      return variance::derive(key, (static_cast<std::uint64_t>(tree) << 32) + node);
    };
    const auto weights =
        settings.extra ? std::vector<std::uint32_t>(bins.rows(), 1) : bootstrap_weights(key_of(0), bins.rows());
    trees[tree] = grown(bins, target, of_tree, weights, key_of);
  });
  return std::make_unique<Forest>(training.data.task, target.width(), std::move(trees));
}

}  // namespace retrial::automl::inline trees
