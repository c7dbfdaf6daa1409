#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/digest/sha256.hpp"

namespace retrial::data::inline sets {

/// A task by formula: a fixed network labels normal inputs with one of four classes. Every number is drawn below key 0
/// ("table"), so all machines have the same data and no seed changes it.
///
///     V[j][i] = normal(1, 16 j + i) / 4, U[c][j] = normal(2, 32 c + j) / sqrt(32); class = first largest of U tanh(V
///     x) x[i] of row r = normal(3, 16 r + i) in training, normal(4, 16 r + i) in the test, in float
///
/// with normal(k, n) that of word 0 of block(derive(derive(0, "table"), k), n, 0). No two largest logits are closer
/// than 1.19e-4, so the last bit of a library's tanh decides no label.
struct Teacher4 {
  static constexpr std::size_t features = 16, classes = 4, train_rows = 8192, test_rows = 2048;

  struct Part {
    std::vector<float> inputs;         ///< row by row
    std::vector<std::uint8_t> labels;  ///< below `classes`
    [[nodiscard]] std::span<const float> row(std::size_t r) const {
      return std::span(inputs).subspan(r * features, features);
    }
  };
  Part train, test;
};

/// Computed at the first call (30 ms) and kept.
[[nodiscard]] const Teacher4& teacher4();

/// SHA-256 of training inputs, training labels, test inputs and test labels, one after the other; a constant, known
/// without computing them.
[[nodiscard]] results::Digest teacher4_identity();

}  // namespace retrial::data::inline sets
