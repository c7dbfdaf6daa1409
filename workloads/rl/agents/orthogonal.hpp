#pragma once

#include <cstdint>
#include <vector>

namespace retrial::rl::inline agents {

/// `gain` times a matrix whose rows are orthonormal, or its columns where those are fewer: Q of the QR decomposition of
/// normal numbers, with a positive diagonal of R. Row by row; element e draws from word 0 of block(key, e, 0).
[[nodiscard]] std::vector<float> orthogonal_matrix(std::size_t rows, std::size_t columns, double gain,
                                                   std::uint64_t key);

}  // namespace retrial::rl::inline agents
