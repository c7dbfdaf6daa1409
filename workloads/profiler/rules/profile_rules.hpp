#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

/// What a profile says about the use of the machine. Names and limits follow the public catalogue of Amazon SageMaker
/// Debugger; where that samples a counter, ours measures the time.
namespace retrial::profiler::inline rules {

struct RuleResult {
  std::string rule;
  std::optional<bool> fired;  ///< nothing where it could not be evaluated
  std::string finding;        ///< value, limit, and what stands beside them
};

struct RuleText {
  std::string name, fires_when;
};
[[nodiscard]] const std::vector<RuleText>& profile_rules();
/// The rules of a list: "default" is all, "none" none. Error{usage} for an unknown name, with the nearest.
[[nodiscard]] std::vector<std::string> asked_rules(const std::vector<std::string>& names);
[[nodiscard]] std::vector<RuleResult> evaluate_rules(const Timeline& timeline, const std::vector<std::string>& names);

}  // namespace retrial::profiler::inline rules
