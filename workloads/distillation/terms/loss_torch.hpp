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

#include "workloads/distillation/methods/methods.hpp"
#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/shape/outline.hpp"

namespace retrial::distillation::inline terms {

/// The inputs of a loss for one batch. The teachers' side has no gradient.
struct Sight {
  nn::Activations student;
  std::vector<nn::Activations> teachers = {};
  at::Tensor labels = {};
  std::span<const std::uint32_t> places = {};  ///< places of the rows in the training part
  std::int64_t epoch = 0;                      ///< epoch within the phase, from 0
  nn::Pass pass = {};
  /// Intermediate results of this batch, by name, shared between terms: half of dkd's cost is common to its two terms.
  mutable std::map<std::string, std::vector<at::Tensor>> left = {};

  [[nodiscard]] const nn::Activations& teacher() const { return teachers.front(); }
};

/// The inputs for making a loss, once per trial. A loss may keep parts of them, but never the networks.
struct Setting {
  nn::Outline student, teacher;
  Options options;
  std::uint64_t init_seed = 0;                      ///< source seed of `init`
  std::optional<std::uint64_t> sampling_seed = {};  ///< seed of `sampling`, if the method honors it
  std::vector<std::int64_t> labels = {};            ///< labels of the training part, by place
};

/// One term of an objective in training. Its own tensors are initialized from the stream `init` under names that begin
/// with the term's, trained by the student's SGD and saved with the student.
class Loss {
 public:
  virtual ~Loss() = default;
  /// The unweighted value for one batch.
  [[nodiscard]] virtual at::Tensor value(const Sight& sight) = 0;
  /// The objective for `prepared` in its own phase; the sight then has only teachers. Throws std::logic_error if there
  /// is no such phase.
  [[nodiscard]] virtual at::Tensor preparation(const Sight& sight);
  /// Number of parts of the value so far that were not finite and counted as 0; nothing if that cannot happen.
  [[nodiscard]] virtual std::optional<double> skipped() const { return std::nullopt; }

  [[nodiscard]] const nn::NamedTensors& parameters() const { return parameters_; }
  [[nodiscard]] const nn::NamedTensors& buffers() const { return buffers_; }
  /// Trained by the preparation and constant afterwards.
  [[nodiscard]] const nn::NamedTensors& prepared() const { return prepared_; }

 protected:
  nn::NamedTensors parameters_, buffers_, prepared_;
};

using MakeLoss = std::function<std::unique_ptr<Loss>(const Setting&)>;

/// Each term of a file of losses ends with one of these. A term registered twice throws std::logic_error.
struct RegisterLoss {
  RegisterLoss(const std::string& term, MakeLoss make);
};

/// A loss without tensors of its own.
[[nodiscard]] MakeLoss function_loss(at::Tensor (*value)(const Sight& sight, const Options& options));
/// Throws std::logic_error for a term without a loss.
[[nodiscard]] std::unique_ptr<Loss> make_loss(const std::string& term, const Setting& setting);
[[nodiscard]] std::vector<std::string> registered_terms();

}  // namespace retrial::distillation::inline terms
