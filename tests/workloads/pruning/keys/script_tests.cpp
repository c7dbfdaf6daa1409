// A network from a file: what the keys allow before the file is read.
#include <algorithm>

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/nn/shape/script_file.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/network/size.hpp"

namespace retrial::tests::pruning_script_tests {
using std::string_literals::operator""s;

namespace {

const std::string script = workloads::script_name(std::string(64, 'a'));

const workloads::Declaration& workload() {
  return workloads::find_workload("pruning", "");
}

std::vector<workloads::Problem> problems(Values given) {
  given["model"] = script;
  return workload().validate(workloads::resolved(workload(), given));
}

}  // namespace

TEST_CASE("a script takes the methods that need named parameters and their gradients alone") {
  for (const auto& method : pruning::all_methods()) {
    const std::string grid = method.rule == pruning::Rule::lottery ? "levels(.5, 1)" : ".5";
    const auto found = problems({{"method", method.name}, {"grid", grid}});
    INFO(method.name);
    CHECK(found.empty() == method.of_parameters());
    if (found.empty()) continue;
    CHECK(found.front().key == "method");
    CHECK_THAT(found.front().problem, has_text("a script shows its named parameters alone"));
    CHECK(found.front().allowed ==
          "for a script: lamp, lth, mag_grad_global, mag_grad_layer, mag_layer, norm1, norm12, norm2, rand_global, "
          "snip, uni_weight, wt");
  }
}

TEST_CASE("keys about layers and other initial weights are refused for a script") {
  for (const auto& [key, value] : Values{{"recalibrate", true},
                                         {"separate", true},
                                         {"prune_classifier", false},
                                         {"min_keep", std::int64_t{3}},
                                         {"pipeline", "reinit"s},
                                         {"dropout", .1}}) {
    const auto found = problems({{key, value}});
    INFO(key);
    REQUIRE(found.size() == 1);
    CHECK(found.front().key == (key == "dropout" ? "dropout" : key));
  }
}

TEST_CASE("a parent of 0 epochs is a script, and its retraining has a length of its own") {
  const auto parent = [](const Values& given) {
    Values keys{{"epochs", std::int64_t{0}}, {"retrain_epochs", std::int64_t{2}}};
    for (const auto& [key, value] : given) keys[key] = value;
    return problems(keys);
  };
  CHECK(parent({}).empty());
  CHECK(parent({{"pipeline", "cascade_rewind"s}}).empty());
  CHECK(parent({{"retrain_epochs", std::int64_t{0}}}).front().key == "retrain_epochs");
  for (const std::string pipeline : {"fine_tune", "train"})
    CHECK_THAT(parent({{"pipeline", pipeline}}).front().problem, has_text("needs the training of the parent"));
  const auto drawn = workload().validate(workloads::resolved(workload(), {{"epochs", std::int64_t{0}}}));
  REQUIRE(drawn.size() == 1);
  CHECK(drawn.front().problem == "0, and the parent mlp:128,64 would keep its drawn weights");
}

TEST_CASE("init does not reach a script, and its work is not counted") {
  const Values values = workloads::resolved(workload(), {{"model", script}});
  const auto honoured = workload().honours(values);
  CHECK(std::ranges::find(honoured, "init") == honoured.end());
  CHECK_FALSE(workload().contributes.effort(values, {}).counted);
  CHECK(workload().scale(values, "compression_nominal").levels.empty());
  CHECK_THAT(workload().remarks(values).front(), has_text("the source init does not reach it"));
  CHECK(workload().remarks(workloads::resolved(workload(), {})).empty());
}

TEST_CASE("the weights of a script are its trained parameters NAME.weight of two or more dimensions, in its order") {
  nn::Architecture architecture = nn::parse_architecture(script, "model");
  CHECK(pruning::network_of(architecture, {1, 8, 8}, 10).layers.empty());
  architecture.script = std::make_shared<const nn::ScriptFile>(
      nn::ScriptFile{.label = {},
                     .bytes = {},
                     .parameters = 999,
                     .tensors = {{.name = "stem.weight", .sizes = {4, 3, 3, 3}},
                                 {.name = "stem.bias", .sizes = {4}},
                                 {.name = "norm.weight", .sizes = {4}},
                                 {.name = "table", .sizes = {4, 4}},
                                 {.name = "head.weight", .sizes = {10, 4}},
                                 {.name = "frozen.weight", .sizes = {5, 5}, .trained = false}}});
  const auto network = pruning::network_of(architecture, {3, 8, 8}, 10);
  REQUIRE(network.layers.size() == 2);
  CHECK(network.layers[0].name == "stem");
  CHECK(network.layers[0].weights() == 4 * 27);
  CHECK(network.layers[1].name == "head");
  CHECK(network.layers[1].weights() == 40);
  CHECK(network.parameters == 4 * 27 + 4 + 4 + 16 + 40);
  CHECK(network.weights() == 148);
  auto masks = pruning::all_live(network);
  std::ranges::fill(masks.layers[0].bits, 0);  // rows without a weight are still channels
  CHECK(pruning::size_left(network, {.masks = masks, .ranks = {}}).pr_weights == 1 - 40. / 148);
}

}  // namespace retrial::tests::pruning_script_tests
