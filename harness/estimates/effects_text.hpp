#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/effects/effect_sizes.hpp"

/// Effect sizes and the steadier side, as in pages and documents.
namespace retrial::harness::inline estimates {

/// Over the runs with a finite score; for pairs, over those whose runs both have one.
struct MeasuredEffects {
  std::string candidate, baseline;
  std::int64_t candidate_runs = 0, baseline_runs = 0;
  variance::Effects effects;
};

struct ShownEffects {
  bool standardized = true, ordinal = true, spread = true;
  std::string (*interval)(const variance::Estimate&);  ///< an interval as the page writes it
};
/// One standardized and one ordinal size, and the ratio of the spreads, as far as they are shown and exist.
[[nodiscard]] std::vector<report::Fact> effect_facts(const MeasuredEffects& measured, const ShownEffects& shown);
/// All of them; null where nothing was measured.
[[nodiscard]] Json effects_document(const std::optional<MeasuredEffects>& measured);

}  // namespace retrial::harness::inline estimates
