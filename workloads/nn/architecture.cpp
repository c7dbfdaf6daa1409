#include "workloads/nn/architecture.hpp"

#include <algorithm>

#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::nn {
namespace {

constexpr std::int64_t widest = 1 << 16;
const char* const spellings = "mlp:H1,H2,... with widths of 1 to 65536, cnnW with W of 1 to 65536, lenet300";

std::int64_t parse_width(const std::string& text, const std::string& name, const std::string& field) {
  const auto width = results::parse_int(text);
  if (!width || *width < 1 || *width > widest ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) || text[0] == '0')
    throw InvalidInput(field, name, spellings);
  return *width;
}

std::vector<std::int64_t> parse_widths(const std::string& list, const std::string& name, const std::string& field) {
  std::vector<std::int64_t> widths;
  std::size_t from = 0;
  for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = list.find(',', from);
    widths.push_back(parse_width(list.substr(from, comma == std::string::npos ? comma : comma - from), name, field));
  }
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
    throw InvalidInput("model", "lenet300", "a data set of 28x28 grey images; mlp:300,100 takes any");
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

}  // namespace

Architecture parse_architecture(const std::string& name, const std::string& field) {
  if (name == "lenet300") return {Family::mlp, name, {300, 100}};
  if (name.starts_with("mlp:")) return {Family::mlp, name, parse_widths(name.substr(4), name, field)};
  if (name.starts_with("cnn")) return {Family::cnn, name, {parse_width(name.substr(3), name, field)}};
  throw InvalidInput(field, name, spellings);
}

const std::vector<ModelInfo>& all_models() {
  static const std::vector<ModelInfo> table{
      {"mlp:H1,H2,...", "linear layers with ReLU between them", "mlp:32"},
      {"cnnW", "three 3x3 convolutions with batch norm of W, 2W and 2W channels, max-pooled twice", "cnn16"},
      {"lenet300", "mlp:300,100 on 28x28 images", "lenet300"},
  };
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
  }
  return {};
}

}  // namespace retrial::nn
