#pragma once

#include "harness/check/other_cpus.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline check {

/// Page of check --cpu, and the document retrial.cpus/1.
[[nodiscard]] report::Part cpus_part(const Study& study, const CheckSettings& settings,
                                     const std::vector<Model>& models, const std::vector<CpuReport>& reports);

/// check --cpu list, and the document retrial.cpu_models/1.
[[nodiscard]] report::Part cpu_models_part(const std::vector<Model>& models);

/// 1 where a CPU differs, else 5 where a trial failed, else 3 where a CPU is undecided, else 0.
[[nodiscard]] int cpus_exit(const std::vector<CpuReport>& reports);

}  // namespace retrial::harness::inline check
