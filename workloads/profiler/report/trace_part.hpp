#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "workloads/profiler/overlap/table.hpp"

namespace retrial::profiler {

struct TraceQuestions {
  std::string file;
  std::int64_t period_ns = usual_period_ns;
  bool by_thread = false;
  std::vector<std::string> rules;
};

/// Where the time of a trace went: operations by layer and device, changes of layer, use of the GPU, launches, the
/// critical path, rules. The cost of the profiler itself is in these numbers, and the page says so.
[[nodiscard]] report::Part trace_part(const Timeline& timeline, const TraceQuestions& questions);

/// Two traces, cell by cell.
[[nodiscard]] report::Part against_part(const Timeline& first, const Timeline& second, const std::string& first_file,
                                        const std::string& second_file);

/// Whether a rule of these fired.
[[nodiscard]] bool any_rule_fires(const Timeline& timeline, const std::vector<std::string>& rules);

}  // namespace retrial::profiler
