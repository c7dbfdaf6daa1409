#pragma once

#include <cstdint>
#include <string>

#include "workloads/nn/shape/architecture.hpp"

namespace retrial::nn::inline shape {

/// The description of a model in a record. `macs` are multiply-accumulates of one image through convolutions and linear
/// layers; biases, batch norm and additions are not counted. `depth` counts convolutions and linear layers; for
/// residual families it is the number in their names, which counts 1x1 shortcuts in wide ResNets only. Both are 0,
/// unknown, for a script.
struct Identity {
  std::string name;
  std::int64_t parameters = 0, macs = 0;
  int depth = 0;
  std::string block, shortcut;  ///< "none" if the family has none
};

/// By formula, without building anything; the built model is counted and compared with it. Throws InvalidInput as
/// tensors_of does.
[[nodiscard]] Identity closed_form(const Architecture& architecture, const data::Shape& input, int classes);

}  // namespace retrial::nn::inline shape
