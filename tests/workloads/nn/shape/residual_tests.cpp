// Parameter and MAC counts: tables 4.1 to 4.3 of the specification of distillation, which agree with the counts stored
// in the public repositories; names of tensors: its section 4.
#include <optional>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/nn/shape/closed_form.hpp"

namespace retrial::tests::residual_tests {

using namespace retrial;
using Names = std::vector<std::string>;

namespace {

constexpr data::Shape photo{3, 32, 32}, half{3, 16, 16};

nn::Architecture parsed(const std::string& name) {
  return nn::parse_architecture(name, "student");
}

nn::Identity form(const std::string& name, int classes = 10, const data::Shape& input = photo) {
  return nn::closed_form(parsed(name), input, classes);
}

std::vector<nn::TensorSpec> tensors(const std::string& name, int classes = 10, const data::Shape& input = photo) {
  return nn::tensors_of(parsed(name), input, classes);
}

std::int64_t trained(const std::vector<nn::TensorSpec>& specs) {
  std::int64_t elements = 0;
  for (const nn::TensorSpec& spec : specs) elements += spec.trained ? spec.elements() : 0;
  return elements;
}

/// One row of the tables; 0 where the specification gives no figure.
struct Row {
  const char* name;
  std::int64_t parameters, macs, parameters_100;
};

const Row rows[] = {
    {"resnet8a", 75290, 12239488, 81140},
    {"resnet14a", 172506, 26395264, 178356},
    {"resnet20a", 269722, 40551040, 275572},
    {"resnet26a", 366938, 54706816, 372788},
    {"resnet32a", 464154, 68862592, 470004},
    {"resnet44a", 658586, 97174144, 0},
    {"resnet56a", 853018, 125485696, 858868},
    {"resnet110a", 1727962, 252887680, 0},
    {"resnet8b", 78042, 12501632, 83892},
    {"resnet14b", 175258, 0, 0},
    {"resnet20b", 272474, 40813184, 0},
    {"resnet26b", 369690, 54968960, 0},
    {"resnet32b", 466906, 69124736, 472756},
    {"resnet44b", 661338, 0, 0},
    {"resnet56b", 855770, 125747840, 0},
    {"resnet110b", 1730714, 253149824, 1736564},
    {"resnet8s", 89322, 0, 0},
    {"resnet14s", 186538, 36112896, 0},
    {"resnet20s", 283754, 50268672, 0},
    {"resnet26s", 380970, 64424448, 0},
    {"resnet32s", 478186, 0, 0},
    {"resnet44s", 672618, 0, 0},
    {"resnet56s", 867050, 0, 0},
    {"resnet110s", 1741994, 262605312, 0},
    {"wrn-10-1", 77850, 12501632, 83700},
    {"wrn-10-4", 1198810, 166119936, 1221940},
    {"wrn-16-1", 175066, 0, 0},
    {"wrn-16-2", 691674, 0, 703284},
    {"wrn-16-4", 2748890, 392612352, 0},
    {"wrn-16-8", 10961370, 0, 0},
    {"wrn-22-4", 4298970, 619104768, 4322100},
    {"wrn-22-8", 17158106, 0, 17204276},
    {"wrn-28-1", 369498, 54968960, 0},
    {"wrn-28-2", 1467610, 0, 1479220},
    {"wrn-28-10", 36479194, 5243328768, 36536884},
    {"wrn-40-1", 563930, 83280512, 569780},
    {"wrn-40-2", 2243546, 327599360, 2255156},
    {"wrn-40-4", 8949210, 1298582016, 8972340},
    {"resnet10x", 4903242, 0, 0},
    {"resnet18x", 11173962, 0, 0},
    {"resnet34x", 21282122, 0, 0},
    {"resnet50x", 23520842, 1297829888, 0},
    {"resnet101x", 42512970, 2509983744, 0},
    {"resnet152x", 58156618, 3722137600, 0},
    {"resnet8b:w=8", 19954, 3236160, 0},
};

}  // namespace

TEST_CASE("residual networks have the published numbers of parameters and multiply-accumulates") {
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(form(row.name).parameters == row.parameters);
    if (row.macs != 0) CHECK(form(row.name).macs == row.macs);
    if (row.parameters_100 != 0) CHECK(form(row.name, 100).parameters == row.parameters_100);
  }
  CHECK(form("resnet8x4", 100).parameters == 1233540);
  CHECK(form("resnet8x4", 100).macs == 177071104);
  CHECK(form("resnet32x4", 100).parameters == 7433860);
  CHECK(form("resnet32x4", 100).macs == 1083040768);
  CHECK(form("resnet8b", 10, half).parameters == 78042);
  CHECK(form("resnet20b", 10, half).parameters == 272474);
  CHECK(form("resnet20b", 10, half).macs == 10203776);
}

