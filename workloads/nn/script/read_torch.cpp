#include "workloads/nn/script/read_torch.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <fstream>
#include <iterator>

#include "results/digest/sha256.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/nn/script/module_torch.hpp"

namespace retrial::nn::inline script {
namespace {

using workloads::TrialFailure;

std::string short_digest(const std::string& digest) {
  return digest.substr(0, 12);
}

/// The bytes that are run are those that were digested.
std::string planned_bytes(const std::string& digest, const workloads::Place& place) {
  const auto given = place.scripts.find(digest);
  if (given == place.scripts.end())
    throw TrialFailure("script.not_allowed", "the trial runs a network from a file of SHA-256 " + short_digest(digest) +
                                                 ", and no such file was allowed (--allow-scripts)");
  std::ifstream from(given->second, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  if (!from.good() && bytes.empty())
    throw TrialFailure("script.unreadable", given->second.string() + " cannot be read");
  const std::string found = results::hex(results::sha256(bytes));
  if (found != digest)
    throw TrialFailure("script.digest_mismatch", "planned with SHA-256 " + short_digest(digest) + ", found " +
                                                     short_digest(found) + " in " + given->second.string());
  return bytes;
}

std::vector<TensorSpec> specs_of(const ScriptModule& module) {
  std::vector<TensorSpec> specs;
  for (const auto* tensors : {&module.trained(), &module.kept()})
    for (const auto& [name, tensor] : *tensors)
      specs.push_back({.name = name, .sizes = tensor.sizes().vec(), .trained = tensors == &module.trained()});
  return specs;
}

/// On a module that is discarded: a pass in training mode changes running statistics.
void try_out(const ScriptModule& module, const ScriptFile& file, const data::Shape& input, bool trains) {
  const at::Tensor images = at::zeros({2, input.channels, input.height, input.width});
  {
    const at::NoGradGuard no_gradient;
    (void)module.logits(images, false);
  }
  if (trains && !module.logits(images, true).requires_grad())
    throw TrialFailure("script.no_gradient", file.label + " has no parameter whose gradient reaches its output");
}

}  // namespace

Architecture with_script(Architecture architecture, const workloads::Place& place, const data::Shape& input,
                         int classes, bool trains) {
  if (architecture.family != Family::script) return architecture;
  const std::string digest = workloads::script_digest(architecture.name).value();
  ScriptFile file{.label = {}, .bytes = planned_bytes(digest, place), .classes = classes, .tensors = {}};
  file.label = place.scripts.at(digest).filename().string() + " (SHA-256 " + short_digest(digest) + ")";
  const ScriptModule module(file);
  try_out(module, file, input, trains);
  file.parameters = module.parameters();
  file.tensors = specs_of(module);
  architecture.script = std::make_shared<const ScriptFile>(std::move(file));
  return architecture;
}

}  // namespace retrial::nn::inline script
