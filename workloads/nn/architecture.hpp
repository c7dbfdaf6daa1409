#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/data/image_set.hpp"

namespace retrial::nn {

enum class Family { mlp, cnn };

/// What a registry name stands for. A name resolves to one architecture only.
struct Architecture {
  Family family = Family::mlp;
  std::string name;
  std::vector<std::int64_t> widths;  ///< mlp: the hidden layers; cnn: {w}
};

/// "mlp:32", "mlp:128,64", "cnn16", "lenet300" (mlp:300,100). Throws InvalidInput naming `field` for anything else.
[[nodiscard]] Architecture parse_architecture(const std::string& name, const std::string& field);
/// The spellings parse_architecture understands, with one line each, for `retrial list models`.
struct ModelInfo {
  std::string spelling, summary, example;
};
[[nodiscard]] const std::vector<ModelInfo>& all_models();

/// What a tensor starts as.
enum class Start { uniform_fan_in, one, zero };

/// One tensor of a model. Its name enters the key of its draws, so a name never changes.
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> sizes;
  Start start = Start::uniform_fan_in;
  std::int64_t fan_in = 0;  ///< uniform_fan_in draws from +-1/sqrt(fan_in)
  bool trained = true;      ///< a parameter; otherwise a buffer (running statistics)

  [[nodiscard]] std::int64_t elements() const;
};

/// All tensors in registration order: parameters first, then buffers. Throws InvalidInput naming `field` when the
/// architecture does not fit the input (lenet300 wants 28x28, cnn sides divisible by 4).
[[nodiscard]] std::vector<TensorSpec> tensors_of(const Architecture& architecture, const data::Shape& input,
                                                 int classes);

}  // namespace retrial::nn
