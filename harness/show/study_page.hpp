#pragma once

#include <string>
#include <vector>

#include "harness/stored/metric_summary.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline show {

/// `retrial show STORE`: what one study asked, how far it came, and its numbers.
struct StudyPage {
  const StudyView& study;
  const std::vector<PlannedTrial>& trials;
  FailureMessages messages;
  std::vector<MetricSummary> summaries;
  std::string store;
  results::Digest outcome_digest{};
};
[[nodiscard]] std::string stored_study_page(const StudyPage& page);
/// The same content; schema retrial.show/1.
[[nodiscard]] Json stored_study_json(const StudyPage& page);

}  // namespace retrial::harness::inline show
