#pragma once

#include <cstdint>
#include <span>

/// Draws of a whole resample at once: the bits of Stream, `bounded` and `exponential`, several blocks or items at a
/// time where the machine can (AVX-512 or AVX2, chosen while running). Stream is the definition, and a test holds both
/// equal.
namespace retrial::variance::inline random {

/// The first words of Stream(key, index).
void fill_words(std::uint64_t key, std::uint64_t index, std::span<std::uint64_t> words);
/// bounded(word, n) of each; n from 1. Both spans have one length.
void fill_bounded(std::span<const std::uint64_t> words, std::uint32_t n, std::span<std::uint32_t> result);
/// exponential(word) of each.
void fill_exponentials(std::span<const std::uint64_t> words, std::span<double> result);

/// Which instructions the functions above use here: "avx512", "avx2" or "scalar".
[[nodiscard]] const char* bulk_instructions();
/// For tests and measurements: use at most these from now on. InvalidInput{instructions} for another word.
void limit_bulk_instructions(const char* most);

}  // namespace retrial::variance::inline random
