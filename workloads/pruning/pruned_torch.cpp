#include "workloads/pruning/pruned_torch.hpp"

#include <ATen/core/grad_mode.h>

#include "workloads/pruning/apply_torch.hpp"
#include "workloads/trial.hpp"

namespace retrial::prune {

Pruned::Pruned(const Blueprint& blueprint, const nn::Model& model) : blueprint_(blueprint) {
  restart(model);
}

void Pruned::restart(const nn::Model& model) {
  training_.reset();
  model_ = nn::copied(blueprint_.architecture, model);
  masks_ = all_live(blueprint_.network);
}

void Pruned::mask(MaskSet masks) {
  if (!within(masks, masks_)) throw workloads::TrialFailure("prune.mask_revived", "a masked weight came back");
  masks_ = std::move(masks);
  apply(*model_, blueprint_.network, masks_);
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
  apply(*model_, blueprint_.network, masks_);
}

void Pruned::retrain(nn::Samples samples, const nn::Protocol& protocol, const nn::TrainingSeeds& seeds) {
  training_ = std::make_unique<nn::Training>(*model_, std::move(samples), protocol, seeds);
  training_->hold_at_zero(parameter_masks(*model_, masks_));
}

nn::EpochReport Pruned::epoch(const std::function<void(std::int64_t)>& after_step) {
  nn::EpochReport report = training_->epoch(nn::labels_alone(*model_), after_step);
  require_applied(*model_, blueprint_.network, masks_);
  return report;
}

void Pruned::save(nn::StateWriter& to) const {
  const results::Digest digest = masks_.digest();
  to.text("masks", mask_text(masks_));
  to.text("masks_digest", results::hex(digest));
  nn::save_tensors(to, model_->tensors());
  if (training_) training_->save(to);
}

void Pruned::load(nn::StateReader& from) {
  const std::string text = from.text("masks"), digest = from.text("masks_digest");
  masks_ = masks_from(text, results::digest_from_hex(digest, "masks"), "of a checkpoint", 0);
  nn::load_tensors(from, model_->tensors());
  if (!training_) return;
  training_->hold_at_zero(parameter_masks(*model_, masks_));
  training_->load(from);
}

}  // namespace retrial::prune
