#include "results/sha256_block.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace retrial::results {

#if defined(__x86_64__)

bool sha256_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool sse41 = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0 && (c & bit_SSSE3) != 0;
  return sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// Four rounds at a time: m[0..3] are the sixteen words of the message schedule that are alive. The instructions keep
// the state as (a, b, e, f) and (c, d, g, h), highest lane first (Intel, "SHA Extensions", 2013).
__attribute__((target("sha,sse4.1,ssse3"))) void sha256_block_x86(Sha256State& state, const std::uint8_t* block) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto load = [](const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); };
  const __m128i dcba = load(state.data()), hgfe = load(state.data() + 4);
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  const __m128i abef_before = abef, cdgh_before = cdgh;

  __m128i m[4];
  for (int i = 0; i < 4; ++i) m[i] = _mm_shuffle_epi8(load(block + 16 * i), swap_bytes);
  for (unsigned i = 0; i < 16; ++i) {
    const __m128i words = m[i % 4];
    const __m128i sum = _mm_add_epi32(words, load(sha256_constants.data() + 4 * i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    const __m128i seventh = _mm_alignr_epi8(m[(i + 3) % 4], m[(i + 2) % 4], 4);
    m[i % 4] =
        _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(words, m[(i + 1) % 4]), seventh), m[(i + 3) % 4]);
  }
  abef = _mm_add_epi32(abef, abef_before), cdgh = _mm_add_epi32(cdgh, cdgh_before);

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool sha256_instructions() {
  return false;
}
void sha256_block_x86(Sha256State& state, const std::uint8_t* block) {
  sha256_block_portable(state, block);
}

#endif

}  // namespace retrial::results
