#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retrial::nn::inline shape {

/// A residual network as numbers: every ResNet and wide ResNet is one row of these, none has a class of its own.
///
/// basic: two 3x3 convolutions, each with batch norm (He et al., CVPR 2016). bottleneck: 1x1, 3x3, 1x1 to four times
/// the width, the stride in the middle. wide: batch norm and ReLU before each convolution (Zagoruyko and Komodakis,
/// BMVC 2016), the shortcut taken after the first of them.
/// pad (shortcut A): the map is subsampled and filled up with zero channels, half before and half after. project (B):
/// a 1x1 convolution with batch norm (wide: without) wherever width or stride change.
struct Residual {
  enum class Block { basic, bottleneck, wide };
  enum class Shortcut { pad, project };

  std::int64_t stem = 16;            ///< channels of the first 3x3 convolution
  std::vector<std::int64_t> widths;  ///< 3x3 convolutions of each stage; the second and later ones halve the map
  std::vector<int> blocks;           ///< number in each stage
  Block block = Block::basic;
  Shortcut shortcut = Shortcut::project;
  int window = 0;            ///< side of the average pooling at the end; 0: the whole map
  bool closing_relu = true;  ///< false: blocks end with the sum (an error of paper A), spelled "norelu"
  int depth = 0;             ///< the number in the name
  /// Zero channels before those that a padded shortcut copies, per block, in a network that lost channels. Empty: half
  /// of the missing ones.
  std::vector<std::int64_t> zeros_before = {};

  /// Output channels of a stage.
  [[nodiscard]] std::int64_t out(std::size_t stage) const {
    return widths[stage] * (block == Block::bottleneck ? 4 : 1);
  }
};

/// One block: `in` and `out` channels, `width` of its 3x3 convolutions. "stage2.0": the first block of the second
/// stage.
struct Unit {
  std::string name;
  std::int64_t in = 0, width = 0, out = 0, stride = 1;
  std::int64_t zeros_before = 0;  ///< on a padded shortcut
  bool projects = false;          ///< has a 1x1 convolution on its shortcut
  bool last = false;              ///< the last of its stage
};
[[nodiscard]] std::vector<Unit> units_of(const Residual& net);

/// "resnet20b", "resnet8b:w=8", "resnet26s:norelu", "resnet8x4", "resnet18x", "wrn-28-10"; nothing for anything else.
[[nodiscard]] std::optional<Residual> parse_residual(const std::string& name);

/// The name of the same network without closing ReLUs; nothing if `name` is not a resnet.
[[nodiscard]] std::optional<std::string> without_closing_relu(const std::string& name);

/// The side of a map after a convolution of stride 2 with padding.
[[nodiscard]] constexpr std::int64_t halved(std::int64_t side) {
  return (side + 1) / 2;
}

}  // namespace retrial::nn::inline shape
