#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"
#include "workloads/nn/shape/residual.hpp"

namespace retrial::nn::inline shape {

enum class Family { mlp, cnn, residual, script };

struct ScriptFile;

/// The architecture that a registry name means. A name resolves to one architecture only.
struct Architecture {
  Family family = Family::mlp;
  std::string name;
  std::vector<std::int64_t> widths = {};  ///< mlp: the hidden layers; cnn: {w}
  std::optional<Residual> residual = {};  ///< ResNets and wide ResNets
  /// A network of the user's own: its file, which only a worker reads. Without it nothing is known of the network but
  /// the digest in its name.
  std::shared_ptr<const ScriptFile> script = {};
};

/// "mlp:32", "mlp:128,64", "cnn16", "lenet300" (mlp:300,100), "resnet20b", "resnet8b:w=8", "wrn-28-10" and their like,
/// and "script:SHA-256" (workloads/interface/script_name.hpp).
/// Throws InvalidInput naming `field` for anything else, with the nearest known name.
[[nodiscard]] Architecture parse_architecture(const std::string& name, const std::string& field);
/// The spellings parse_architecture understands, with one line each, for `retrial list models`.
struct ModelInfo {
  std::string spelling, summary, example;
  data::Shape input{};  ///< images that fit the example
};
[[nodiscard]] const std::vector<ModelInfo>& all_models();

/// Initial values of a tensor.
enum class Start { uniform_fan_in, he_fan_out, one, zero };

/// One tensor of a model. Its name enters the key of its draws, so a name never changes.
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> sizes;
  Start start = Start::uniform_fan_in;
  std::int64_t fan_in = 0;   ///< uniform_fan_in draws from +-1/sqrt(fan_in)
  std::int64_t fan_out = 0;  ///< he_fan_out draws from N(0, 2/fan_out), fan_out = k^2 * output channels
  bool trained = true;       ///< a parameter; otherwise a buffer (running statistics)

  [[nodiscard]] std::int64_t elements() const;
};

/// All tensors in registration order: parameters first, then buffers; none of a script that was not read. Throws
/// InvalidInput naming `field` if the architecture does not fit the input (lenet300 needs 28x28, cnn sides divisible by
/// 4, resnetDs by 16).
[[nodiscard]] std::vector<TensorSpec> tensors_of(const Architecture& architecture, const data::Shape& input,
                                                 int classes);

/// Whether the network has a place where dropout acts: mlp, cnn and wide ResNets.
[[nodiscard]] bool drops(const Architecture& architecture);

}  // namespace retrial::nn::inline shape
