#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command.hpp"
#include "harness/plan.hpp"
#include "harness/run_study.hpp"
#include "harness/study.hpp"

namespace retrial::harness {

/// Options that say what is studied: shared by plan, run and check.
[[nodiscard]] std::vector<Option> study_options();
/// Options that say how trials are run: shared by run, replay and check.
[[nodiscard]] std::vector<Option> worker_options();
[[nodiscard]] std::vector<Option> operator+(std::vector<Option> a, std::vector<Option> b);

/// The study that the command line means: a study file or a workload as the only argument, or --command; the other
/// options stand over what the file says.
[[nodiscard]] Study study_from(const Arguments& arguments);
/// The same to be planned and run: refused where nothing could be judged from its pairs.
[[nodiscard]] Study planned_study_from(const Arguments& arguments);

[[nodiscard]] PoolSettings pool_settings(const Arguments& arguments, const determinism::KernelMode& mode,
                                         bool cost_is_judged);
[[nodiscard]] PlanInputs plan_inputs(const Arguments& arguments);
/// Where data sets are looked for: --data, else this folder; of a study, what its key of place names.
[[nodiscard]] std::filesystem::path data_folder(const Arguments& arguments);
[[nodiscard]] std::filesystem::path data_folder(const Study& study, const Arguments& arguments);
[[nodiscard]] std::filesystem::path cache_folder(const Arguments& arguments);

}  // namespace retrial::harness
