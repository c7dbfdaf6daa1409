#include "workloads/pipeline/methods/guard.hpp"

#include <array>

#include "determinism/digest/psum2.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::pipeline::inline methods {

std::uint64_t WeightGuard::digest_of(std::span<const std::byte> weights) {
  const std::array<std::int64_t, 1> size{static_cast<std::int64_t>(weights.size())};
  return determinism::psum2(determinism::DType::uint8, size, weights).d0;
}

WeightGuard::Receipt WeightGuard::at_forward(std::uint64_t version, std::span<const std::byte> weights) const {
  return {version, mode_ == GuardMode::digest ? digest_of(weights) : 0};
}

void WeightGuard::at_backward(const Receipt& receipt, std::uint64_t version, std::span<const std::byte> weights,
                              std::int64_t sample) const {
  if (mode_ == GuardMode::off) return;
  const auto refuse = [&](const std::string& what) {
    throw workloads::TrialFailure("pipeline.guard",
                                  name_ + ", sample " + std::to_string(sample) +
                                      ": the backward does not read the weights of its forward: " + what);
  };
  if (version != receipt.version)
    refuse("version " + std::to_string(version) + ", not " + std::to_string(receipt.version));
  if (mode_ == GuardMode::digest && digest_of(weights) != receipt.digest)
    refuse("digest " + results::hex16(digest_of(weights)) + ", not " + results::hex16(receipt.digest) +
           ", at the same version " + std::to_string(version));
}

}  // namespace retrial::pipeline::inline methods
