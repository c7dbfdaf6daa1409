// Prunable layers and groups. Counts are those of the specification of pruning 15.1 and 15.2, or of the closed forms.
#include <set>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/nn/shape/closed_form.hpp"
#include "workloads/pruning/network/channel_graph.hpp"
#include "workloads/pruning/steps/scoring_set.hpp"

namespace retrial::pruning_network_tests {
using pruning::Layer, pruning::Network, test::network_named;

namespace {

constexpr data::Shape photo{3, 32, 32};

std::vector<std::string> names_of(const Network& network) {
  std::vector<std::string> names;
  for (const Layer& layer : network.layers) names.push_back(layer.name);
  return names;
}

const Layer& layer_named(const Network& network, const std::string& name) {
  for (const Layer& layer : network.layers)
    if (layer.name == name) return layer;
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("convolutions and linear layers have the published numbers of weights") {
  CHECK(network_named("mlp:128,64").weights() == 17024);
  CHECK(network_named("resnet8b", photo).weights() == 77360);
  CHECK(network_named("resnet20b", photo).weights() == 270896);
  CHECK(network_named("resnet56b", photo).weights() == 851504);
}

TEST_CASE("the name resnet56b cannot build a network of bottlenecks with 869,530 parameters") {
  CHECK(network_named("resnet56b", photo).parameters == 855770);
}

TEST_CASE("every prunable weight is a tensor of its model, of the same size, in every family") {
  for (const std::string model : {"mlp:8,5", "cnn4", "resnet8a", "resnet8b", "resnet8x4", "resnet50x", "wrn-10-2"}) {
    const auto architecture = nn::parse_architecture(model, "model");
    const Network network = network_named(model, photo);
    std::int64_t found = 0, weights = 0;
    for (const nn::TensorSpec& spec : nn::tensors_of(architecture, photo, 10)) {
      if (spec.sizes.size() < 2) continue;
      ++weights;
      for (const Layer& layer : network.layers)
        if (layer.name + ".weight" == spec.name && layer.weights() == spec.elements()) ++found;
    }
    CAPTURE(model);
    CHECK(found == weights);
    CHECK(static_cast<std::int64_t>(network.layers.size()) == weights);
  }
}

TEST_CASE("the multiply-accumulates of the layers add up to those of the closed form") {
  for (const std::string model : {"mlp:8,5", "cnn4", "resnet8a", "resnet8b", "resnet50x", "wrn-10-2"}) {
    std::int64_t macs = 0;
    for (const Layer& layer : network_named(model, photo).layers) macs += layer.weights() * layer.positions;
    CAPTURE(model);
    CHECK(macs == nn::closed_form(nn::parse_architecture(model, "model"), photo, 10).macs);
  }
}

TEST_CASE("layers are in the order of their first use") {
  const std::vector<std::string> expected{
      "conv1",          "stage1.0.conv1", "stage1.0.conv2",    "stage2.0.conv1", "stage2.0.conv2", "stage2.0.shortcut",
      "stage3.0.conv1", "stage3.0.conv2", "stage3.0.shortcut", "classifier"};
  CHECK(names_of(network_named("resnet8b", photo)) == expected);
}

TEST_CASE("with shortcut B each stage is one group and each block has one of its own") {
  const Network network = network_named("resnet8b", photo);
  std::vector<std::int64_t> removable;
  for (const pruning::Group& group : network.groups)
    if (group.removable) removable.push_back(group.size);
  CHECK(removable == std::vector<std::int64_t>{16, 16, 32, 32, 64, 64});
  CHECK(layer_named(network, "conv1").out.group == layer_named(network, "stage1.0.conv2").out.group);
  CHECK(layer_named(network, "stage2.0.shortcut").out.group == layer_named(network, "stage2.0.conv2").out.group);
  CHECK(layer_named(network, "stage2.0.shortcut").in.group == layer_named(network, "conv1").out.group);
  CHECK(layer_named(network, "stage2.0.conv1").out.group != layer_named(network, "stage2.0.conv2").out.group);
}

TEST_CASE("with shortcut A the stages are one group, each at the place its channels are copied to") {
  const Network network = network_named("resnet8a", photo);
  const Layer &stem = layer_named(network, "conv1"), &second = layer_named(network, "stage2.0.conv2"),
              &third = layer_named(network, "stage3.0.conv2");
  CHECK(stem.out.group == third.out.group);
  CHECK(network.groups[static_cast<std::size_t>(stem.out.group)].size == 64);
  CHECK(third.out.offset == 0);
  CHECK(second.out.offset == 16);  // (64 - 32) / 2
  CHECK(stem.out.offset == 24);    // (32 - 16) / 2 further
}

TEST_CASE("after flattening a channel represents height times width features") {
  const Layer classifier = network_named("cnn4").layers.back();
  CHECK(classifier.in.count == 8);
  CHECK(classifier.in.repeat == 4);
}

TEST_CASE("a concatenation offsets the channels of its second part") {
  pruning::ChannelGraph graph;
  const int a = graph.add(3), b = graph.add(5), both = graph.add(8);
  graph.couple(both, a, 0);
  graph.couple(both, b, 3);
  CHECK(graph.groups().size() == 1);
  CHECK(graph.groups()[0].size == 8);
  CHECK(graph.channels(b).offset == 3);
}

TEST_CASE("images that do not fit a network are refused") {
  CHECK_THROWS_AS(network_named("lenet300", photo), InvalidInput);
}

TEST_CASE("the size of the scoring set follows from the neurons") {
  const auto check = [](const Network& network, std::int64_t total, std::int64_t most, std::int64_t size) {
    const pruning::Neurons neurons = pruning::neurons_of(network);
    CHECK(neurons.total == total);
    CHECK(neurons.max == most);
    CHECK(pruning::sample_size(neurons, 100000) == size);
  };
  check(network_named("resnet8b", photo), 86026, 16384, 180);
  check(network_named("resnet56b", photo), 544778, 16384, 186);
  check(network_named("mlp:128,64"), 202, 128, 148);
  CHECK_THAT(pruning::sample_bound({.max = 128, .total = 202}), WithinAbs(147.2433, 5e-5));
}

TEST_CASE("a scoring set is never more than half of its part, and is drawn by its seed") {
  const pruning::Neurons neurons{.max = 128, .total = 202};
  CHECK(pruning::sample_size(neurons, 101) == 50);
  CHECK(pruning::sample_size(neurons, 1) == 0);
  const auto some = pruning::scoring_set(5, 20, 7);
  CHECK(some.size() == 7);
  CHECK(std::set<std::uint32_t>(some.begin(), some.end()).size() == 7);
  CHECK(some != pruning::scoring_set(6, 20, 7));
}

}  // namespace retrial::pruning_network_tests
