#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn::inline training {
namespace {

/// In double, so that parts can be added up and compared with their sum.
at::Tensor flat_gradient(const NamedTensors& parameters) {
  std::vector<at::Tensor> parts;
  for (const auto& [name, tensor] : parameters)
    parts.push_back((tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor)).flatten().to(at::kDouble));
  return on_host(at::cat(parts));
}

Share share_of(std::string name, const std::vector<Term>& terms, const NamedTensors& parameters,
               const NamedTensors& all) {
  for (const auto& [known, tensor] : all) tensor.mutable_grad().reset();
  const at::Tensor sum = weighted_sum(terms);
  if (sum.requires_grad()) sum.backward({}, true);
  Share share{std::move(name), sum.item().toDouble(), flat_gradient(parameters)};
  for (const auto& [known, tensor] : all) tensor.mutable_grad().reset();
  return share;
}

}  // namespace

double Share::norm() const {
  return gradient.norm().item().toDouble();
}

at::Tensor weighted_sum(const std::vector<Term>& terms) {
  at::Tensor sum;
  for (const Term& term : terms) {
    const at::Tensor part = term.weight == 1 ? term.value : term.value * term.weight;
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

Shares shares_of(const std::vector<Term>& terms, const NamedTensors& parameters, const NamedTensors& all) {
  std::vector<std::string_view> names;
  for (const Term& term : terms)
    if (std::find(names.begin(), names.end(), term.name) == names.end()) names.push_back(term.name);
  Shares shares;
  for (const std::string_view name : names) {
    std::vector<Term> own;
    std::copy_if(terms.begin(), terms.end(), std::back_inserter(own),
                 [&](const Term& term) { return term.name == name; });
    shares.terms.push_back(share_of(std::string(name), own, parameters, all));
  }
  shares.total = share_of("total", terms, parameters, all);
  return shares;
}

}  // namespace retrial::nn::inline training
