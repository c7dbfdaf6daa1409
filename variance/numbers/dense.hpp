#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

/// For .cpp files only: symmetric positive definite matrices of a few thousand rows at most.
namespace retrial::variance::inline numbers {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  ///< row after row
  Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

/// Lower Cholesky factor; absent if the matrix is not positive definite.
inline std::optional<Matrix> cholesky(Matrix a) {
  for (std::size_t j = 0; j < a.rows; ++j) {
    for (std::size_t i = j; i < a.rows; ++i) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i == j && !(sum > 0.0)) return std::nullopt;
      a(i, j) = i == j ? std::sqrt(sum) : sum / a(j, j);
    }
    for (std::size_t k = j + 1; k < a.rows; ++k) a(j, k) = 0.0;
  }
  return a;
}

/// Solves L L' x = b.
inline std::vector<double> solve(const Matrix& l, std::vector<double> b) {
  for (std::size_t i = 0; i < l.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
  for (std::size_t i = l.rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < l.rows; ++k) b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

inline Matrix inverse(const Matrix& l) {
  Matrix result(l.rows, l.rows);
  for (std::size_t j = 0; j < l.rows; ++j) {
    std::vector<double> unit(l.rows, 0.0);
    unit[j] = 1.0;
    const auto column = solve(l, std::move(unit));
    for (std::size_t i = 0; i < l.rows; ++i) result(i, j) = column[i];
  }
  return result;
}

inline double log_determinant(const Matrix& l) {
  double sum = 0.0;
  for (std::size_t i = 0; i < l.rows; ++i) sum += 2.0 * std::log(l(i, i));
  return sum;
}

}  // namespace retrial::variance::inline numbers
