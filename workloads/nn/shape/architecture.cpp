#include "workloads/nn/shape/architecture.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/interface/trial/split.hpp"
#include "workloads/nn/shape/added.hpp"
#include "workloads/nn/shape/residual_tensors.hpp"
#include "workloads/nn/shape/script_file.hpp"

namespace retrial::nn::inline shape {
namespace {

constexpr std::int64_t widest = 1 << 16;
const char* const spellings =
    "mlp:H1,H2,... with widths of 1 to 65536; cnnW with W of 1 to 65536; lenet300; resnetDa, resnetDb, resnetDs and "
    "resnetDx4 with D = 6n+2; resnetDx with D = 10, 18, 34, 50, 101, 152; wrn-D-K with D = 6n+4; in keys of a model "
    "also script:FILE";

/// Networks from papers, to suggest one for a mistyped name.
std::vector<std::string> well_known() {
  std::vector<std::string> names{"mlp:32", "cnn16", "lenet300", "resnet8x4", "resnet32x4"};
  for (const char* depth : {"8", "14", "20", "26", "32", "44", "56", "110"})
    for (const char* kind : {"a", "b", "s"}) names.push_back(std::string("resnet") + depth + kind);
  for (const char* depth : {"10", "18", "34", "50", "101", "152"}) names.push_back(std::string("resnet") + depth + "x");
  for (const char* name : {"wrn-10-1", "wrn-16-2", "wrn-16-4", "wrn-22-4", "wrn-28-10", "wrn-40-1", "wrn-40-2"})
    names.emplace_back(name);
  for (const AddedNetwork& added : added_networks()) names.push_back(added.architecture.name);
  return names;
}

[[noreturn]] void unknown(const std::string& name, const std::string& field) {
  const auto near = results::nearest(name, well_known());
  throw InvalidInput(field, name, spellings + (near ? "; did you mean \"" + *near + "\"?" : std::string()));
}

std::int64_t parse_width(const std::string& text, const std::string& name, const std::string& field) {
  const auto width = results::parse_int(text);
  if (!width || *width < 1 || *width > widest ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) || text[0] == '0')
    unknown(name, field);
  return *width;
}

std::vector<std::int64_t> parse_widths(const std::string& list, const std::string& name, const std::string& field) {
  std::vector<std::int64_t> widths;
  for (const std::string& width : workloads::split(list, ',')) widths.push_back(parse_width(width, name, field));
  return widths;
}

TensorSpec weight(const std::string& layer, std::vector<std::int64_t> sizes) {
  std::int64_t fan_in = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) fan_in *= sizes[i];
  return {.name = layer + ".weight", .sizes = std::move(sizes), .fan_in = fan_in};
}

void add_linear(std::vector<TensorSpec>& tensors, const std::string& layer, std::int64_t in, std::int64_t out) {
  tensors.push_back(weight(layer, {out, in}));
  tensors.push_back({.name = layer + ".bias", .sizes = {out}, .fan_in = in});
}

void add_conv_bn(std::vector<TensorSpec>& tensors, std::vector<TensorSpec>& buffers, const std::string& number,
                 std::int64_t in, std::int64_t out) {
  tensors.push_back(weight("conv" + number, {out, in, 3, 3}));
  tensors.push_back({.name = "bn" + number + ".weight", .sizes = {out}, .start = Start::one});
  tensors.push_back({.name = "bn" + number + ".bias", .sizes = {out}, .start = Start::zero});
  buffers.push_back({.name = "bn" + number + ".running_mean", .sizes = {out}, .start = Start::zero, .trained = false});
  buffers.push_back({.name = "bn" + number + ".running_var", .sizes = {out}, .start = Start::one, .trained = false});
}

std::vector<TensorSpec> mlp_tensors(const Architecture& architecture, const data::Shape& input, int classes) {
  if (architecture.name == "lenet300" && !(input == data::Shape{1, 28, 28}))
    throw InvalidInput("model", "lenet300", "a data set of 28x28 gray images; mlp:300,100 takes any");
  std::vector<TensorSpec> tensors;
  auto in = static_cast<std::int64_t>(input.pixels());
  for (std::size_t i = 0; i < architecture.widths.size(); ++i) {
    add_linear(tensors, "fc" + std::to_string(i + 1), in, architecture.widths[i]);
    in = architecture.widths[i];
  }
  add_linear(tensors, "classifier", in, classes);
  return tensors;
}