TEST_CASE("shortcut B always costs 2,752 parameters, six layers more always 97,216") {
  for (const int depth : {8, 14, 20, 26, 32, 44, 56, 110}) {
    const std::string name = "resnet" + std::to_string(depth);
    CHECK(form(name + "b").parameters - form(name + "a").parameters == 2752);
    CHECK(form(name + "b").macs - form(name + "a").macs == 262144);
    const std::string deeper = "resnet" + std::to_string(depth + 6) + "a";
    CHECK(form(deeper).parameters - form(name + "a").parameters == 97216);
    CHECK(form(deeper).macs - form(name + "a").macs == 14155776);
  }
}

TEST_CASE("the tensors of a residual network hold as many parameters as its closed form") {
  for (const Row& row : rows)
    if (row.parameters < 3'000'000) CHECK(trained(tensors(row.name)) == row.parameters);
  for (const char* name : {"resnet50x", "resnet101x", "wrn-22-4", "resnet8x4", "resnet14a:w=5", "resnet8s:w=3"})
    CHECK(trained(tensors(name, 7)) == form(name, 7).parameters);
  const data::Shape odd{1, 28, 20};
  for (const char* name : {"resnet8a", "resnet8b:norelu", "wrn-10-2", "resnet10x"})
    CHECK(trained(tensors(name, 3, odd)) == form(name, 3, odd).parameters);
}

TEST_CASE("names of a residual network's tensors are fixed, because they enter the keys of their draws") {
  Names names;
  for (const nn::TensorSpec& spec : tensors("resnet8b"))
    if (spec.trained) names.push_back(spec.name);
  const Names expected{"conv1.weight",
                       "bn1.weight",
                       "bn1.bias",
                       "stage1.0.conv1.weight",
                       "stage1.0.bn1.weight",
                       "stage1.0.bn1.bias",
                       "stage1.0.conv2.weight",
                       "stage1.0.bn2.weight",
                       "stage1.0.bn2.bias",
                       "stage2.0.conv1.weight",
                       "stage2.0.bn1.weight",
                       "stage2.0.bn1.bias",
                       "stage2.0.conv2.weight",
                       "stage2.0.bn2.weight",
                       "stage2.0.bn2.bias",
                       "stage2.0.shortcut.weight",
                       "stage2.0.shortcut_bn.weight",
                       "stage2.0.shortcut_bn.bias",
                       "stage3.0.conv1.weight",
                       "stage3.0.bn1.weight",
                       "stage3.0.bn1.bias",
                       "stage3.0.conv2.weight",
                       "stage3.0.bn2.weight",
                       "stage3.0.bn2.bias",
                       "stage3.0.shortcut.weight",
                       "stage3.0.shortcut_bn.weight",
                       "stage3.0.shortcut_bn.bias",
                       "classifier.weight",
                       "classifier.bias"};
  CHECK(names == expected);
}

