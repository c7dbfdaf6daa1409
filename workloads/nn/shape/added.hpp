#pragma once

#include <string>
#include <vector>

#include "workloads/nn/shape/architecture.hpp"

namespace retrial::nn::inline shape {

/// A network of a known family under a name of its own, for the key of every workload that names a model.
struct AddedNetwork {
  Architecture architecture;  ///< its name is no spelling of another network
  std::string summary;
  data::Shape input{};  ///< images that fit it, for `retrial list models`
};

/// Networks of a program that links files of its own with ours. Ours is weak and has none; a file outside the tree
/// defines it once more (docs/workloads/extending.md). It is called before `main`, so it may use no object of its file.
[[nodiscard]] std::vector<AddedNetwork> added_networks();

}  // namespace retrial::nn::inline shape
