#pragma once

#include <cstdint>
#include <memory>

#include "workloads/automl/models/model.hpp"

namespace retrial::automl::inline networks {

/// A perceptron on the columns of DenseEncoding: hidden layers of equal width with ReLU and dropout; stochastic
/// gradient descent with Nesterov momentum, whose rate falls to 0 by a half cosine, on the cross entropy or, of a
/// standardized target, the squared error.
struct PerceptronSettings {
  std::int64_t epochs = 3, batch = 128, layers = 1, units = 64;
  double learning_rate = 1e-2, momentum = .9, weight_decay = 1e-4, dropout = 0;
};

/// Further categories of a column share one 0/1 column.
inline constexpr std::size_t most_levels = 64;

/// Weights and biases between this many columns and outputs.
[[nodiscard]] std::uint64_t weights_of(const PerceptronSettings& settings, std::uint64_t columns,
                                       std::uint64_t outputs);
/// Learning rate of an epoch counted from 0: half of 1 + cos(pi epoch / epochs) of the first.
[[nodiscard]] double cosine_rate(const PerceptronSettings& settings, std::int64_t epoch);

/// Float32, one thread. Weights, the order of the batches and dropout draw from S(init, weights, learner, 0, use), use
/// 0, 1 and 2. Throws TrialFailure("automl.learner_absent") in a worker without LibTorch.
[[nodiscard]] std::unique_ptr<Model> fit_perceptron(const Training& training, const PerceptronSettings& settings,
                                                    const FitSeeds& seeds);

/// LibTorch's part offers the training when it is linked.
struct OfferPerceptron {
  explicit OfferPerceptron(decltype(&fit_perceptron) fit);
};

}  // namespace retrial::automl::inline networks
