// The rows of what a project adds: in docs/workloads/extending.md. They are functions, as they are called before
// `main`.
#include <cmath>
#include <numeric>

#include "workloads/distillation/methods/added.hpp"
#include "workloads/nn/shape/added.hpp"
#include "workloads/pruning/methods/added.hpp"

namespace my_scores {

/// Distance of a weight from the mean of its layer.
retrial::pruning::WeightScores centered(const retrial::pruning::Sight& sight) {
  retrial::pruning::WeightScores scores;
  for (const auto weights : sight.weights) {
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
    std::vector<double>& layer = scores.emplace_back();
    for (const float weight : weights) layer.push_back(std::abs(double{weight} - mean));
  }
  return scores;
}

}  // namespace my_scores

std::vector<retrial::distillation::Method> retrial::distillation::added_methods() {
  return {{.name = "huber",
           .summary = "robust distance of the logits",
           .terms = {{"huber", "w_feat"}},
           .base = Base::ce,
           .w_feat = 1}};
}

std::vector<retrial::pruning::Method> retrial::pruning::added_methods() {
  return {{.name = "centered",
           .summary = "removes the weights nearest to the mean of their layer",
           .source = "an example",
           .weights = my_scores::centered}};
}

std::vector<retrial::nn::AddedNetwork> retrial::nn::added_networks() {
  return {{.architecture = {.family = Family::mlp, .name = "funnel", .widths = {64, 32, 16}},
           .summary = "three hidden layers, each half as wide as the one before",
           .input = {1, 8, 8}}};
}
