// Parameter and MAC counts: table 4.3 of the specification of distillation; names: its section 4.
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/nn/shape/closed_form.hpp"

namespace retrial::tests::architecture_tests {

using namespace retrial;

namespace {

constexpr data::Shape digit{1, 8, 8}, mnist{1, 28, 28};

nn::Identity form(const std::string& name, const data::Shape& input = digit) {
  return nn::closed_form(nn::parse_architecture(name, "student"), input, 10);
}

std::vector<std::string> names(const std::string& model) {
  std::vector<std::string> result;
  for (const nn::TensorSpec& spec : nn::tensors_of(nn::parse_architecture(model, "student"), digit, 10))
    result.push_back(spec.name);
  return result;
}

}  // namespace

TEST_CASE("closed forms give the published parameter and MAC counts") {
  CHECK(form("cnn4").macs == 30272);
  CHECK(form("cnn8").parameters == 4258);
  CHECK(form("cnn8").macs == 115840);
  CHECK(form("cnn16").parameters == 15418);
  CHECK(form("cnn16").macs == 452864);
  CHECK(form("mlp:32").parameters == 2410);
  CHECK(form("mlp:32").macs == 2368);
  CHECK(form("mlp:8").parameters == 610);
  CHECK(form("mlp:128,64").parameters == 17226);
  CHECK(form("mlp:128,64").macs == 17024);
  CHECK(form("lenet300", mnist).parameters == 266610);
  CHECK(form("lenet300", mnist).macs == 266200);
}

TEST_CASE("the table of tensors holds as many parameters as the closed form") {
  for (const char* name : {"mlp:1", "mlp:32", "mlp:128,64", "mlp:7,5,3", "cnn1", "cnn4", "cnn16"}) {
    std::int64_t elements = 0;
    for (const nn::TensorSpec& spec : nn::tensors_of(nn::parse_architecture(name, "student"), digit, 10))
      elements += spec.trained ? spec.elements() : 0;
    CHECK(elements == form(name).parameters);
  }
  // Other shapes: three channels of 16x12, 7 classes.
  const data::Shape odd{3, 16, 12};
  std::int64_t elements = 0;
  for (const nn::TensorSpec& spec : nn::tensors_of(nn::parse_architecture("cnn5", "student"), odd, 7))
    elements += spec.trained ? spec.elements() : 0;
  CHECK(elements == nn::closed_form(nn::parse_architecture("cnn5", "student"), odd, 7).parameters);
}

TEST_CASE("tensor names are fixed, because they enter the keys of their draws") {
  CHECK(names("mlp:32") == std::vector<std::string>{"fc1.weight", "fc1.bias", "classifier.weight", "classifier.bias"});
  CHECK(names("mlp:128,64") == std::vector<std::string>{"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias",
                                                        "classifier.weight", "classifier.bias"});
  CHECK(names("cnn16") == std::vector<std::string>{"conv1.weight", "bn1.weight", "bn1.bias", "conv2.weight",
                                                   "bn2.weight", "bn2.bias", "conv3.weight", "bn3.weight", "bn3.bias",
                                                   "classifier.weight", "classifier.bias", "bn1.running_mean",
                                                   "bn1.running_var", "bn2.running_mean", "bn2.running_var",
                                                   "bn3.running_mean", "bn3.running_var"});
}

TEST_CASE("a bias starts within the bound of its layer's inputs") {
  for (const nn::TensorSpec& spec : nn::tensors_of(nn::parse_architecture("cnn4", "student"), digit, 10)) {
    if (spec.name == "classifier.bias") CHECK(spec.fan_in == 32);
    if (spec.name == "conv2.weight") CHECK(spec.fan_in == 36);
  }
}

TEST_CASE("identities say depth, block and shortcut") {
  CHECK(form("mlp:128,64").depth == 3);
  CHECK(form("cnn16").depth == 4);
  CHECK(form("cnn16").shortcut == "none");
}

TEST_CASE("an unknown or malformed model names what is allowed") {
  for (const char* name : {"", "resnet8", "mlp", "mlp:", "mlp:32,", "mlp:0", "mlp:03", "mlp:1.5", "mlp:99999999", "cnn",
                           "cnn0", "cnn-4", "cnn+4", "CNN4", "mlp: 32"})
    CHECK_THROWS_WITH(nn::parse_architecture(name, "student"), has_text("student = ") && has_text("mlp:H1,H2,..."));
}

TEST_CASE("a model that does not fit the images is refused") {
  CHECK_THROWS_WITH(nn::tensors_of(nn::parse_architecture("lenet300", "student"), digit, 10), has_text("28x28"));
  CHECK_THROWS_WITH(nn::tensors_of(nn::parse_architecture("cnn4", "student"), {1, 6, 8}, 10),
                    has_text("divisible by 4"));
}

TEST_CASE("every listed model has an example that can be built") {
  for (const nn::ModelInfo& model : nn::all_models()) CHECK_NOTHROW(nn::parse_architecture(model.example, "student"));
}

}  // namespace retrial::tests::architecture_tests
