#pragma once

#include <cstdint>
#include <span>

/// Draws for a whole resample at once, with the same bits as Stream, `bounded` and `exponential`. Several blocks or
/// items are computed at a time if the machine can (AVX-512 or AVX2, selected at run time). Stream is the definition; a
/// test checks that both agree.
namespace retrial::variance::inline random {

/// The first words of Stream(key, index).
void fill_words(std::uint64_t key, std::uint64_t index, std::span<std::uint64_t> words);
/// bounded(word, n) for each word; n >= 1. Both spans have the same length.
void fill_bounded(std::span<const std::uint64_t> words, std::uint32_t n, std::span<std::uint32_t> result);
/// exponential(word) for each word.
void fill_exponentials(std::span<const std::uint64_t> words, std::span<double> result);

/// The instructions that the functions above use on this machine: "avx512", "avx2" or "scalar".
[[nodiscard]] const char* bulk_instructions();
/// For tests and measurements: limits the instructions used from now on. InvalidInput{instructions} for any other name.
void limit_bulk_instructions(const char* limit);

}  // namespace retrial::variance::inline random
