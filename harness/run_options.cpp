#include "harness/run_options.hpp"

#include <algorithm>

#include "determinism/manifest.hpp"
#include "harness/host.hpp"
#include "harness/settings.hpp"
#include "harness/study_options.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {

std::vector<Option> program_options() {
  return {
      {.name = "program-label",
       .value_name = "NAME",
       .meaning = "declare different builds of the program equal under this name"},
      {.name = "max-trials", .value_name = "N", .meaning = "largest plan that is accepted (default 100000)"},
      {.name = "worker", .value_name = "PATH", .meaning = "the worker program (default: beside retrial)"},
  };
}

std::vector<Option> worker_options() {
  return {
      {.name = "jobs",
       .letter = 'j',
       .value_name = "N",
       .meaning = "trials side by side (default: CPUs / threads of the mode; 1 when a cost is judged)"},
      {.name = "timeout",
       .value_name = "S",
       .meaning = "end a trial that gives no sign of life for S seconds (default 600; none for programs of your own)"},
      {.name = "max-memory", .value_name = "MIB", .meaning = "end a trial that grows beyond this"},
      {.name = "fresh", .meaning = "a new worker process for every trial"},
      {.name = "cache",
       .value_name = "DIR",
       .meaning =
           "trained networks that trials share (default: retrial in your cache folder); deleting it changes no result"},
  };
}

PoolSettings pool_settings(const Arguments& arguments, const determinism::KernelMode& mode, bool cost_is_judged) {
  const int side_by_side = cost_is_judged ? 1 : std::max(1, usable_cpus() / std::max(1, mode.threads));
  const int jobs = jobs_setting().value_or(side_by_side);
  const auto timeout = arguments.integer("timeout", 1, 10'000'000).value_or(mode.inherit() ? 0 : 600);
  return {.worker = worker_program(arguments.value("worker")),
          .mode = mode,
          .jobs = static_cast<int>(arguments.integer("jobs", 1, 1024).value_or(jobs)),
          .timeout = std::chrono::seconds(timeout),
          .max_memory = arguments.integer("max-memory", 16, 1 << 24).value_or(0) << 20,
          .fresh = arguments.has("fresh")};
}

PlanInputs plan_inputs(const Arguments& arguments) {
  return {.build_id = determinism::build_id_of(worker_program(arguments.value("worker")).string()),
          .program_label = arguments.value("program-label"),
          .data = data_folder(arguments),
          .max_trials = arguments.integer("max-trials", 1, 100'000'000).value_or(100'000)};
}

std::filesystem::path store_path(const Arguments& arguments, const Study& study) {
  if (const auto given = arguments.value("db")) return *given;
  return store_setting().value_or(study.name + ".db");
}

std::filesystem::path data_folder(const Study& study, const Arguments& arguments) {
  const auto named = study.folders.find(workloads::find_workload(study.workload, "").data_key);
  return named == study.folders.end() ? data_folder(arguments) : named->second;
}

std::filesystem::path cache_folder(const Arguments& arguments) {
  const auto given = arguments.value("cache");
  return given ? std::filesystem::absolute(*given) : default_cache();
}

}  // namespace retrial::harness
