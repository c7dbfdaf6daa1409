#pragma once

#include <cstdint>

namespace retrial::determinism::inline portable {

/// Element (i, j) is data[i * row_stride + j * column_stride]: any view of a matrix; a stride of 0 repeats.
template <typename T>
struct Matrix {
  T* data;
  std::int64_t rows, columns, row_stride, column_stride;

  [[nodiscard]] Matrix transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

/// result = beta * self + alpha * (a b).
template <typename T>
struct Product {
  Matrix<const T> a, b;
  Matrix<T> result;  ///< rows of a, columns of b; must overlap neither
  T alpha = 1, beta = 0;
  Matrix<const T> self{};  ///< the shape of result, or result itself; not read if beta is 0
};

/// The number of terms that one chain sums.
inline constexpr std::int64_t terms_of_block = 256;

/// Each element of a b is summed in one order, which depends on the number of terms alone, not on shape, place, strides
/// or processor: the terms 256 q to 256 q + 255 by a chain of std::fma in increasing order that starts at 0, and the
/// sums of these blocks by additions in increasing q. Then alpha * sum, and std::fma(beta, self, alpha * sum) unless
/// beta is 0. Hence a row of a batch has the bits that it has alone. T is float or double; needs AVX2 and FMA on
/// x86-64. The error of a sum of k terms is at most (256 + k / 256) times 2^-24 (double: 2^-53) of the sum of the
/// terms' magnitudes, to first order (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2: blocked
/// summation).
template <typename T>
void multiply(const Product<T>& product);

/// The same sum of x[i * x_stride] * y[i * y_stride] over i < count.
template <typename T>
[[nodiscard]] T dot_product(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t count);

}  // namespace retrial::determinism::inline portable
