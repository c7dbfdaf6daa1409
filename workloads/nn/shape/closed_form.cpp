#include "workloads/nn/shape/closed_form.hpp"

#include "workloads/nn/shape/residual_tensors.hpp"
#include "workloads/nn/shape/script_file.hpp"

namespace retrial::nn::inline shape {
namespace {

Identity mlp_identity(const Architecture& architecture, const data::Shape& input, int classes) {
  Identity found{.name = architecture.name,
                 .depth = static_cast<int>(architecture.widths.size()) + 1,
                 .block = "none",
                 .shortcut = "none"};
  auto in = static_cast<std::int64_t>(input.pixels());
  std::vector<std::int64_t> outs = architecture.widths;
  outs.push_back(classes);
  for (const std::int64_t out : outs) {
    found.macs += in * out;
    found.parameters += in * out + out;
    in = out;
  }
  return found;
}

Identity cnn_identity(const Architecture& architecture, const data::Shape& input, int classes) {
  const std::int64_t w = architecture.widths[0], c = input.channels, k = classes;
  const std::int64_t full = std::int64_t{input.height} * input.width, half = full / 4, features = 2 * w * (full / 16);
  return {.name = architecture.name,
          .parameters = 9 * c * w + 2 * w + 18 * w * w + 4 * w + 36 * w * w + 4 * w + features * k + k,
          .macs = full * 9 * c * w + full * 18 * w * w + half * 36 * w * w + features * k,
          .depth = 4,
          .block = "plain",
          .shortcut = "none"};
}

/// Multiplications and depth are in a graph that nobody reads.
Identity script_identity(const Architecture& architecture) {
  return {.name = architecture.name,
          .parameters = architecture.script ? architecture.script->parameters : 0,
          .block = "unknown",
          .shortcut = "unknown"};
}

}  // namespace

Identity closed_form(const Architecture& architecture, const data::Shape& input, int classes) {
  switch (architecture.family) {
    case Family::mlp:
      return mlp_identity(architecture, input, classes);
    case Family::cnn:
      return cnn_identity(architecture, input, classes);
    case Family::residual:
      return residual_identity(architecture, input, classes);
    case Family::script:
      return script_identity(architecture);
  }
  return {};
}

}  // namespace retrial::nn::inline shape
