#pragma once

#include <memory>

#include "workloads/distillation/losses_torch.hpp"
#include "workloads/distillation/teacher_torch.hpp"

namespace retrial::distillation {

/// The network that is judged: its training under a method, against a teacher where the method has one.
class Student {
 public:
  /// `rows` are its training rows. The teacher may be null and must outlive the student.
  Student(const workloads::Trial& trial, const data::ImageSet& set, std::vector<std::uint32_t> rows,
          const data::Normalisation& normalisation, const Teacher* teacher);

  nn::EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  [[nodiscard]] const nn::Model& model() const { return *model_; }
  [[nodiscard]] const nn::Training& training() const { return training_; }
  [[nodiscard]] const Method& method() const { return method_; }

  void save(nn::StateWriter& to) const { training_.save(to); }
  void load(nn::StateReader& from) { training_.load(from); }

 private:
  [[nodiscard]] std::vector<nn::Term> terms_of(const nn::BatchView& batch);
  [[nodiscard]] at::Tensor teacher_logits(const nn::BatchView& batch);

  const Method& method_;
  Weights weights_;
  const Teacher* teacher_;
  std::unique_ptr<nn::Model> model_;
  nn::Training training_;
  /// With teacher_cache = logits: the training images, and the teacher's logits of them once they are needed.
  bool caches_logits_;
  at::Tensor images_, cached_logits_;
};

}  // namespace retrial::distillation
