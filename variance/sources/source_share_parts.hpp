#pragma once

#include <vector>

#include "variance/random/rng.hpp"
#include "variance/sources/source_shares.hpp"

/// For .cpp files of source shares.
namespace retrial::variance::inline sources::share_parts {

/// InvalidInput for options out of range.
void check(const SharesOptions& options);
/// Sets level, method and, unless nothing was drawn, the percentile interval.
void set_quantiles(Estimate& estimate, const std::vector<double>& drawn, const SharesOptions& options,
                   const char* method);

/// Warns where intervals of variances by the method of `options` cover less than their level [measured, 1,000 tables a
/// point]. `fewest`: draws of the source that has fewest; `pivotal`: the design has pivotal intervals.
void warn_of_coverage(SourceShares& shares, const SharesOptions& options, std::int64_t fewest, bool pivotal);

/// Chi-squared from words of the generator alone: pairs of degrees of freedom are exponentials, an odd one is z^2.
/// Above 1,000 degrees of freedom, where that is slow, by the cube of Wilson and Hilferty 1931: its quantiles between
/// .0005 and .9995 have a relative error below 3e-5 there [measured].
[[nodiscard]] double chi_squared(Stream& draws, double df);

}  // namespace retrial::variance::inline sources::share_parts
