// The network of the pipeline studies in a loop of LibTorch operators, one sample an update:
//   retrial_pipeline_loop SAMPLES      prints {"samples":...,"cpu_s":...}
// Sequential training alone, without delays, versions and corrections: less than a pipeline of operators does.
#include <ATen/Parallel.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/sgd.h>

#include <cstdlib>
#include <ctime>
#include <iostream>

#include "workloads/data/sets/teacher4.hpp"
#include "workloads/pipeline/arithmetic/network.hpp"

int main(int count, char** words) {
  using namespace retrial;
  at::set_num_threads(1);
  const std::int64_t samples = count > 1 ? std::atoll(words[1]) : 4096;
  const pipeline::Network network = pipeline::study_network(12, 32, data::Teacher4::features, data::Teacher4::classes);
  std::vector<at::Tensor> parameters;
  for (std::size_t s = 0; s < network.size(); ++s) {
    const pipeline::Layer& layer = network[s];
    auto values = pipeline::initial_parameters(layer, static_cast<std::int64_t>(s), 1);
    const at::Tensor weight = at::from_blob(values.data(), {layer.in, layer.out}, at::kDouble).to(at::kFloat);
    parameters.push_back(weight.clone().requires_grad_());
    parameters.push_back(at::zeros({layer.out}).requires_grad_());
  }
  torch::optim::SGD optimizer(parameters, torch::optim::SGDOptions(1e-5).momentum(.998));
  const auto& train = data::teacher4().train;
  const std::clock_t start = std::clock();
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto place = static_cast<std::size_t>(i) % train.labels.size();
    const auto row = train.row(place);
    at::Tensor x = at::from_blob(const_cast<float*>(row.data()), {1, data::Teacher4::features});
    for (std::size_t s = 0; s < network.size(); ++s) {
      const at::Tensor y = at::addmm(parameters[2 * s + 1], x, parameters[2 * s]);
      x = !network[s].tanh ? y : network[s].residual ? x + y.tanh() : y.tanh();
    }
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(x, at::scalar_tensor(train.labels[place], at::kLong).reshape({1})).backward();
    optimizer.step();
  }
  std::cout << "{\"samples\":" << samples << ",\"cpu_s\":" << static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC
            << "}\n";
}
