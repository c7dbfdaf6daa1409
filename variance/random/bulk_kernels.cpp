#include "variance/random/bulk_kernels.hpp"

#include <array>

#include "variance/random/rng.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

// Philox on vectors of 64-bit lanes, one block per lane: `mul_epu32` multiplies the low halves and ignores the high
// halves, so that no lane is ever shuffled. The blocks are ordered in the lanes so that an unpack of the two result
// words yields them in sequence.
//
// The logarithm is that of rng.cpp, operation by operation; branches become selections, and conversions of integers
// below 2^52 go through the exponent of 2^52, which is exact. -ffp-contract=off keeps products and sums apart here too.

namespace retrial::variance::inline random::detail {
namespace {

void scalar_words(std::uint64_t key, std::uint64_t index, std::uint64_t* words, std::size_t count) {
  std::uint32_t b = 0;
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2, ++b) {
    const auto pair = block(key, index, b);
    words[i] = pair[0];
    words[i + 1] = pair[1];
  }
  if (i < count) words[i] = block(key, index, b)[0];
}

void scalar_bounded(const std::uint64_t* words, std::uint32_t n, std::uint32_t* result, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<std::uint32_t>(variance::bounded(words[i], n));
}

void scalar_exponentials(const std::uint64_t* words, double* result, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) result[i] = exponential(words[i]);
}

#ifdef __x86_64__

constexpr std::uint64_t fraction_bits = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t bits_of_half = std::uint64_t{1022} << 52, bits_of_2_52 = std::uint64_t{1075} << 52;
constexpr double root_half = 0x1.6a09e667f3bcdp-1, ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
constexpr int terms = 12;
constexpr std::array<double, terms> log_series{1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0,
                                               1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0, 1.0 / 23.0};

std::int64_t lane(std::uint64_t x) {
  return static_cast<std::int64_t>(x);
}

// clang-format off
#define RETRIAL_AVX2 __attribute__((target("avx2")))
#define RETRIAL_AVX512 __attribute__((target("avx512f,avx512dq")))
// clang-format on

RETRIAL_AVX2 void avx2_words(std::uint64_t key, std::uint64_t index, std::uint64_t* words, std::size_t count) {
  const __m256i m0 = _mm256_set1_epi64x(multiplier_0), m1 = _mm256_set1_epi64x(multiplier_1);
  const __m256i low_half = _mm256_set1_epi64x(0xffffffff);
  const __m256i c1 = _mm256_set1_epi64x(low(index)), c2 = _mm256_set1_epi64x(high(index)),
                c3 = _mm256_set1_epi64x(tag_draw);
  std::uint32_t b = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8, b += 4) {
    __m256i x0 = _mm256_set_epi64x(b + 3U, b + 1U, b + 2U, b), x1 = c1, x2 = c2, x3 = c3;
    std::uint32_t k0 = low(key), k1 = high(key);
    for (int round = 0; round < 10; ++round, k0 += weyl_0, k1 += weyl_1) {
      const __m256i p0 = _mm256_mul_epu32(m0, x0), p1 = _mm256_mul_epu32(m1, x2);
      x0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), x1), _mm256_set1_epi64x(k0));
      x2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), x3), _mm256_set1_epi64x(k1));
      x1 = p1;
      x3 = p0;
    }
    const __m256i first = _mm256_or_si256(_mm256_and_si256(x0, low_half), _mm256_slli_epi64(x1, 32));
    const __m256i second = _mm256_or_si256(_mm256_and_si256(x2, low_half), _mm256_slli_epi64(x3, 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + i), _mm256_unpacklo_epi64(first, second));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + i + 4), _mm256_unpackhi_epi64(first, second));
  }
  for (; i < count; i += 2, ++b) {
    const auto pair = block(key, index, b);
    words[i] = pair[0];
    if (i + 1 < count) words[i + 1] = pair[1];
  }
}

