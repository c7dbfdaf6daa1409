#pragma once

#include <vector>

#include "variance/source_shares.hpp"

/// For .cpp files of source shares.
namespace retrial::variance::share_parts {

/// InvalidInput for options out of range.
void check(const SharesOptions& options);
/// Level, method and, unless nothing was drawn, the percentile interval.
void set_quantiles(Estimate& estimate, const std::vector<double>& drawn, const SharesOptions& options,
                   const char* method);

}  // namespace retrial::variance::share_parts
