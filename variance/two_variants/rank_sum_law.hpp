#pragma once

#include <cstdint>
#include <span>

namespace retrial::variance::inline two_variants {

/// True if the labellings of n + m runs without ties can be counted in 64 bits.
[[nodiscard]] bool rank_sum_law_counts(std::int64_t n, std::int64_t m);
/// P(U <= u), u = 0 .. n m, of Mann and Whitney's U when all labellings are equally likely and nothing is tied; P(U >=
/// u) = P(U <= n m - u). Counted in integers: the coefficients of the product of (1 - z^(m+i)) / (1 - z^i), i = 1 .. n.
/// The law of the last n and m is cached per thread, since many claims and simulations use the same one: the reference
/// is valid until the next call in this thread.
[[nodiscard]] std::span<const double> rank_sum_at_most(std::int64_t n, std::int64_t m);

}  // namespace retrial::variance::inline two_variants
