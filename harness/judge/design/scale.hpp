#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/judge/design/comparison.hpp"
#include "workloads/interface/score_scale.hpp"

namespace retrial::harness::inline judge::inline design {

/// What the metric tells apart under the keys of a variant, by the declaration of the workload; nothing if this program
/// does not have it.
[[nodiscard]] workloads::ScoreScale scale_of(const StudyView& study, const std::string& variant,
                                             const std::string& metric);

/// The number of test items of a metric that tell as much as all, where some repeat; nothing else, and without the
/// data.
[[nodiscard]] std::optional<std::int64_t> effective_items_of(const StudyView& study, const std::string& variant,
                                                             const std::string& metric);

/// The overlap of the pairs of a variant whose division of the data is redrawn; nothing for fresh data.
[[nodiscard]] std::optional<double> overlap_of(const StudyView& study, const std::string& variant);

/// What a test that takes pairs as independent says where they share rows: "new divisions of the same rows, not new
/// data (every two pairs share rows, overlap 0.797); --test corrected_t is about new data".
[[nodiscard]] std::string about_resamples(double overlap);

/// The largest overlap of pairs that the test of a registered claim takes as independent; nothing if every test fits.
[[nodiscard]] std::optional<double> untested_overlap(const StudyView& study);

/// Sets what is known of the scores before any is read: direction, unit, test items, step, grid and range.
void set_scale(const StudyView& study, Comparison& out);

/// The stored bounds of a metric by attempt: those of exact scores are absent.
using TrialBounds = std::map<std::int64_t, variance::ScoreBound>;
[[nodiscard]] TrialBounds stored_bounds(const results::Store& store, const std::string& metric);
[[nodiscard]] variance::ScoreBound bound_of_trial(const PlannedTrial& trial, const TrialBounds& bounds);

}  // namespace retrial::harness::inline judge::inline design
