#pragma once

#include <cstdint>
#include <optional>

#include "variance/sequential/sequential_sign.hpp"
#include "variance/verdict/design.hpp"

namespace retrial::variance::inline verdict {

struct SimulatedOperating {
  Operating mean;             ///< better, against (WORSE), undecided, mean pairs
  double standard_error = 0;  ///< of `better`
  std::int64_t runs = 0;
};

/// A sequential design on differences, simulated: normal differences whose mean gives a chance p of a win, no ties, no
/// failed trials. p in (0, 1). Run s draws from Stream(key, s), the same draws for every p. Nothing of families on
/// wins, for which `operating` is exact, and of `betting` without a `spread`, the standard deviation of the differences
/// as a share of the width of the declared range, in (0, 1]: how fast it is depends on that, and no p tells it
/// (differences beyond the range are cut there). `group_permutation` is simulated with the law of t in place of that of
/// its permutations, where there are enough of them to cross at all.
[[nodiscard]] std::optional<SimulatedOperating> simulated_operating(const Design& design, double p, std::uint64_t key,
                                                                    std::int64_t runs = 4'000,
                                                                    std::optional<double> spread = {});

}  // namespace retrial::variance::inline verdict
