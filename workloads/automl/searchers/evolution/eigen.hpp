#pragma once

#include <cstddef>
#include <vector>

namespace retrial::automl::inline searchers::inline evolution {

/// Eigenvalues ascending; vectors are the columns of a matrix stored by rows, the largest component of each positive.
struct Eigen {
  std::vector<double> values, vectors;
};
/// Of a symmetric matrix of n rows, by cyclic Jacobi rotations in a fixed order (Golub and Van Loan, 8.5).
[[nodiscard]] Eigen eigen_of(std::vector<double> matrix, std::size_t n);

}  // namespace retrial::automl::inline searchers::inline evolution
