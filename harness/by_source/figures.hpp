#pragma once

#include "harness/by_source/study.hpp"
#include "results/report/report.hpp"

/// Drawings with one line per source, group or kind of run.
namespace retrial::harness::inline by_source {

/// The share of each source, with a bar over its interval.
[[nodiscard]] report::Figure share_figure(const SourceStudy& study, const VariantSources& variant);
/// Every run as a symbol, on one line per source (oat) or group.
[[nodiscard]] report::Figure spread_figure(const SourceStudy& study, const VariantSources& variant);
/// The mean of each group, with a bar over its interval.
[[nodiscard]] report::Figure group_figure(const SourceStudy& study, const VariantSources& variant);

}  // namespace retrial::harness::inline by_source
