#include "workloads/pruning/libtorch/blueprint_torch.hpp"

#include "workloads/nn/script/read_torch.hpp"
#include "workloads/nn/shape/script_file.hpp"
#include "workloads/pruning/keys/keys.hpp"

namespace retrial::pruning::inline libtorch {

Blueprint blueprint_of(const workloads::Trial& trial, const workloads::Place& place, const data::Inputs& inputs) {
  const data::ImageSet& set = *inputs.set;
  Blueprint made{.architecture = nn::with_script(architecture_of(trial.values), place, set.shape, set.classes),
                 .input = set.shape,
                 .network = {}};
  made.network = network_of(made.architecture, set.shape, set.classes);
  if (made.network.layers.empty())
    throw workloads::TrialFailure("script.no_weights", made.architecture.script->label +
                                                           " has no trained parameter NAME.weight of two or more "
                                                           "dimensions, so there is nothing to prune");
  return made;
}

std::uint64_t init_seed(const workloads::Trial& trial) {
  return trial.seeds.contains("init") ? trial.seed("init") : 0;
}

}  // namespace retrial::pruning::inline libtorch
