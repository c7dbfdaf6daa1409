#include "workloads/rl/env/numpy_generator.hpp"

#include <bit>

namespace retrial::rlenv {
namespace {

constexpr std::uint32_t multiplier_a = 0x931e8875, multiplier_b = 0x58f38ded;

constexpr std::uint32_t folded(std::uint32_t value) {
  return value ^ value >> 16;
}

constexpr std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
  return folded(0xca01f9dd * x - 0x4973f715 * y);
}

constexpr std::uint64_t joined_words(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32;
}

constexpr Pcg64::Wide wide(std::uint64_t high, std::uint64_t low) {
  return static_cast<Pcg64::Wide>(high) << 64 | low;
}

}  // namespace

SeedSequence::SeedSequence(std::uint64_t seed) {
  std::uint32_t hash = 0x43b0d7e5;
  const auto hashed = [&hash](std::uint32_t value) {
    value ^= hash;
    hash *= multiplier_a;
    return folded(value * hash);
  };
  // A seed of 64 bits has at most two words, so that none is left once the pool is filled.
  pool_[0] = hashed(static_cast<std::uint32_t>(seed));
  pool_[1] = hashed(static_cast<std::uint32_t>(seed >> 32));
  pool_[2] = hashed(0);
  pool_[3] = hashed(0);
  for (std::size_t from = 0; from < pool_.size(); ++from)
    for (std::size_t to = 0; to < pool_.size(); ++to)
      if (to != from) pool_[to] = mixed(pool_[to], hashed(pool_[from]));
}

std::vector<std::uint32_t> SeedSequence::generate_state(std::size_t words) const {
  std::vector<std::uint32_t> made;
  std::uint32_t hash = 0x8b51f9dd;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint32_t value = pool_[i % pool_.size()] ^ hash;
    hash *= multiplier_b;
    made.push_back(folded(value * hash));
  }
  return made;
}

Pcg64::Pcg64(std::uint64_t seed) {
  const auto words = SeedSequence(seed).generate_state(8);
  const auto word = [&](std::size_t i) { return joined_words(words[2 * i], words[2 * i + 1]); };
  increment_ = wide(word(2), word(3)) << 1 | 1;
  advance();
  state_ += wide(word(0), word(1));
  advance();
}

void Pcg64::advance() {
  state_ = state_ * wide(0x2360ED051FC65DA4, 0x4385DF649FCCF645) + increment_;
}

std::uint64_t Pcg64::next() {
  advance();
  const auto high = static_cast<std::uint64_t>(state_ >> 64), low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

double Pcg64::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
}

void Pcg64::save(nn::StateWriter& to) const {
  to.number("state_high", static_cast<std::uint64_t>(state_ >> 64));
  to.number("state_low", static_cast<std::uint64_t>(state_));
  to.number("increment_high", static_cast<std::uint64_t>(increment_ >> 64));
  to.number("increment_low", static_cast<std::uint64_t>(increment_));
}

void Pcg64::load(nn::StateReader& from) {
  const auto read = [&from](const char* high_name, const char* low_name) {
    const std::uint64_t high = from.number(high_name);
    return wide(high, from.number(low_name));
  };
  state_ = read("state_high", "state_low");
  increment_ = read("increment_high", "increment_low");
}

}  // namespace retrial::rlenv
