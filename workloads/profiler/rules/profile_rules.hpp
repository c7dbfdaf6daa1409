#pragma once

#include "workloads/profiler/rules/rule.hpp"
#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline rules {

/// Rules on the use of the machine, which a trace is enough for.
[[nodiscard]] const std::vector<RuleText>& profile_rules();
/// Those of `known` in a list: "default" is all, "none" none. Error{usage} for an unknown name, with the nearest.
[[nodiscard]] std::vector<std::string> asked_rules(const std::vector<std::string>& names,
                                                   const std::vector<RuleText>& known);
[[nodiscard]] std::vector<RuleResult> evaluate_rules(const Timeline& timeline, const std::vector<std::string>& names);

}  // namespace retrial::profiler::inline rules
