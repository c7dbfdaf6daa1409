#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/digest/sha256.hpp"
#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline network {

/// Which weights of one layer live: 1 or 0 a weight, row-major. A weight that was masked never returns.
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

/// Every weight lives.
[[nodiscard]] MaskSet all_live(const Network& network);

/// Eight weights a byte, least significant bit first: the form a mask is stored in.
[[nodiscard]] std::string packed(const LayerMask& mask);
/// The inverse. Throws TrialFailure("prune.mask_damaged") when the number of bytes is not that of `weights`.
[[nodiscard]] LayerMask unpacked(std::string name, std::int64_t weights, std::string_view bytes);

/// The masks as one line of text, "NAME WEIGHTS HEX" a layer, and back. Throws Error{integrity} naming trial and step
/// when the masks read back have another digest than `expected`, or none can be read.
[[nodiscard]] std::string mask_text(const MaskSet& masks);
[[nodiscard]] MaskSet masks_from(const std::string& text, const results::Digest& expected, const std::string& trial,
                                 std::int64_t step);

/// Whether everything that lives in `later` lived in `earlier`: the invariant of a cascade.
[[nodiscard]] bool within(const MaskSet& later, const MaskSet& earlier);

}  // namespace retrial::pruning::inline network
