#pragma once

#include <array>
#include <cstdint>

namespace retrial::results {

using Sha256State = std::array<std::uint32_t, 8>;

/// FIPS 180-4, 6.2.2: folds one block of 64 bytes into the state.
void sha256_block_portable(Sha256State& state, const std::uint8_t* block);

/// The same on the SHA instructions of x86; only where sha256_instructions() says true.
void sha256_block_x86(Sha256State& state, const std::uint8_t* block);
[[nodiscard]] bool sha256_instructions();

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
extern const std::array<std::uint32_t, 64> sha256_constants;

}  // namespace retrial::results
