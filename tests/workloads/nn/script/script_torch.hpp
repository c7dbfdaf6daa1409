// TorchScript files, made from source by the library itself: no file of another program is needed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/workloads/interface/folder.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/layers/model_torch.hpp"

namespace retrial::test {

/// The bytes of a TorchScript network: tensors by their names ("fc1.weight" is the weight of a module fc1), and the
/// source of its methods.
[[nodiscard]] std::string script_bytes(const nn::NamedTensors& parameters, const nn::NamedTensors& buffers,
                                       const std::string& source);
/// A network of the family mlp as TorchScript, with copies of its weights.
[[nodiscard]] std::string scripted(const nn::Model& mlp);

/// A file net.pt in a folder of its own, allowed to run.
struct ScriptedPlace {
  explicit ScriptedPlace(const std::string& bytes);
  Folder folder;
  std::string name;  ///< "script:SHA-256", the value of a key
  workloads::Place place;
};

}  // namespace retrial::test
