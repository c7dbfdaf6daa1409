#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "variance/numbers/estimate.hpp"

/// Cost of a switch: times of a program with it and without it, measured in pairs that alternate.
namespace retrial::variance::inline effects {

inline constexpr std::size_t min_priced_pairs = 3;

/// exp of the mean of log(with / without) over pairs. Its interval is the percentile bootstrap of that mean over pairs
/// (10,000 resamples, 95 %, under `key`), absent below min_priced_pairs. On this scale the price of two switches is the
/// product of the price of each. Throws InvalidInput for no pairs, unequal numbers, or a time that is not positive.
[[nodiscard]] Estimate price_ratio(std::span<const double> with, std::span<const double> without, std::uint64_t key);

enum class PriceVerdict { below, above, inconclusive };

/// Below or above the limit where the whole interval is; inconclusive where it is not, or without an interval.
[[nodiscard]] PriceVerdict price_verdict(const Estimate& ratio, double limit);

/// "below", "above", "inconclusive".
[[nodiscard]] std::string price_verdict_name(PriceVerdict verdict);

/// "1.54x (154 %)": a percentage alone is read as an increase by some and as a ratio by others.
[[nodiscard]] std::string price_text(double ratio);

}  // namespace retrial::variance::inline effects