TEST_CASE("each family has the layers of its own: bottlenecks a third, wide ResNets a last norm and no stem norm") {
  const auto has = [](const std::string& model, const std::string& name) {
    for (const nn::TensorSpec& spec : tensors(model))
      if (spec.name == name) return true;
    return false;
  };
  CHECK(has("resnet50x", "stage4.2.conv3.weight"));
  CHECK(has("resnet50x", "stage1.0.bn3.running_var"));
  CHECK(has("resnet20b", "stage3.2.bn2.bias"));
  CHECK_FALSE(has("resnet20b", "stage3.3.bn2.bias"));
  CHECK_FALSE(has("resnet20a", "stage2.0.shortcut.weight"));
  CHECK(has("resnet20s", "stage1.0.shortcut.weight"));
  CHECK(has("wrn-16-2", "bn.weight"));
  CHECK(has("wrn-16-2", "stage1.0.shortcut.weight"));
  CHECK_FALSE(has("wrn-16-1", "stage1.0.shortcut.weight"));
  CHECK_FALSE(has("wrn-16-2", "bn1.weight"));
  CHECK_FALSE(has("wrn-16-2", "stage1.0.shortcut_bn.weight"));
}

TEST_CASE("convolutions start normal by their outputs, the classifier uniform by its inputs") {
  for (const nn::TensorSpec& spec : tensors("resnet8b")) {
    if (spec.name == "stage2.0.conv1.weight") CHECK((spec.start == nn::Start::he_fan_out && spec.fan_out == 9 * 32));
    if (spec.name == "stage2.0.shortcut.weight") CHECK((spec.start == nn::Start::he_fan_out && spec.fan_out == 32));
    if (spec.name.starts_with("classifier")) CHECK((spec.start == nn::Start::uniform_fan_in && spec.fan_in == 64));
  }
}

TEST_CASE("identities of residual networks say depth, block and shortcut") {
  CHECK(form("resnet20a").depth == 20);
  CHECK(form("resnet20a").shortcut == "A");
  CHECK(form("resnet20b").block == "basic");
  CHECK(form("resnet50x").block == "bottleneck");
  CHECK(form("wrn-28-10").depth == 28);
  CHECK(form("wrn-28-10").shortcut == "1x1");
  CHECK(form("resnet8s:norelu").block == "basic without closing ReLU");
  CHECK(form("resnet8s:norelu").parameters == form("resnet8s").parameters);
}

TEST_CASE("a depth that no network of the family has is refused with the nearest name") {
  for (const char* name : {"resnet8",
                           "resnet9b",
                           "resnet2b",
                           "resnet020b",
                           "resnet12x",
                           "resnet8c",
                           "resnet8b:",
                           "resnet8b:w=",
                           "resnet8b:w=0",
                           "resnet8b:w=16",
                           "resnet8b:norelu,w=8",
                           "resnet8b:relu",
                           "resnet8x4:w=8",
                           "resnet18x:w=8",
                           "wrn-28",
                           "wrn-27-10",
                           "wrn-4-1",
                           "wrn-28-0",
                           "wrn-16-2:norelu",
                           "WRN-16-2",
                           "resnet1208b",
                           "wrn-16-999999999999"})
    CHECK_THROWS_WITH(parsed(name), has_text("student = ") && has_text("resnetDb"));
  CHECK_THROWS_WITH(parsed("resnet20"), has_text("did you mean \"resnet20"));
  CHECK_THROWS_WITH(parsed("wrn-28-11x"), has_text("did you mean \"wrn-28-10\""));
  for (const char* name :
       {"resnet8b:w=8", "resnet8b:w=8,norelu", "resnet18x:norelu", "resnet8x4:norelu", "resnet1202b"})
    CHECK_NOTHROW(parsed(name));
}

TEST_CASE("only networks with a place for it drop anything") {
  for (const char* name : {"mlp:8", "cnn4", "wrn-16-2"}) CHECK(nn::drops(parsed(name)));
  for (const char* name : {"resnet8b", "resnet18x"}) CHECK_FALSE(nn::drops(parsed(name)));
}

TEST_CASE("windows of 4x4 need a last map that they divide") {
  CHECK(form("resnet8s").parameters == 89322);
  CHECK(form("resnet8s", 10, half).parameters == 89322 - 3 * 64 * 10);
  CHECK_THROWS_WITH(form("resnet8s", 10, {1, 28, 28}), has_text("divisible by 16"));
}

}  // namespace retrial::tests::residual_tests
