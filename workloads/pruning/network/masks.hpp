#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/digest/sha256.hpp"
#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline network {

/// The live weights of one layer: 1 or 0 per weight, row-major. A masked weight never becomes live again.
struct LayerMask {
  std::string name;
  std::vector<std::uint8_t> bits;

  [[nodiscard]] std::int64_t live() const;
  bool operator==(const LayerMask&) const = default;
};

/// The masks of a network, in the order of its layers.
struct MaskSet {
  std::vector<LayerMask> layers;

  [[nodiscard]] std::int64_t live() const;
  [[nodiscard]] std::int64_t weights() const;
  /// SHA-256 of every layer's name, a zero byte, its number of weights (u64) and its packed bits.
  [[nodiscard]] results::Digest digest() const;
  bool operator==(const MaskSet&) const = default;
};

/// Masks with every weight live.
[[nodiscard]] MaskSet all_live(const Network& network);

/// The stored form of a mask: eight weights per byte, least significant bit first.
[[nodiscard]] std::string packed(const LayerMask& mask);
/// The inverse. Throws TrialFailure("prune.mask_damaged") if the number of bytes does not fit `weights`.
[[nodiscard]] LayerMask unpacked(std::string name, std::int64_t weights, std::string_view bytes);

/// The masks as one line of text, "NAME WEIGHTS HEX" per layer, and back. Throws Error{integrity} naming trial and step
/// if the masks cannot be read or have another digest than `expected`.
[[nodiscard]] std::string mask_text(const MaskSet& masks);
[[nodiscard]] MaskSet masks_from(const std::string& text, const results::Digest& expected, const std::string& trial,
                                 std::int64_t step);

/// Whether every weight that is live in `later` was live in `earlier`: the invariant of a cascade.
[[nodiscard]] bool within(const MaskSet& later, const MaskSet& earlier);

}  // namespace retrial::pruning::inline network
