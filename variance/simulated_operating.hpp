#pragma once

#include <cstdint>
#include <optional>

#include "variance/design.hpp"
#include "variance/sequential_sign.hpp"

namespace retrial::variance {

struct SimulatedOperating {
  Operating mean;             ///< better, against (WORSE), undecided, mean pairs
  double standard_error = 0;  ///< of `better`
  std::int64_t runs = 0;
};

/// A sequential design on differences, simulated: normal differences of unit variance whose mean gives a chance p of a
/// win, no ties, no failed trials. p in (0, 1). Run s draws from Stream(key, s), the same draws for every p. Nothing of
/// families on wins, for which `operating` is exact, and of `betting`: how fast it is depends on how far the scores
/// spread in their declared range, which no p tells.
[[nodiscard]] std::optional<SimulatedOperating> simulated_operating(const Design& design, double p, std::uint64_t key,
                                                                    std::int64_t runs = 4'000);

}  // namespace retrial::variance
