#pragma once

#include <cstdint>
#include <span>

namespace retrial::variance::inline two_variants {

/// Whether the labellings of n + m runs without ties can be counted in 64 bits.
[[nodiscard]] bool rank_sum_law_counts(std::int64_t n, std::int64_t m);
/// P(U <= u), u = 0 .. n m, of Mann and Whitney's U when every labelling is as likely as the other and nothing is tied;
/// P(U >= u) is that of n m - u. Counted in integers: the coefficients of the product of (1 - z^(m+i)) / (1 - z^i),
/// i = 1 .. n. The law of the last n and m is kept, for many claims and simulations ask for one: it holds until the
/// next call in this thread.
[[nodiscard]] std::span<const double> rank_sum_at_most(std::int64_t n, std::int64_t m);

}  // namespace retrial::variance::inline two_variants
