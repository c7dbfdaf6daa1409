#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace retrial::pipeline::inline methods {

/// off: no check. version: numbers of versions are compared. digest: the bytes too, so that a write unknown to
/// the engine is found; costs a pass over the weights at each forward and backward.
enum class GuardMode { off, version, digest };

/// Checks that a backward reads the weights of its forward. For any workload: put it around a pair of passes that
/// promise equal weights.
class WeightGuard {
 public:
  /// The weights read by a forward.
  struct Receipt {
    std::uint64_t version = 0, digest = 0;
  };

  /// Digest of weights, as in a receipt.
  [[nodiscard]] static std::uint64_t digest_of(std::span<const std::byte> weights);

  /// `name` is that of the parameter, for the message.
  WeightGuard(GuardMode mode, std::string name) : mode_(mode), name_(std::move(name)) {}

  [[nodiscard]] Receipt at_forward(std::uint64_t version, std::span<const std::byte> weights) const;
  /// Throws TrialFailure("pipeline.guard") naming parameter, sample and both versions or digests.
  void at_backward(const Receipt& receipt, std::uint64_t version, std::span<const std::byte> weights,
                   std::int64_t sample) const;

 private:
  GuardMode mode_;
  std::string name_;
};

}  // namespace retrial::pipeline::inline methods
