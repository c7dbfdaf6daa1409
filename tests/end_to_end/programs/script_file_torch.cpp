// Writes a TorchScript network for gray digits of 8x8 and ten classes: script_file FILE KIND [SCALE].
// KIND: plain; dropout, which draws from the global generator of LibTorch.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdlib>
#include <string>

int main(int count, char** words) {
  if (count < 3) return 2;
  const bool draws = std::string(words[2]) == "dropout";
  const double scale = count > 3 ? std::atof(words[3]) : 1;
  torch::jit::Module layer("Layer"), net("Net");
  const at::Tensor ramp = at::arange(640, at::kFloat).reshape({10, 64});
  layer.register_parameter("weight", ((ramp * 37).fmod(101) / 500 * scale).requires_grad_(true), false);
  layer.register_parameter("bias", at::zeros({10}).requires_grad_(true), false);
  net.register_module("fc", layer);
  net.register_attribute("training", c10::BoolType::get(), true);
  net.define(std::string("def forward(self, x):\n  x = torch.flatten(x, 1)\n") +
             (draws ? "  x = torch.dropout(x, 0.5, self.training)\n" : "") +
             "  return torch.linear(x, self.fc.weight, self.fc.bias)\n");
  net.save(words[1]);
  return 0;
}
