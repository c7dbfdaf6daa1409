#include "workloads/rl/agents/orthogonal.hpp"

#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::rl::inline agents {
namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Gram and Schmidt, twice, so that nothing of the others is left by rounding.
void make_orthonormal(std::vector<std::vector<double>>& vectors) {
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < k; ++j) {
        const double share = product(vectors[k], vectors[j]);
        for (std::size_t i = 0; i < vectors[k].size(); ++i) vectors[k][i] -= share * vectors[j][i];
      }
    const double length = std::sqrt(product(vectors[k], vectors[k]));
    for (double& value : vectors[k]) value /= length;
  }
}

}  // namespace

std::vector<float> orthogonal_matrix(std::size_t rows, std::size_t columns, double gain, std::uint64_t key) {
  const bool wide = columns > rows;
  std::vector<std::vector<double>> vectors(wide ? rows : columns, std::vector<double>(wide ? columns : rows));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      (wide ? vectors[r][c] : vectors[c][r]) = variance::normal(variance::block(key, r * columns + c, 0)[0]);
  make_orthonormal(vectors);
  std::vector<float> made;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      made.push_back(static_cast<float>(gain * (wide ? vectors[r][c] : vectors[c][r])));
  return made;
}

}  // namespace retrial::rl::inline agents