RETRIAL_AVX512 void avx512_words(std::uint64_t key, std::uint64_t index, std::uint64_t* words, std::size_t count) {
  const __m512i m0 = _mm512_set1_epi64(multiplier_0), m1 = _mm512_set1_epi64(multiplier_1);
  const __m512i low_half = _mm512_set1_epi64(0xffffffff);
  const __m512i c1 = _mm512_set1_epi64(low(index)), c2 = _mm512_set1_epi64(high(index)),
                c3 = _mm512_set1_epi64(tag_draw);
  const __m512i lanes = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
  std::uint32_t b = 0;
  for (std::size_t i = 0; i < count; i += 16, b += 8) {
    __m512i x0 = _mm512_add_epi64(_mm512_set1_epi64(b), lanes), x1 = c1, x2 = c2, x3 = c3;
    std::uint32_t k0 = low(key), k1 = high(key);
    for (int round = 0; round < 10; ++round, k0 += weyl_0, k1 += weyl_1) {
      const __m512i p0 = _mm512_mul_epu32(m0, x0), p1 = _mm512_mul_epu32(m1, x2);
      x0 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p1, 32), x1, _mm512_set1_epi64(k0), 0x96);
      x2 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), x3, _mm512_set1_epi64(k1), 0x96);
      x1 = p1;
      x3 = p0;
    }
    const __m512i first = _mm512_or_si512(_mm512_and_si512(x0, low_half), _mm512_slli_epi64(x1, 32));
    const __m512i second = _mm512_or_si512(_mm512_and_si512(x2, low_half), _mm512_slli_epi64(x3, 32));
    const std::size_t left = count - i;
    const auto mask = [](std::size_t n) { return static_cast<__mmask8>(n >= 8 ? 0xff : (1U << n) - 1U); };
    _mm512_mask_storeu_epi64(words + i, mask(left), _mm512_unpacklo_epi64(first, second));
    _mm512_mask_storeu_epi64(words + i + 8, mask(left > 8 ? left - 8 : 0), _mm512_unpackhi_epi64(first, second));
  }
}

/// Upper half of word * n, n below 2^32, from two products of 32 bits; the carry stays below 2^64.
RETRIAL_AVX2 void avx2_bounded(const std::uint64_t* words, std::uint32_t n, std::uint32_t* result, std::size_t count) {
  const __m256i bound = _mm256_set1_epi64x(n), even = _mm256_set_epi32(0, 0, 0, 0, 6, 4, 2, 0);
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
    const __m256i upper = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), bound), lower = _mm256_mul_epu32(x, bound);
    const __m256i sum = _mm256_srli_epi64(_mm256_add_epi64(upper, _mm256_srli_epi64(lower, 32)), 32);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result + i),
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(sum, even)));
  }
  scalar_bounded(words + i, n, result + i, count - i);
}

RETRIAL_AVX512 void avx512_bounded(const std::uint64_t* words, std::uint32_t n, std::uint32_t* result,
                                   std::size_t count) {
  const __m512i bound = _mm512_set1_epi64(n);
  for (std::size_t i = 0; i < count; i += 8) {
    const auto mask = static_cast<__mmask8>(count - i >= 8 ? 0xff : (1U << (count - i)) - 1U);
    const __m512i x = _mm512_maskz_loadu_epi64(mask, words + i);
    const __m512i upper = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), bound), lower = _mm512_mul_epu32(x, bound);
    const __m512i sum = _mm512_srli_epi64(_mm512_add_epi64(upper, _mm512_srli_epi64(lower, 32)), 32);
    _mm512_mask_cvtepi64_storeu_epi32(result + i, mask, sum);
  }
}

