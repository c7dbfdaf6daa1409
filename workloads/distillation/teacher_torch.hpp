#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/json.hpp"
#include "workloads/distillation/methods.hpp"
#include "workloads/nn/training_torch.hpp"
#include "workloads/trial.hpp"

namespace retrial::distillation {

class Teacher;

/// Everything that decides the bits of a trained teacher: it is trained by the same code as a student, with its own
/// protocol and with the seed of the source `teacher` as the root of its own sources (pair 0). An assistant is a second
/// teacher under derive(seed, "assistant"); with a tutor it learns by kd in the place of the labels alone.
struct TeacherPlan {
  std::string name = "teacher";  ///< or "assistant"
  const data::ImageSet* set = nullptr;
  std::vector<std::uint32_t> rows;
  data::Normalisation normalisation;
  nn::Architecture architecture;
  nn::Protocol protocol;
  std::uint64_t seed = 0;
  const Teacher* tutor = nullptr;
  Weights weights = {};
};

/// The teachers of a trial in the order of their training: none, one, or teacher and assistant; with `most_steps` of
/// each, 0: all.
[[nodiscard]] std::vector<std::unique_ptr<Teacher>> teachers_of(const workloads::Trial& trial,
                                                                const data::ImageSet& set,
                                                                const std::vector<std::uint32_t>& rows,
                                                                const data::Normalisation& normalisation,
                                                                std::int64_t most_steps = 0);

/// The document "retrial.teacher/1": the plan, the program and the numeric state of this process.
[[nodiscard]] Json teacher_document(const TeacherPlan& plan);

/// What is reported of one finished epoch of a teacher.
struct EpochMark {
  std::string weights;  ///< psum2
  double loss = 0;
};

/// A teacher, untrained when made. After `finish` it is frozen.
class Teacher {
 public:
  explicit Teacher(TeacherPlan plan);

  /// One epoch; the last one, or one that diverges, freezes it.
  nn::EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  [[nodiscard]] const TeacherPlan& plan() const { return plan_; }
  [[nodiscard]] const std::string& name() const { return plan_.name; }
  [[nodiscard]] bool trained() const { return trained_; }
  [[nodiscard]] std::int64_t epochs_done() const { return static_cast<std::int64_t>(trail_.size()); }
  [[nodiscard]] const nn::Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<EpochMark>& trail() const { return trail_; }

  /// State of the training while it lasts, the weights alone afterwards.
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

  /// Takes the place of training when `folder` holds this very teacher undamaged; says whether it did.
  bool recall(const std::filesystem::path& folder);
  /// Writes a trained teacher by temporary name and rename. A cache that cannot be written is no failure.
  void keep(const std::filesystem::path& folder) const;

 private:
  void finish();
  [[nodiscard]] std::vector<nn::Term> terms_of(const nn::BatchView& batch) const;
  [[nodiscard]] std::string contents() const;

  TeacherPlan plan_;
  std::unique_ptr<nn::Model> model_;
  std::unique_ptr<nn::Training> training_;
  std::vector<EpochMark> trail_;
  bool trained_ = false, diverged_ = false;
};

}  // namespace retrial::distillation
