#include "workloads/pipeline/engine/network.hpp"

#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::pipeline::inline engine {

Network study_network(std::int64_t stages, std::int64_t width, std::int64_t features, std::int64_t classes) {
  if (stages == 1) return {{.in = features, .out = classes, .tanh = false}};
  Network made{{.in = features, .out = width}};
  for (std::int64_t s = 1; s + 1 < stages; ++s) made.push_back({.in = width, .out = width, .residual = true});
  made.push_back({.in = width, .out = classes, .tanh = false});
  return made;
}

std::int64_t parameters_of(const Network& network) {
  std::int64_t sum = 0;
  for (const Layer& layer : network) sum += layer.parameters();
  return sum;
}

std::vector<double> initial_parameters(const Layer& layer, std::int64_t stage, std::uint64_t seed) {
  const std::uint64_t key = variance::derive(seed, stage_name(stage) + ".weight");
  const double sd = .5 / std::sqrt(static_cast<double>(layer.in));
  std::vector<double> made(static_cast<std::size_t>(layer.parameters()), 0.0);
  for (std::int64_t j = 0; j < layer.out; ++j)
    for (std::int64_t i = 0; i < layer.in; ++i) {
      const auto element = static_cast<std::uint64_t>(j * layer.in + i);
      made[static_cast<std::size_t>(i * layer.out + j)] = sd * variance::normal(variance::block(key, element, 0)[0]);
    }
  return made;
}

std::string stage_name(std::int64_t stage) {
  return "stage" + std::to_string(stage);
}

}  // namespace retrial::pipeline::inline engine
