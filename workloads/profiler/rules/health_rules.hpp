#pragma once

#include "workloads/profiler/rules/captures.hpp"
#include "workloads/profiler/rules/rule.hpp"

namespace retrial::profiler::inline rules {

[[nodiscard]] const std::vector<RuleText>& health_rules();
/// Adds the result of each of these rules that is one on health, and its hits.
void evaluate_health(const Captures& captures, const std::vector<std::string>& names, Health& to);

}  // namespace retrial::profiler::inline rules
