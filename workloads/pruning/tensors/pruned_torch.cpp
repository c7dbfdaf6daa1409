#include "workloads/pruning/tensors/pruned_torch.hpp"

#include <ATen/core/grad_mode.h>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/factors_torch.hpp"

namespace retrial::pruning::inline tensors {

Pruned::Pruned(const Blueprint& blueprint, const nn::Model& model) : blueprint_(blueprint) {
  restart(model);
}

void Pruned::restart(const nn::Model& model) {
  training_.reset();
  model_ = nn::copied(blueprint_.architecture, model);
  left_ = {.masks = all_live(blueprint_.network)};
}

std::unique_ptr<nn::Model> Pruned::whole() const {
  return pruning::whole(*model_, blueprint_.architecture, blueprint_.network);
}

void Pruned::cut(Allocation made) {
  if (!made.ranks.empty()) return factorise(made.ranks, made.principal);
  scale(made.factors);
  mask(std::move(made.masks));
}

void Pruned::mask(MaskSet masks) {
  if (!within(masks, left_.masks))
    throw workloads::TrialFailure("prune.mask_revived", "a masked weight was kept again");
  left_.masks = std::move(masks);
  apply(*model_, blueprint_.network, left_.masks);
}

/// The network of the previous step, multiplied out, is factorized again.
void Pruned::factorise(const std::vector<Rank>& ranks, const std::vector<Principal>& principal) {
  training_.reset();
  model_ = factorised(*whole(), blueprint_.architecture, blueprint_.network, ranks, principal);
  left_.ranks = ranks;
}

void Pruned::scale(const std::vector<std::vector<float>>& factors) {
  const at::NoGradGuard no_gradient;
  const auto weights = weights_of(*model_, blueprint_.network);
  for (std::size_t l = 0; l < factors.size(); ++l)
    for (std::size_t e = 0; e < factors[l].size(); ++e) weights[l].data_ptr<float>()[e] *= factors[l][e];
}

void Pruned::reset(const nn::NamedTensors& tensors) {
  const at::NoGradGuard no_gradient;
  const nn::NamedTensors own = model_->tensors();
  for (std::size_t i = 0; i < own.size(); ++i) own[i].second.copy_(tensors[i].second);
  apply(*model_, blueprint_.network, left_.masks);
}

namespace {

/// A basis is constant, like a mask: it defines the space of the weights, and LAYER.weight is a point in it. Its rows
/// are orthonormal, so that a step at the parent's learning rate is the projected step of the parent. If both factors
/// were trained, the rate of the product would grow with its singular values: digits at a rate of .1 ended at chance in
/// every trial.
nn::Trainee trainee_of(const nn::Model& model) {
  nn::Trainee out{.trained = {}, .kept = model.buffers()};
  for (const auto& [name, tensor] : model.parameters()) {
    const bool held = name.ends_with(".basis");
    if (held) tensor.set_requires_grad(false);
    (held ? out.kept : out.trained).emplace_back(name, tensor);
  }
  return out;
}

}  // namespace

void Pruned::retrain(nn::Samples samples, const nn::Protocol& protocol, const nn::TrainingSeeds& seeds) {
  training_ = std::make_unique<nn::Training>(trainee_of(*model_), std::move(samples), protocol, seeds);
  if (!left_.factorised()) training_->hold_at_zero(parameter_masks(*model_, left_.masks));
}

void Pruned::end_retraining() {
  training_.reset();
  nn::move_to(model_->tensors(), at::kCPU);
}

nn::EpochReport Pruned::epoch(const std::function<void(std::int64_t)>& after_step) {
  nn::EpochReport report = training_->epoch(nn::labels_alone(*model_), after_step);
  if (!left_.factorised()) require_applied(*model_, blueprint_.network, left_.masks);
  return report;
}

void Pruned::save(nn::StateWriter& to) const {
  to.text("masks", mask_text(left_.masks));
  to.text("masks_digest", results::hex(left_.masks.digest()));
  to.text("ranks", ranks_text(blueprint_.network, left_.ranks));
  nn::save_network(to, *model_);
  if (training_) training_->save(to);
}

void Pruned::load(nn::StateReader& from) {
  const std::string text = from.text("masks"), digest = from.text("masks_digest");
  left_.masks = masks_from(text, results::digest_from_hex(digest, "masks"), "of a checkpoint", 0);
  left_.ranks = ranks_from(blueprint_.network, from.text("ranks"));
  model_ = nn::load_network(from, blueprint_.architecture, model_->identity());
}

}  // namespace retrial::pruning::inline tensors
