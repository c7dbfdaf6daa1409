// What autograd of the linked library does if a weight is changed between its forward and its backward: stages on
// LibTorch rely on it. Section 9.2 of the specification has the same table for LibTorch 1.13.1.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/ones_like.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/optim/sgd.h>

#include <functional>

#include "tests/catch_torch.hpp"

namespace retrial::tests::pipeline_written_weights_torch_tests {

namespace {

enum class Backward { throws, reads_new_weights, reads_old_weights };

/// A layer and the shapes of its input and weight.
struct Operation {
  const char* name;
  std::vector<std::int64_t> input, weight;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& w)> apply;
};

struct Write {
  const char* name;
  std::function<void(at::Tensor& w, const at::Tensor& change)> write;
  Backward then;
  bool forward_on_copy = false;
};

at::Tensor numbers(at::IntArrayRef sizes, double from) {
  return (at::arange(c10::multiply_integers(sizes), at::kDouble) * .37 + from).sin().view(sizes);
}

at::Tensor input_gradient(const at::Tensor& y, const at::Tensor& x) {
  return torch::autograd::grad({y}, {x}, {at::ones_like(y)})[0];
}

at::Tensor input_gradient_at(const Operation& operation, const at::Tensor& w) {
  const at::Tensor x = numbers(operation.input, 1).requires_grad_();
  return input_gradient(operation.apply(x, w), x);
}

Backward backward_after(const Operation& operation, const Write& write) {
  const at::Tensor x = numbers(operation.input, 1).requires_grad_(), change = numbers(operation.weight, 3);
  at::Tensor w = numbers(operation.weight, 2).requires_grad_();
  const at::Tensor old = input_gradient_at(operation, w.detach().clone()),
                   fresh = input_gradient_at(operation, w.detach() + change);
  REQUIRE_FALSE(old.equal(fresh));
  const at::Tensor y = operation.apply(x, write.forward_on_copy ? w.clone() : w);
  write.write(w, change);
  REQUIRE(w.detach().equal(numbers(operation.weight, 2) + change));
  at::Tensor found;
  try {
    found = input_gradient(y, x);
  } catch (const c10::Error& error) {
    CHECK_THAT(std::string(error.what()), has_text("modified by an inplace operation"));
    return Backward::throws;
  }
  REQUIRE((found.equal(old) || found.equal(fresh)));
  return found.equal(fresh) ? Backward::reads_new_weights : Backward::reads_old_weights;
}

void step_of_sgd(at::Tensor& w, const at::Tensor& change) {
  w.mutable_grad() = -change;
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(1.0));
  optimizer.step();
}

void add_without_graph(at::Tensor& w, const at::Tensor& change) {
  const at::NoGradGuard no_graph;
  w.add_(change);
}

}  // namespace

TEST_CASE("a weight changed between forward and backward: what autograd does, for each way to change it") {
  const std::vector<Operation> operations{
      {"mm", {2, 3}, {3, 4}, [](const at::Tensor& x, const at::Tensor& w) { return x.mm(w); }},
      {"conv2d", {1, 2, 4, 4}, {3, 2, 3, 3}, [](const at::Tensor& x, const at::Tensor& w) {
         return at::conv2d(x, w, {}, 1, 1);
       }}};
  const std::vector<Write> writes{
      {"NoGradGuard; w.add_", add_without_graph, Backward::throws},
      {"w.detach().add_", [](at::Tensor& w, const at::Tensor& d) { w.detach().add_(d); }, Backward::throws},
      {"w.data().add_", [](at::Tensor& w, const at::Tensor& d) { w.data().add_(d); }, Backward::reads_new_weights},
      {"w.variable_data().add_", [](at::Tensor& w, const at::Tensor& d) { w.variable_data().add_(d); },
       Backward::reads_new_weights},
      {"w.set_data", [](at::Tensor& w, const at::Tensor& d) { w.set_data(w.detach() + d); },
       Backward::reads_new_weights},
      {"optim::SGD::step", step_of_sgd, Backward::reads_new_weights},
      {"forward on w.clone()", add_without_graph, Backward::reads_old_weights, true}};
  for (const Operation& operation : operations)
    for (const Write& write : writes) {
      INFO("the LibTorch semantics of in-place weight writes changed; review TorchStage (libtorch/stage_torch.cpp): "
           << write.name << ", " << operation.name);
      CHECK(backward_after(operation, write) == write.then);
    }
}

}  // namespace retrial::tests::pipeline_written_weights_torch_tests
