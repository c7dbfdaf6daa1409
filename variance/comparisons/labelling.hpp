#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

/// Permutation laws: all assignments of labels if they can be enumerated, keyed draws otherwise.
namespace retrial::variance::inline comparisons {

struct Relabelling {
  std::int64_t draws = 10'000;            ///< draws from a law that is not enumerated
  std::optional<std::uint64_t> key = {};  ///< key of the draws; InvalidInput{seed} if draws are needed and it is absent
  std::int64_t enumerate_to = std::int64_t{1} << 20;  ///< max assignments that are enumerated
};

/// Number of assignments whose statistic is at most, and at least, the observed one.
struct TailCount {
  std::int64_t at_most = 0, at_least = 0, total = 0;
  bool exact = true;
  [[nodiscard]] double p_less() const { return share(at_most); }
  [[nodiscard]] double p_greater() const { return share(at_least); }

 private:
  // The observed assignment counts as one of the draws: the p is never 0 and keeps the level.
  [[nodiscard]] double share(std::int64_t count) const {
    const double extra = exact ? 0.0 : 1.0;
    return (static_cast<double>(count) + extra) / (static_cast<double>(total) + extra);
  }
};

inline std::uint64_t key_of_draws(const Relabelling& how) {
  require_within("resamples", how.draws, 1'000, 1'000'000'000);
  if (how.key) return *how.key;
  throw InvalidInput("seed", "none", "a seed: there are too many permutations to enumerate");
}

/// The exchanges of permutation(key, n, r), in place: applied to 0, 1, ... with Stream(key, r) they give the same
/// order.
inline void permute(std::span<std::uint32_t> items, Stream& stream) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[bounded(stream.next(), i + std::uint64_t{1})]);
}

/// The next choice of n out of `total` in lexicographic order; false after the last.
inline bool next_choice(std::span<std::uint32_t> chosen, std::uint32_t total) {
  const std::size_t n = chosen.size();
  for (std::size_t i = n; i-- > 0;) {
    if (chosen[i] == total - static_cast<std::uint32_t>(n - i)) continue;
    ++chosen[i];
    for (std::size_t j = i + 1; j < n; ++j) chosen[j] = chosen[j - 1] + 1;
    return true;
  }
  return false;
}

/// Compares `statistic(chosen)` for choices of `n` of `total` items with `observed`; differences up to `slack` are
/// equal.
template <typename Statistic>
TailCount relabelled_tails(std::uint32_t total, std::uint32_t n, const Relabelling& how, double observed, double slack,
                           Statistic&& statistic) {
  TailCount tails;
  const auto count = [&](std::span<const std::uint32_t> chosen) {
    const double value = statistic(chosen);
    tails.at_most += value <= observed + slack ? 1 : 0;
    tails.at_least += value >= observed - slack ? 1 : 0;
    ++tails.total;
  };
  std::vector<std::uint32_t> items(total);
  std::iota(items.begin(), items.end(), 0U);
  const auto chosen = std::span(items).first(n);
  if (log_choose(total, n) <= std::log(static_cast<double>(how.enumerate_to)) + 1e-9) {
    do {
      count(chosen);
    } while (next_choice(chosen, total));
    return tails;
  }
  tails.exact = false;
  const std::uint64_t key = key_of_draws(how);
  for (std::int64_t r = 0; r < how.draws; ++r) {
    std::iota(items.begin(), items.end(), 0U);
    Stream stream(key, static_cast<std::uint64_t>(r));
    permute(items, stream);
    count(chosen);
  }
  return tails;
}

}  // namespace retrial::variance::inline comparisons
