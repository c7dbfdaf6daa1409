#pragma once

#include <string>

#include "results/report/report.hpp"
#include "variance/verdict/verdict.hpp"

/// Words of a verdict that several pages use.
namespace retrial::harness::inline judge::inline verdict {

/// "kd is " BETTER " than scratch"; the word between them is variance::name_of(status).
struct Headline {
  std::string before, after;
};
[[nodiscard]] Headline headline_of(const variance::Verdict& verdict);

[[nodiscard]] report::Tone tone_of(variance::Status status);

/// The design's treatment of a failed trial.
[[nodiscard]] std::string failure_text(variance::FailurePolicy policy);

}  // namespace retrial::harness::inline judge::inline verdict
