#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/stored/metric_summary.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline show {

/// `retrial show STORE`: the question of one study, its progress and its numbers.
struct StudyPage {
  const StudyView& study;
  const std::vector<PlannedTrial>& trials;
  FailureMessages messages;
  std::vector<MetricSummary> summaries;
  std::string store;
  results::Digest outcome_digest{};
  std::optional<ResultDigest> result_digest;  ///< absent: not computed for this page
};
/// The data: schema retrial.show/1.
[[nodiscard]] report::Part stored_study_part(const StudyPage& page);

}  // namespace retrial::harness::inline show
