#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#ifdef __x86_64__
#include <immintrin.h>
#define RETRIAL_LANES __attribute__((target("avx2,fma")))
#define RETRIAL_LANES_INLINE __attribute__((target("avx2,fma"), always_inline)) inline
#else
#define RETRIAL_LANES
#define RETRIAL_LANES_INLINE inline
#endif

namespace retrial::determinism::inline portable {

/// 32 bytes of numbers under IEEE arithmetic with fused multiply-add. For .cpp files that compute with them inside
/// functions marked RETRIAL_LANES: an attribute of functions, because a flag of the file would also compile the inline
/// functions of the standard library for a CPU that the other files do not demand.
template <typename T>
struct LanesOf {
  static constexpr std::size_t count = 32 / sizeof(T);
  using Type = std::array<T, count>;
};

#ifdef __x86_64__

template <>
struct LanesOf<float> {
  static constexpr std::size_t count = 8;
  using Type = __m256;
};
template <>
struct LanesOf<double> {
  static constexpr std::size_t count = 4;
  using Type = __m256d;
};

// clang-format off
RETRIAL_LANES_INLINE __m256 load(const float* from) { return _mm256_loadu_ps(from); }
RETRIAL_LANES_INLINE __m256d load(const double* from) { return _mm256_loadu_pd(from); }
RETRIAL_LANES_INLINE void store(float* to, __m256 x) { _mm256_storeu_ps(to, x); }
RETRIAL_LANES_INLINE void store(double* to, __m256d x) { _mm256_storeu_pd(to, x); }
RETRIAL_LANES_INLINE __m256 repeated(const float* x) { return _mm256_broadcast_ss(x); }
RETRIAL_LANES_INLINE __m256d repeated(const double* x) { return _mm256_broadcast_sd(x); }
RETRIAL_LANES_INLINE __m256 fused(__m256 x, __m256 y, __m256 z) { return _mm256_fmadd_ps(x, y, z); }
RETRIAL_LANES_INLINE __m256d fused(__m256d x, __m256d y, __m256d z) { return _mm256_fmadd_pd(x, y, z); }
// clang-format on

#else

template <typename T>
std::array<T, 32 / sizeof(T)> load(const T* from) {
  std::array<T, 32 / sizeof(T)> x;
  for (T& lane : x) lane = *from++;
  return x;
}
template <typename T, std::size_t n>
void store(T* to, const std::array<T, n>& x) {
  for (const T lane : x) *to++ = lane;
}
template <typename T>
std::array<T, 32 / sizeof(T)> repeated(const T* x) {
  std::array<T, 32 / sizeof(T)> result;
  result.fill(*x);
  return result;
}
template <typename T, std::size_t n>
std::array<T, n> fused(const std::array<T, n>& x, const std::array<T, n>& y, std::array<T, n> z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return z;
}

#endif

}  // namespace retrial::determinism::inline portable
