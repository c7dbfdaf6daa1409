#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/nn/shape/script_file.hpp"

/// Networks of the user's own from TorchScript files. Only module_torch.cpp includes the headers of torch::jit.
namespace retrial::nn::inline script {

/// A TorchScript network on the CPU with the weights of its file, run operator by operator: no profiling, no
/// optimization of graphs, no fusers. Every failure is a TrialFailure "script.…" that names the file.
class ScriptModule {
 public:
  using Tensors = std::vector<std::pair<std::string, at::Tensor>>;

  /// Throws script.not_torchscript for other bytes, script.tensors for tensors that cannot be trained and kept here
  /// (float32, dense, each its own memory), script.keeps_state if a method assigns to an attribute.
  explicit ScriptModule(const ScriptFile& file);

  /// Parameters with a gradient, by their names in the file; and all other tensors.
  [[nodiscard]] const Tensors& trained() const { return trained_; }
  [[nodiscard]] const Tensors& kept() const { return kept_; }
  /// Elements of all parameters.
  [[nodiscard]] std::int64_t parameters() const { return parameters_; }

  /// The output of forward for images (rows, channels, height, width). Throws script.failed if forward throws,
  /// script.output unless it is a float32 tensor (rows, classes), script.changes_input if it writes into the images,
  /// script.draws if it draws random numbers, which no seed of a trial controls.
  [[nodiscard]] at::Tensor logits(const at::Tensor& images, bool training) const;

 private:
  struct Loaded;
  std::shared_ptr<Loaded> loaded_;
  std::string label_;
  std::int64_t classes_;
  Tensors trained_, kept_;
  std::int64_t parameters_ = 0;
};

/// The settings of torch::jit, read back: {"profiling": false, "executor": "legacy", ...}.
[[nodiscard]] std::vector<std::pair<std::string, bool>> script_switches();

}  // namespace retrial::nn::inline script
