#pragma once

#include <cstdint>
#include <string>

#include "workloads/nn/shape/outline.hpp"

namespace retrial::nn::inline protocol {

/// "the last batch of 65 training rows has 1".
[[nodiscard]] std::string last_batch_text(std::int64_t rows, std::int64_t smallest);

/// The problem of a network trained on this many rows with a smallest batch of `smallest`: one row of maps of one value
/// has no variance (norms_single_values). `network` is "student cnn8". Empty: none.
[[nodiscard]] std::string last_batch_problem(std::int64_t rows, std::int64_t smallest, const Outline& outline,
                                             const std::string& network);

}  // namespace retrial::nn::inline protocol
