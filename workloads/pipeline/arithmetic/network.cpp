#include "workloads/pipeline/arithmetic/network.hpp"

#include <algorithm>
#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::pipeline::inline arithmetic {

Network study_network(std::int64_t stages, std::int64_t width, std::int64_t features, std::int64_t classes) {
  if (stages == 1) return {{.in = features, .out = classes, .tanh = false}};
  Network made{{.in = features, .out = width}};
  for (std::int64_t s = 1; s + 1 < stages; ++s) made.push_back({.in = width, .out = width, .residual = true});
  made.push_back({.in = width, .out = classes, .tanh = false});
  return made;
}

Network image_network(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t classes) {
  Network made;
  for (const std::int64_t maps : {16, 16, 32, 32, 64, 64}) {
    const std::int64_t stride = made.empty() || maps == channels ? 1 : 2, in = channels * height * width;
    Layer layer{.in = in, .tanh = false, .channels = channels, .height = height, .width = width};
    layer.maps = maps, layer.stride = stride;
    channels = maps, height = (height - 1) / stride + 1, width = (width - 1) / stride + 1;
    layer.out = channels * height * width;
    made.push_back(layer);
  }
  Layer last{.in = made.back().out, .out = classes, .tanh = false};
  last.channels = channels, last.height = height, last.width = width;
  made.push_back(last);
  return made;
}

Network normalized(Network network, Norm norm) {
  if (norm == Norm::none) return network;
  constexpr std::int64_t group_size = 4;
  const std::int64_t first = network.front().rows();
  for (std::size_t s = 0; s + 1 < network.size(); ++s) {
    network[s].groups = norm == Norm::layer ? 1 : first / group_size;
    network[s].bias = network[s].maps == 0;
  }
  return network;
}

std::int64_t parameters_of(const Network& network) {
  std::int64_t sum = 0;
  for (const Layer& layer : network) sum += layer.parameters();
  return sum;
}

std::vector<double> initial_parameters(const Layer& layer, std::int64_t stage, std::uint64_t seed) {
  const std::uint64_t key = variance::derive(seed, stage_name(stage) + ".weight");
  const std::int64_t rows = layer.rows(), columns = layer.columns();
  const double sd = layer.maps > 0 ? std::sqrt(2 / static_cast<double>(9 * layer.maps))
                                   : .5 / std::sqrt(static_cast<double>(columns));
  std::vector<double> made(static_cast<std::size_t>(layer.parameters()), 0.0);
  for (std::int64_t j = 0; j < rows; ++j)
    for (std::int64_t i = 0; i < columns; ++i) {
      const std::int64_t element = j * columns + i, place = layer.maps > 0 ? element : i * rows + j;
      made[static_cast<std::size_t>(place)] =
          sd * variance::normal(variance::block(key, static_cast<std::uint64_t>(element), 0)[0]);
    }
  if (layer.groups > 0) std::fill_n(made.end() - 2 * rows, rows, 1.0);
  return made;
}

std::string stage_name(std::int64_t stage) {
  return "stage" + std::to_string(stage);
}

}  // namespace retrial::pipeline::inline arithmetic
