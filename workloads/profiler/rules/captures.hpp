#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retrial::profiler::inline rules {

enum class Activation { relu, tanh };

/// A trained tensor at an update. Means are of absolute values.
struct TensorSeen {
  std::string name;
  double mean_gradient = 0, mean_weight = 0, mean_update = 0;
  double variance = 0;                          ///< of the weights after the update
  double gradient_spread = 0;                   ///< from the 5th to the 95th percentile of the gradient
  double zero_weights = 0, zero_gradients = 0;  ///< %
  bool finite = true;                           ///< gradient and weights
  bool as_before = false;  ///< close to the last capture: |a - b| <= 1e-8 + 1e-5 |b| for each element
};

/// The inputs of an activation function, over the rows of a batch.
struct LayerSeen {
  std::string name;
  Activation kind = Activation::relu;
  double idle_units = 0;  ///< %: relu: above 0 in less than 1 % of the rows; tanh: within +-9.4999 in less than 1 %
};

/// One gradient step that was looked at.
struct Capture {
  std::int64_t step = 0;
  double loss = 0;
  double seconds_since_last = 0;  ///< on the wall
  std::vector<TensorSeen> tensors;
  std::vector<LayerSeen> layers;
};

/// Losses on training and validation rows after an epoch.
struct EpochLosses {
  std::int64_t step = 0;  ///< gradient steps made
  double training = 0, validation = 0;
};

struct Captures {
  std::vector<Capture> steps;
  std::vector<EpochLosses> epochs;
};

}  // namespace retrial::profiler::inline rules
