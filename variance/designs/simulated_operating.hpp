#pragma once

#include <cstdint>
#include <optional>

#include "variance/designs/design.hpp"
#include "variance/sequential/sequential_sign.hpp"

namespace retrial::variance::inline designs {

struct SimulatedOperating {
  Operating mean;             ///< better, against (WORSE), undecided, mean pairs
  double standard_error = 0;  ///< standard error of `better`
  std::int64_t runs = 0;
};

/// Simulates a sequential design on differences: normal differences whose mean gives a win probability p in (0, 1), no
/// ties, no failed trials. Run s draws from Stream(key, s), the same draws for every p. Absent for families on wins,
/// for which `operating` is exact, and for `betting` without a `spread`: the standard deviation of the differences as a
/// share of the width of the declared range, in (0, 1]. The speed of `betting` depends on the spread, not on p alone
/// (differences beyond the range are clipped). `group_permutation` is simulated with the law of t instead of its
/// permutation law, if there are enough permutations to cross at all.
[[nodiscard]] std::optional<SimulatedOperating> simulated_operating(const Design& design, double p, std::uint64_t key,
                                                                    std::int64_t runs = 4'000,
                                                                    std::optional<double> spread = {});

}  // namespace retrial::variance::inline designs
