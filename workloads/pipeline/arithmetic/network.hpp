#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace retrial::pipeline::inline arithmetic {

/// One stage: y = f(N(W x + b)), or x + f(N(W x + b)) with equal sizes, where f is tanh or nothing and N a
/// normalization or nothing. Of an image x: the matrix is applied to the mean of each channel, or, with `maps`, y =
/// relu(N(conv(x) + b)) with 3x3 kernels. N and images are for LibTorch.
struct Layer {
  std::int64_t in = 1, out = 1;  ///< values of a sample
  bool bias = true, tanh = true, residual = false;
  std::int64_t groups = 0;  ///< groups of outputs (channels) normalized together, then scaled and shifted one by one
  std::int64_t channels = 0, height = 0, width = 0;  ///< shape of an image x
  std::int64_t maps = 0, stride = 1;                 ///< outputs of the convolution

  /// Sizes of the weights as a matrix, an output per row.
  [[nodiscard]] std::int64_t rows() const { return maps > 0 ? maps : out; }
  [[nodiscard]] std::int64_t columns() const { return maps > 0 ? 9 * channels : channels > 0 ? channels : in; }
  [[nodiscard]] std::int64_t weights() const { return rows() * columns(); }
  [[nodiscard]] std::int64_t parameters() const {
    return weights() + (bias ? rows() : 0) + (groups > 0 ? 2 * rows() : 0);
  }
  /// Multiplications of a forward.
  [[nodiscard]] std::int64_t products() const { return weights() * (out / rows()); }
  /// Values a backward needs in addition to x: the active ones; before a normalization too, with mean and scale of each
  /// group; the means of an image.
  [[nodiscard]] std::int64_t kept() const {
    return out + (groups > 0 ? out + 2 * groups : 0) + (maps == 0 ? channels : 0);
  }
};

using Network = std::vector<Layer>;

/// The network of the study: stage 0 tanh, stages 1 to S - 2 residual with tanh, the last one linear with `classes`
/// outputs. One stage alone is the linear classifier.
[[nodiscard]] Network study_network(std::int64_t stages, std::int64_t width, std::int64_t features,
                                    std::int64_t classes);
/// The network for images: six convolutions of 16, 16, 32, 32, 64, 64 channels, stride 2 where they become more, then
/// the mean of each channel and a linear layer.
[[nodiscard]] Network image_network(std::int64_t channels, std::int64_t height, std::int64_t width,
                                    std::int64_t classes);
inline constexpr std::int64_t image_stages = 7;

enum class Norm { none, group, layer };
/// With a normalization in all stages but the last: of all outputs of a sample (layer), or of groups (group): of four
/// outputs, or of four channels of the first convolution and proportionally more of wider ones. A convolution that is
/// normalized has no bias.
[[nodiscard]] Network normalized(Network network, Norm norm);
[[nodiscard]] std::int64_t parameters_of(const Network& network);

/// Initial parameters of stage s: weights of variance 1/4 / columns, of convolutions 2 / (9 maps) (he_fan_out), element
/// e of the matrix row by row under derive(seed, "stage<s>.weight"); biases and shifts 0, scales 1. A matrix is stored
/// as the kernels read it (kernels.hpp), a convolution row by row; bias, scales and shifts follow.
[[nodiscard]] std::vector<double> initial_parameters(const Layer& layer, std::int64_t stage, std::uint64_t seed);

[[nodiscard]] std::string stage_name(std::int64_t stage);

}  // namespace retrial::pipeline::inline arithmetic
