#pragma once

#include <optional>
#include <span>
#include <string_view>

/// Effect sizes without unit; absent if the spread is zero or there are too few runs.
namespace retrial::variance::inline wins {

/// (mean - mean) / pooled standard deviation (Cohen 1988).
[[nodiscard]] std::optional<double> cohen_d(std::span<const double> candidate, std::span<const double> baseline);
/// Cohen's d, corrected for bias by the exact factor Gamma(v/2) / (sqrt(v/2) Gamma((v-1)/2)), v = n + m - 2 (Hedges
/// 1981).
[[nodiscard]] std::optional<double> hedges_g(std::span<const double> candidate, std::span<const double> baseline);
/// That factor, for a standard deviation with v degrees of freedom; v > 1.
[[nodiscard]] double hedges_factor(double v);
/// (mean - mean) / standard deviation of the baseline.
[[nodiscard]] std::optional<double> glass_delta(std::span<const double> candidate, std::span<const double> baseline);
/// P(A > B) - P(A < B) over all pairs of runs (Cliff 1993).
[[nodiscard]] double cliff_delta(std::span<const double> candidate, std::span<const double> baseline);
/// Vargha and Delaney 2000: words for P(A > B): "negligible", "small" from .56, "medium" from .64, "large" from .71,
/// symmetric below one half.
[[nodiscard]] std::string_view a12_label(double theta);
/// Difference of medians over the pooled median absolute deviation, 1.4826 MAD (Akinshin 2022).
[[nodiscard]] std::optional<double> median_effect(std::span<const double> candidate, std::span<const double> baseline);

}  // namespace retrial::variance::inline wins
