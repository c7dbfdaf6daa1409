#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/nn/shape/architecture.hpp"

namespace retrial::nn::inline shape {

/// A TorchScript file as a worker has read and tried it.
struct ScriptFile {
  std::string label;  ///< for messages: "net.pt (SHA-256 0123456789ab)"
  std::string bytes;
  std::int64_t classes = 0;
  std::int64_t parameters = 0;      ///< elements of all parameters, of frozen ones too
  std::vector<TensorSpec> tensors;  ///< in the order of the file: parameters with a gradient, then all other tensors
};

}  // namespace retrial::nn::inline shape
