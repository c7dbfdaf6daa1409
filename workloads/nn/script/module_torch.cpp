#include "workloads/nn/script/module_torch.hpp"

#include <ATen/Context.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/protocol/failures.hpp"

namespace retrial::nn::inline script {
namespace {

namespace jit = torch::jit;
using workloads::TrialFailure;

/// TorchScript explains itself in a traceback whose last line is the error; advice may follow on that line.
std::string reason_of(const std::exception& error) {
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  std::istringstream lines(torch == nullptr ? error.what() : torch->what_without_backtrace());
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return results::one_line(last.substr(0, last.find(". This is an internal")), 300);
}

[[noreturn]] void fail(const char* kind, const std::string& what, const std::exception& error) {
  if (const auto known = explain_libtorch(error)) throw *known;
  throw TrialFailure(kind, what + ": " + reason_of(error));
}

/// Process-wide; the optimizer of graphs is switched off for each pass.
void switch_off() {
  jit::getProfilingMode() = false;
  jit::getExecutorMode() = false;
  jit::setTensorExprFuserEnabled(false);
}

jit::Module loaded_from(const ScriptFile& file) try {
  std::istringstream bytes(file.bytes);
  return jit::load(bytes, c10::Device(c10::kCPU));
} catch (const std::exception& error) {
  fail("script.not_torchscript", file.label + " is no TorchScript file", error);
}

bool assigns(c10::ArrayRef<const jit::Block*> blocks) {
  for (const jit::Block* block : blocks)
    for (const jit::Node* node : block->nodes())
      if (node->kind() == c10::prim::SetAttr || assigns(node->blocks())) return true;
  return false;
}

/// An attribute that a pass changes would be in no saved state: only tensors that change in place are.
void refuse_state(const jit::Module& module, const std::string& label) {
  for (const jit::Module& part : module.modules())
    for (const jit::Method& method : part.get_methods())
      if (method.name() != "__setstate__" && assigns({method.graph()->block()}))
        throw TrialFailure("script.keeps_state", label + ": the method " + method.name() +
                                                     " assigns to an attribute, which no saved state would hold");
}

void refuse_tensor(const std::string& label, const std::string& name, const std::string& problem) {
  throw TrialFailure("script.tensors", label + ": the tensor " + name + " " + problem);
}

/// The bytes of a generator's state.
at::Tensor generator_state() {
  return at::globalContext().defaultGenerator(c10::kCPU).get_state();
}

bool same_bytes(const at::Tensor& a, const at::Tensor& b) {
  return std::equal(a.const_data_ptr<std::uint8_t>(), a.const_data_ptr<std::uint8_t>() + a.numel(),
                    b.const_data_ptr<std::uint8_t>());
}

std::string sizes_text(const at::Tensor& tensor) {
  std::string text;
  for (const std::int64_t size : tensor.sizes()) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + ")";
}

}  // namespace

struct ScriptModule::Loaded {
  jit::Module module;
  std::optional<bool> training;

  void set_mode(bool on) {
    if (training == on) return;
    module.train(on);
    training = on;
  }
};

ScriptModule::ScriptModule(const ScriptFile& file) : label_(file.label), classes_(file.classes) {
  switch_off();
  loaded_ = std::make_shared<Loaded>(Loaded{loaded_from(file), {}});
  if (!loaded_->module.find_method("forward"))
    throw TrialFailure("script.not_torchscript", label_ + " has no method forward");
  refuse_state(loaded_->module, label_);
  std::set<const void*> memory;
  const auto add = [&](const std::string& name, at::Tensor tensor, bool trained) {
    if (!tensor.defined()) return;
    if (!tensor.is_cpu() || tensor.layout() != c10::kStrided || tensor.is_quantized())
      refuse_tensor(label_, name, "is not a dense tensor on the CPU");
    if (trained && tensor.scalar_type() != at::kFloat) refuse_tensor(label_, name, "is trained and not float32");
    if (!tensor.is_contiguous()) tensor.set_data(tensor.contiguous());
    if (tensor.numel() > 0 && !memory.insert(tensor.const_data_ptr()).second)
      refuse_tensor(label_, name, "shares its memory with another tensor");
    (trained ? trained_ : kept_).emplace_back(name, tensor);
  };
  for (const auto& parameter : loaded_->module.named_parameters()) {
    parameters_ += parameter.value.numel();
    add(parameter.name, parameter.value, parameter.value.requires_grad());
  }
  for (const auto& buffer : loaded_->module.named_buffers()) add(buffer.name, buffer.value, false);
}

at::Tensor ScriptModule::logits(const at::Tensor& images, bool training) const {
  loaded_->set_mode(training);
  const jit::GraphOptimizerEnabledGuard plain(false);
  const at::Tensor before = generator_state();
  const auto version = images._version();
  jit::IValue output;
  try {
    output = loaded_->module.forward({images});
  } catch (const std::exception& error) {
    fail("script.failed", label_ + " failed in forward", error);
  }
  if (!same_bytes(before, generator_state()))
    throw TrialFailure("script.draws",
                       label_ + " draws random numbers in forward (dropout?), which no seed of a trial controls");
  if (images._version() != version)
    throw TrialFailure("script.changes_input", label_ + " writes into its input, which other passes read");
  if (!output.isTensor() || output.toTensor().scalar_type() != at::kFloat)
    throw TrialFailure("script.output", label_ + " returns " + output.tagKind() +
                                            (output.isTensor() ? " of another type than float32" : "") +
                                            "; expected is one float32 tensor (rows, classes)");
  at::Tensor logits = output.toTensor();
  if (logits.dim() != 2 || logits.size(0) != images.size(0) || logits.size(1) != classes_)
    throw TrialFailure("script.output", label_ + " returns " + sizes_text(logits) + " for images " +
                                            sizes_text(images) + "; expected is (" + std::to_string(images.size(0)) +
                                            ", " + std::to_string(classes_) + ")");
  return logits;
}

std::vector<std::pair<std::string, bool>> script_switches() {
  const jit::GraphOptimizerEnabledGuard plain(false);
  return {{"profiling", jit::getProfilingMode()},
          {"profiling_executor", jit::getExecutorMode()},
          {"graph_optimizer", jit::getGraphExecutorOptimize()},
          {"tensorexpr_fuser", jit::tensorExprFuserEnabled()}};
}

}  // namespace retrial::nn::inline script
