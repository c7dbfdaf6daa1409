#include "workloads/pruning/libtorch/run_torch.hpp"

namespace retrial::pruning::inline libtorch {

void Pruning::save(std::ostream& stream) const {
  nn::StateWriter to(stream);
  to.text("pruning", trial_.identity);
  to.number("flags", (over_ ? 1U : 0U) | (warned_ ? 2U : 0U) | (owes_retraining_ ? 4U : 0U));
  to.number("step", static_cast<std::uint64_t>(step_));
  to.number("unreachable", static_cast<std::uint64_t>(unreachable_));
  to.number("moved", static_cast<std::uint64_t>(moved_));
  to.real("last_accuracy", last_accuracy_);
  to.real("dual_gap", dual_gap_);
  to.real("rank_error", rank_error_);
  to.real("seconds", seconds_);
  outcomes_.save(to);
  parent_.save(to);
  if (confidence_) confidence_->save(to);
  to.number("separate", separate_ ? 1 : 0);
  if (separate_) separate_->save(to);
  to.number("retraining", line_.retraining() ? 1 : 0);
  line_.save(to);
  to.number("control", control_ ? 1 : 0);
  if (!control_) return;
  to.number("control_retraining", control_->retraining() ? 1 : 0);
  control_->save(to);
}

void Pruning::load_line(nn::StateReader& from, Pruned& line, bool retraining) {
  line.load(from);
  if (!retraining) return;
  start_training(line);
  line.load_training(from);
}

void Pruning::load(std::istream& stream) {
  nn::StateReader from(stream);
  if (from.text("pruning") != trial_.identity)
    throw workloads::TrialFailure("checkpoint.other_trial", "the saved state is of another trial");
  const std::uint64_t flags = from.number("flags");
  over_ = (flags & 1) != 0;
  warned_ = (flags & 2) != 0;
  owes_retraining_ = (flags & 4) != 0;
  step_ = static_cast<std::int64_t>(from.number("step"));
  unreachable_ = static_cast<std::int64_t>(from.number("unreachable"));
  moved_ = static_cast<std::int64_t>(from.number("moved"));
  last_accuracy_ = from.real("last_accuracy");
  dual_gap_ = from.real("dual_gap");
  rank_error_ = from.real("rank_error");
  seconds_ = from.real("seconds");
  outcomes_.load(from);
  parent_.load(from);
  if (confidence_) confidence_->load(from, parent_.model());
  if (from.number("separate") != 0) separate_.emplace(separate_plan()).load(from);
  load_line(from, line_, from.number("retraining") != 0);
  if (from.number("control") == 0) return;
  control_.emplace(blueprint_, parent_.model());
  load_line(from, *control_, from.number("control_retraining") != 0);
}

}  // namespace retrial::pruning::inline libtorch
