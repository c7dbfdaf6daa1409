#pragma once

#include <filesystem>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/plan/plan.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline run::inline options {

/// Options for the program that trials are planned for: shared by plan, run and check.
[[nodiscard]] std::vector<Option> program_options();
/// --worker and --worker-cuda, which program_options() also has.
[[nodiscard]] std::vector<Option> worker_paths();
/// Options for how trials are run: shared by run, replay and check.
[[nodiscard]] std::vector<Option> worker_options();

/// The program that runs trials of this mode: retrial-worker, or retrial-worker-cuda for device = "cuda". Error{usage}
/// where the option of the other program is given.
[[nodiscard]] std::filesystem::path worker_for(const Arguments& arguments, const determinism::KernelMode& mode);
/// Error{usage} for an option that trials of this workload would not read.
void refuse_idle_options(const Arguments& arguments, const workloads::Declaration& declaration);
/// Throws Error{incomparable} for device = "cuda" without a worker for it, or where no device may be used. A dry run
/// starts no worker and looks for none.
[[nodiscard]] PoolSettings pool_settings(const Arguments& arguments, const determinism::KernelMode& mode,
                                         bool cost_is_judged);
/// --keep-every of `run`: seconds between two kept states of a running trial. 0 where a cost is judged: a trial in
/// several pieces costs something else.
[[nodiscard]] double keep_every(const Study& study, const Arguments& arguments, bool cost_is_judged);
/// Fewer trials at a time where a variant has threads of its own, unless the number was given.
void leave_cpus_for_threads(const Study& study, const Arguments& arguments, PoolSettings& pool);
/// One trial at a time where trials of the study share a place and say so; throws Error where they do not say so, or
/// where more than one are asked for.
void keep_apart(const Study& study, const Arguments& arguments, PoolSettings& pool);
/// A study with device = "cuda" can be planned without a worker for it: the build id is then empty.
[[nodiscard]] PlanInputs plan_inputs(const Arguments& arguments, const determinism::KernelMode& mode);
/// --db, else the user's setting, else NAME.db in this folder.
[[nodiscard]] std::filesystem::path store_path(const Arguments& arguments, const Study& study);
/// The folder of a study's data set: the value of its own folder key, else the folder of --data.
[[nodiscard]] std::filesystem::path data_folder(const Study& study, const Arguments& arguments);
/// Refuses --cache where no trial keeps a network: `values` of the variants.
[[nodiscard]] std::filesystem::path cache_folder(const workloads::Declaration& declaration,
                                                 const std::vector<Values>& values, const Arguments& arguments);
[[nodiscard]] std::filesystem::path cache_folder(const Study& study, const Arguments& arguments);

}  // namespace retrial::harness::inline run::inline options
