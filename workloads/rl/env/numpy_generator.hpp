#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/nn/shape/state.hpp"

/// The generator behind numpy.random.default_rng(seed). It serves environments alone, so that they reset as in
/// Gymnasium; every other draw of the project comes from variance/random/rng.hpp.
namespace retrial::rlenv {

/// numpy.random.SeedSequence of one integer.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t seed);
  [[nodiscard]] std::vector<std::uint32_t> generate_state(std::size_t words) const;

 private:
  std::array<std::uint32_t, 4> pool_{};
};

/// numpy.random.PCG64: PCG XSL RR 128/64.
class Pcg64 {
 public:
  __extension__ using Wide = unsigned __int128;

  explicit Pcg64(std::uint64_t seed = 0);
  [[nodiscard]] std::uint64_t next();
  /// [low, high) by one word, as numpy.random.Generator.uniform; may round up to `high`.
  [[nodiscard]] double uniform(double low, double high);

  [[nodiscard]] Wide state() const { return state_; }
  [[nodiscard]] Wide increment() const { return increment_; }
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  void advance();
  Wide state_ = 0, increment_ = 0;
};

}  // namespace retrial::rlenv
