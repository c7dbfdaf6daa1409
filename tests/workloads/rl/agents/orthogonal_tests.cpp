// Orthogonal initial weights: products of rows, or of columns where those are fewer.
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/rl/agents/orthogonal.hpp"

namespace retrial::rl_orthogonal_tests {

using namespace retrial::rl;

TEST_CASE("rows, or columns, are orthogonal and as long as the gain") {
  for (const auto& shape : {std::pair<std::size_t, std::size_t>{3, 7}, {7, 3}, {4, 4}}) {
    const auto rows = shape.first, columns = shape.second;  // clang++ 14 captures no structured binding
    const auto matrix = orthogonal_matrix(rows, columns, 1.5, 42);
    REQUIRE(matrix.size() == rows * columns);
    const bool wide = columns > rows;
    const std::size_t vectors = wide ? rows : columns, elements = wide ? columns : rows;
    const auto at = [&](std::size_t k, std::size_t e) { return matrix[wide ? k * columns + e : e * columns + k]; };
    for (std::size_t a = 0; a < vectors; ++a)
      for (std::size_t b = 0; b < vectors; ++b) {
        double product = 0;
        for (std::size_t e = 0; e < elements; ++e)
          product += static_cast<double>(at(a, e)) * static_cast<double>(at(b, e));
        CHECK_THAT(product, WithinAbs(a == b ? 2.25 : 0, 1e-6));
      }
  }
}

TEST_CASE("the first vector is the first draws, in their direction") {  // the diagonal of R is positive
  const auto matrix = orthogonal_matrix(2, 3, 1, 9);
  for (std::uint64_t e = 0; e < 3; ++e) CHECK((matrix[e] > 0) == (variance::normal(variance::block(9, e, 0)[0]) > 0));
  CHECK(orthogonal_matrix(2, 3, 1, 10) != matrix);
}

}  // namespace retrial::rl_orthogonal_tests
