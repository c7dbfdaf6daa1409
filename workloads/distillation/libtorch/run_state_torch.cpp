#include "workloads/distillation/libtorch/run_torch.hpp"

namespace retrial::distillation::inline libtorch {

void Distillation::save(std::ostream& stream) const {
  nn::StateWriter to(stream);
  to.text("distillation", trial_.identity);
  to.number("flags", (over_ ? 1U : 0U) | (warned_ ? 2U : 0U));
  for (const std::string& digest : teacher_digests_) to.text("teacher_digest", digest);
  to.real("train_seconds", train_seconds_);
  to.real("eval_seconds", eval_seconds_);
  to.real("evaluated", evaluated_);
  selection_.save(to);
  for (const auto& teacher : teachers_) teacher->save(to);
  student_.save(to);
}

void Distillation::load(std::istream& stream) {
  nn::StateReader from(stream);
  if (from.text("distillation") != trial_.identity)
    throw workloads::TrialFailure("checkpoint.other_trial", "the saved state is of another trial");
  const std::uint64_t flags = from.number("flags");
  over_ = (flags & 1) != 0;
  warned_ = (flags & 2) != 0;
  for (std::string& digest : teacher_digests_) digest = from.text("teacher_digest");
  train_seconds_ = from.real("train_seconds");
  eval_seconds_ = from.real("eval_seconds");
  evaluated_ = from.real("evaluated");
  selection_.load(from);
  for (const auto& teacher : teachers_) teacher->load(from);
  student_.load(from);
}

}  // namespace retrial::distillation::inline libtorch