RETRIAL_AVX2 void avx2_exponentials(const std::uint64_t* words, double* result, std::size_t count) {
  const __m256d two_52 = _mm256_set1_pd(0x1p52), one = _mm256_set1_pd(1.0);
  const __m256i exponent_52 = _mm256_set1_epi64x(lane(bits_of_2_52));
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
    const __m256d whole =
        _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(word, 12), exponent_52)), two_52);
    const __m256d u = _mm256_mul_pd(_mm256_add_pd(whole, _mm256_set1_pd(0.5)), _mm256_set1_pd(0x1p-52));
    const __m256i bits = _mm256_castpd_si256(u);
    const __m256d half = _mm256_castsi256_pd(_mm256_or_si256(
        _mm256_and_si256(bits, _mm256_set1_epi64x(lane(fraction_bits))), _mm256_set1_epi64x(lane(bits_of_half))));
    const __m256d small = _mm256_cmp_pd(half, _mm256_set1_pd(root_half), _CMP_LT_OQ);
    const __m256d f = _mm256_blendv_pd(half, _mm256_add_pd(half, half), small);
    const __m256d exponent =
        _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(bits, 52), exponent_52)),
                      _mm256_set1_pd(0x1p52 + 1022.0));
    const __m256d e = _mm256_sub_pd(exponent, _mm256_and_pd(small, one));
    const __m256d s = _mm256_div_pd(_mm256_sub_pd(f, one), _mm256_add_pd(f, one)), square = _mm256_mul_pd(s, s);
    __m256d series = _mm256_set1_pd(log_series[terms - 1]);
    for (int k = terms - 2; k >= 0; --k)
      series = _mm256_add_pd(_mm256_mul_pd(series, square), _mm256_set1_pd(log_series[static_cast<std::size_t>(k)]));
    const __m256d rest =
        _mm256_add_pd(_mm256_mul_pd(_mm256_add_pd(s, s), series), _mm256_mul_pd(e, _mm256_set1_pd(ln2_low)));
    const __m256d log = _mm256_add_pd(_mm256_mul_pd(e, _mm256_set1_pd(ln2_high)), rest);
    _mm256_storeu_pd(result + i, _mm256_xor_pd(log, _mm256_set1_pd(-0.0)));
  }
  scalar_exponentials(words + i, result + i, count - i);
}

RETRIAL_AVX512 void avx512_exponentials(const std::uint64_t* words, double* result, std::size_t count) {
  const __m512d one = _mm512_set1_pd(1.0);
  for (std::size_t i = 0; i < count; i += 8) {
    const auto mask = static_cast<__mmask8>(count - i >= 8 ? 0xff : (1U << (count - i)) - 1U);
    const __m512i word = _mm512_maskz_loadu_epi64(mask, words + i);
    const __m512d u = _mm512_mul_pd(_mm512_add_pd(_mm512_cvtepu64_pd(_mm512_srli_epi64(word, 12)), _mm512_set1_pd(0.5)),
                                    _mm512_set1_pd(0x1p-52));
    const __m512i bits = _mm512_castpd_si512(u);
    const __m512d half = _mm512_castsi512_pd(_mm512_or_si512(
        _mm512_and_si512(bits, _mm512_set1_epi64(lane(fraction_bits))), _mm512_set1_epi64(lane(bits_of_half))));
    const __mmask8 small = _mm512_cmp_pd_mask(half, _mm512_set1_pd(root_half), _CMP_LT_OQ);
    const __m512d f = _mm512_mask_add_pd(half, small, half, half);
    const __m512d exponent = _mm512_sub_pd(_mm512_cvtepu64_pd(_mm512_srli_epi64(bits, 52)), _mm512_set1_pd(1022.0));
    const __m512d e = _mm512_mask_sub_pd(exponent, small, exponent, one);
    const __m512d s = _mm512_div_pd(_mm512_sub_pd(f, one), _mm512_add_pd(f, one)), square = _mm512_mul_pd(s, s);
    __m512d series = _mm512_set1_pd(log_series[terms - 1]);
    for (int k = terms - 2; k >= 0; --k)
      series = _mm512_add_pd(_mm512_mul_pd(series, square), _mm512_set1_pd(log_series[static_cast<std::size_t>(k)]));
    const __m512d rest =
        _mm512_add_pd(_mm512_mul_pd(_mm512_add_pd(s, s), series), _mm512_mul_pd(e, _mm512_set1_pd(ln2_low)));
    const __m512d log = _mm512_add_pd(_mm512_mul_pd(e, _mm512_set1_pd(ln2_high)), rest);
    _mm512_mask_storeu_pd(result + i, mask, _mm512_xor_pd(log, _mm512_set1_pd(-0.0)));
  }
}

#endif

}  // namespace

BulkKernels scalar_kernels() {
  return {scalar_words, scalar_bounded, scalar_exponentials};
}

#ifdef __x86_64__
BulkKernels avx2_kernels() {
  return {avx2_words, avx2_bounded, avx2_exponentials};
}

BulkKernels avx512_kernels() {
  return {avx512_words, avx512_bounded, avx512_exponentials};
}
#endif

}  // namespace retrial::variance::inline random::detail
