#include "workloads/pruning/tensors/factors_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cmath>

#include "workloads/pruning/tensors/one_thread_torch.hpp"

namespace retrial::pruning::inline tensors {
namespace {

struct Alone {
  OneThread thread;
  at::NoGradGuard no_gradient;
};

at::Tensor folded(const at::Tensor& weight) {
  return weight.detach().contiguous().flatten(1).to(at::kDouble);
}

std::vector<double> numbers(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

at::Tensor tensor_of(const std::vector<double>& values, at::IntArrayRef sizes) {
  const at::Tensor tensor = at::empty(sizes, at::kDouble);
  std::copy(values.begin(), values.end(), tensor.data_ptr<double>());
  return tensor;
}

/// Both factors of one layer as matrices: (outputs, groups rank) and (groups rank, columns of a group).
struct Factors {
  at::Tensor weight, basis;
};

Factors truncated(const at::Tensor& weight, const Rank& rank) {
  std::vector<at::Tensor> lefts, rights;
  for (const at::Tensor& part : weight.chunk(rank.groups, 1)) {
    const auto [u, s, v] = at::linalg_svd(part, false);
    lefts.push_back(u.narrow(1, 0, rank.rank) * s.narrow(0, 0, rank.rank));
    rights.push_back(v.narrow(0, 0, rank.rank));
  }
  return {at::cat(lefts, 1), at::cat(rights, 0)};
}

at::Tensor first_components(const Principal& principal, std::int64_t rank) {
  const auto outputs = static_cast<std::int64_t>(principal.mean.size());
  return tensor_of(principal.components, {outputs, outputs}).narrow(1, 0, rank);
}

/// Factors in the sizes of a layer: the basis has the taps, the weight has none.
nn::NamedTensors layer_tensors(const std::string& layer, const at::Tensor& weight, const Factors& factors,
                               std::int64_t groups) {
  std::vector<std::int64_t> basis{factors.basis.size(0), weight.size(1) / groups},
      rest{factors.weight.size(0), factors.weight.size(1)};
  if (weight.dim() == 4) {
    basis.insert(basis.end(), {weight.size(2), weight.size(3)});
    rest.insert(rest.end(), {1, 1});
  }
  return {{layer + ".basis", factors.basis.to(at::kFloat).reshape(basis)},
          {layer + ".weight", factors.weight.to(at::kFloat).reshape(rest)}};
}

/// The bias plus the part of the mean output (without bias) that the components do not represent.
at::Tensor shifted(const at::Tensor& bias, const Principal& principal, std::int64_t rank) {
  const at::Tensor u = first_components(principal, rank), b = bias.detach().to(at::kDouble),
                   mean = tensor_of(principal.mean, b.sizes()) - b;
  return (b + mean - at::matmul(u, at::matmul(u.t(), mean))).to(at::kFloat);
}

/// The tensors of a factorized layer, which replace one of the dense network's.
nn::NamedTensors replaced(const std::string& name, const at::Tensor& tensor, const Layer& layer, const Rank& rank,
                          const Principal* principal) {
  if (name == layer.name + ".bias" && principal != nullptr) return {{name, shifted(tensor, *principal, rank.rank)}};
  if (name != layer.name + ".weight") return {};
  const at::Tensor weight = folded(tensor);
  if (principal == nullptr) return layer_tensors(layer.name, tensor, truncated(weight, rank), rank.groups);
  const at::Tensor u = first_components(*principal, rank.rank);
  return layer_tensors(layer.name, tensor, truncated(at::matmul(u, at::matmul(u.t(), weight)), rank), 1);
}

nn::Identity identity_of(const nn::Model& model, const Network& network, const std::vector<Rank>& ranks) {
  nn::Identity identity = model.identity();
  for (std::size_t l = 0; l < ranks.size(); ++l) {
    const std::int64_t more = parameters(network.layers[l], ranks[l]) - network.layers[l].weights();
    identity.parameters += more;
    identity.macs += more * network.layers[l].positions;
  }
  return identity;
}

/// The product of both factors, in the sizes of the dense weight.
at::Tensor product(const at::Tensor& weight, const at::Tensor& basis, const Layer& layer) {
  const std::int64_t width = basis.numel() / basis.size(0), groups = layer.columns() / width;
  const auto lefts = folded(weight).chunk(groups, 1), rights = folded(basis).chunk(groups, 0);
  std::vector<at::Tensor> parts;
  for (std::size_t g = 0; g < lefts.size(); ++g) parts.push_back(at::matmul(lefts[g], rights[g]));
  std::vector<std::int64_t> sizes{weight.size(0), layer.columns() / layer.taps};
  if (weight.dim() == 4) sizes.insert(sizes.end(), {basis.size(2), basis.size(3)});
  return at::cat(parts, 1).to(at::kFloat).reshape(sizes);
}

}  // namespace

std::vector<double> singular_values(const at::Tensor& weight, std::int64_t groups) {
  const Alone alone;
  std::vector<double> values;
  for (const at::Tensor& part : folded(weight).chunk(groups, 1)) {
    const std::vector<double> of_part = numbers(at::linalg_svdvals(part));
    values.insert(values.end(), of_part.begin(), of_part.end());
  }
  return values;
}

Principal principal_of(const std::vector<double>& scatter, std::vector<double> mean, std::int64_t count) {
  const Alone alone;
  const auto outputs = static_cast<std::int64_t>(mean.size());
  const auto [values, vectors] =
      at::linalg_eigh(tensor_of(scatter, {outputs, outputs}) / static_cast<double>(count));  // ascending
  Principal found{.values = numbers(values.flip(0)), .components = numbers(vectors.flip(1)), .mean = std::move(mean)};
  for (double& value : found.values) value = std::sqrt(std::max(value, 0.0));
  return found;
}

std::unique_ptr<nn::Model> factorised(const nn::Model& model, const nn::Architecture& architecture,
                                      const Network& network, const std::vector<Rank>& ranks,
                                      const std::vector<Principal>& principal) {
  const Alone alone;
  nn::NamedTensors parameters;
  for (const auto& named : model.parameters()) {
    nn::NamedTensors instead;
    for (std::size_t l = 0; l < ranks.size() && instead.empty(); ++l)
      if (!ranks[l].dense())
        instead = replaced(named.first, named.second, network.layers[l], ranks[l],
                           principal.empty() ? nullptr : &principal[l]);
    if (instead.empty()) instead.push_back(named);
    parameters.insert(parameters.end(), instead.begin(), instead.end());
  }
  return nn::rebuilt(architecture, identity_of(model, network, ranks), parameters, model.buffers());
}

std::unique_ptr<nn::Model> whole(const nn::Model& model, const nn::Architecture& architecture, const Network& network) {
  const Alone alone;
  nn::NamedTensors parameters;
  nn::Identity identity = model.identity();
  identity.parameters = network.parameters;
  const at::Tensor* basis = nullptr;  // it is directly before its weight
  for (const auto& [name, tensor] : model.parameters()) {
    if (name.ends_with(".basis")) {
      basis = &tensor;
      continue;
    }
    const auto layer = std::find_if(network.layers.begin(), network.layers.end(),
                                    [&, &name = name](const Layer& l) { return l.name + ".weight" == name; });
    parameters.emplace_back(name, basis == nullptr ? tensor : product(tensor, *basis, *layer));
    basis = nullptr;
  }
  identity.macs = 0;
  for (const Layer& layer : network.layers) identity.macs += layer.weights() * layer.positions;
  return nn::rebuilt(architecture, std::move(identity), parameters, model.buffers());
}

}  // namespace retrial::pruning::inline tensors
