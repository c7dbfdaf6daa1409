#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/distillation/keys/methods.hpp"
#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/shape/outline.hpp"

namespace retrial::distillation::inline terms {

/// What a loss may look at in one batch. The teachers' side carries no gradient.
struct Sight {
  nn::Activations student;
  std::vector<nn::Activations> teachers = {};
  at::Tensor labels = {};
  std::span<const std::uint32_t> places = {};  ///< of the rows in the training part
  std::int64_t epoch = 0;                      ///< of the phase, from 0
  nn::Pass pass = {};
  /// What one term has computed of this batch and the next one takes, by name: half of dkd's cost is common to its two.
  mutable std::map<std::string, std::vector<at::Tensor>> left = {};

  [[nodiscard]] const nn::Activations& teacher() const { return teachers.front(); }
};

/// What a loss is made from, once a trial. It may hold what it needs, never the networks.
struct Setting {
  nn::Outline student, teacher;
  Options options;
  std::uint64_t init_seed = 0;                      ///< source seed of `init`
  std::optional<std::uint64_t> sampling_seed = {};  ///< of `sampling`, where the method honours it
  std::vector<std::int64_t> labels = {};            ///< of the training part, by place
};

/// One term of an objective under training. What it owns is initialised from the stream `init` under names that begin
/// with the term's, trained by the student's SGD and saved with it.
class Loss {
 public:
  virtual ~Loss() = default;
  /// The unweighted value for one batch.
  [[nodiscard]] virtual at::Tensor value(const Sight& sight) = 0;
  /// What `prepared` is trained for in a phase of its own; the sight then holds teachers alone. Throws std::logic_error
  /// where there is no such phase.
  [[nodiscard]] virtual at::Tensor preparation(const Sight& sight);
  /// Parts of the value that were not finite and counted as 0 so far; nothing where that cannot happen.
  [[nodiscard]] virtual std::optional<double> skipped() const { return std::nullopt; }

  [[nodiscard]] const nn::NamedTensors& parameters() const { return parameters_; }
  [[nodiscard]] const nn::NamedTensors& buffers() const { return buffers_; }
  /// Trained by the preparation and constant afterwards.
  [[nodiscard]] const nn::NamedTensors& prepared() const { return prepared_; }

 protected:
  nn::NamedTensors parameters_, buffers_, prepared_;
};

using MakeLoss = std::function<std::unique_ptr<Loss>(const Setting&)>;

/// A file of losses ends with one of these for each of its terms. A term registered twice throws std::logic_error.
struct RegisterLoss {
  RegisterLoss(const std::string& term, MakeLoss make);
};

/// A loss that owns nothing.
[[nodiscard]] MakeLoss function_loss(at::Tensor (*value)(const Sight& sight, const Options& options));
/// Throws std::logic_error for a term without a loss.
[[nodiscard]] std::unique_ptr<Loss> make_loss(const std::string& term, const Setting& setting);
[[nodiscard]] std::vector<std::string> registered_terms();

}  // namespace retrial::distillation::inline terms