std::vector<TensorSpec> cnn_tensors(const Architecture& architecture, const data::Shape& input, int classes) {
  if (input.height % 4 != 0 || input.width % 4 != 0)
    throw InvalidInput("model", architecture.name, "a data set whose image sides are divisible by 4");
  const std::int64_t w = architecture.widths[0], pooled = (input.height / 4) * (input.width / 4);
  std::vector<TensorSpec> tensors, buffers;
  add_conv_bn(tensors, buffers, "1", input.channels, w);
  add_conv_bn(tensors, buffers, "2", w, 2 * w);
  add_conv_bn(tensors, buffers, "3", 2 * w, 2 * w);
  add_linear(tensors, "classifier", 2 * w * pooled, classes);
  tensors.insert(tensors.end(), buffers.begin(), buffers.end());
  return tensors;
}

std::vector<ModelInfo> own_models() {
  const data::Shape digit{1, 8, 8}, grey{1, 28, 28}, photo{3, 32, 32};
  return {
      {"mlp:H1,H2,...", "linear layers with ReLU between them", "mlp:32", digit},
      {"cnnW", "three 3x3 convolutions with batch norm of W, 2W and 2W channels, max-pooled twice", "cnn16", digit},
      {"lenet300", "mlp:300,100 on 28x28 images", "lenet300", grey},
      {"resnetDa", "D = 6n+2 layers in three stages of 16, 32, 64 channels; shortcut A: zero channels", "resnet20a",
       photo},
      {"resnetDb", "the same with shortcut B: a 1x1 convolution where width or stride change", "resnet8b", photo},
      {"resnetDs", "shortcut B, a stem of 64 channels, 4x4 average pooling at the end (Ruffy, Chahal 2019)",
       "resnet26s", photo},
      {"resnetDb:w=W", "resnetDa, resnetDb or resnetDs with W channels instead of 16", "resnet8b:w=8", photo},
      {"resnetDb:norelu", "any resnet without the ReLU that closes a block; also resnetDb:w=W,norelu",
       "resnet26s:norelu", photo},
      {"resnetDx4", "D = 6n+2, shortcut B, a stem of 32, stages of 64, 128, 256", "resnet8x4", photo},
      {"resnetDx", "four stages of 64 to 512 channels, D = 10, 18, 34; with bottlenecks 50, 101, 152", "resnet18x",
       photo},
      {"wrn-D-K", "wide ResNet of D = 6n+4 layers, K times as wide", "wrn-16-2", photo},
  };
}

}  // namespace

__attribute__((weak)) std::vector<AddedNetwork> added_networks() {
  return {};
}

Architecture parse_architecture(const std::string& name, const std::string& field) {
  for (const AddedNetwork& added : added_networks())
    if (added.architecture.name == name) return added.architecture;
  if (name == "lenet300") return {.family = Family::mlp, .name = name, .widths = {300, 100}};
  if (name.starts_with("mlp:"))
    return {.family = Family::mlp, .name = name, .widths = parse_widths(name.substr(4), name, field)};
  if (name.starts_with("cnn"))
    return {.family = Family::cnn, .name = name, .widths = {parse_width(name.substr(3), name, field)}};
  if (workloads::script_digest(name)) return {.family = Family::script, .name = name};
  if (auto net = parse_residual(name)) return {.family = Family::residual, .name = name, .residual = std::move(net)};
  unknown(name, field);
}

const std::vector<ModelInfo>& all_models() {
  static const std::vector<ModelInfo> table = [] {
    std::vector<ModelInfo> rows = own_models();
    for (const AddedNetwork& added : added_networks())
      rows.push_back({added.architecture.name, added.summary, added.architecture.name, added.input});
    return rows;
  }();
  return table;
}

std::int64_t TensorSpec::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

std::vector<TensorSpec> tensors_of(const Architecture& architecture, const data::Shape& input, int classes) {
  switch (architecture.family) {
    case Family::mlp:
      return mlp_tensors(architecture, input, classes);
    case Family::cnn:
      return cnn_tensors(architecture, input, classes);
    case Family::residual:
      return residual_tensors(architecture, input, classes);
    case Family::script:
      return architecture.script ? architecture.script->tensors : std::vector<TensorSpec>{};
  }
  return {};
}

bool drops(const Architecture& architecture) {
  if (architecture.family == Family::script) return false;
  return !architecture.residual || architecture.residual->block == Residual::Block::wide;
}

}  // namespace retrial::nn::inline shape
