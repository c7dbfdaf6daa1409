#include "harness/run/options/run_options.hpp"

#include <algorithm>

#include "determinism/manifest/manifest.hpp"
#include "harness/command_line/settings.hpp"
#include "harness/run/options/gpu_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/host.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline run::inline options {
namespace {

/// Kernels that load at their first use would be part of the first measured time.
Surroundings surroundings_of(const determinism::KernelMode& mode, bool cost_is_judged) {
  if (!mode.on_gpu() || !cost_is_judged) return {};
  return {.environment = {{"CUDA_MODULE_LOADING", "EAGER"}}, .folder = {}};
}

/// Empty where no worker for CUDA is there: a plan can be made on a machine that cannot run it.
std::string build_id_for(const Arguments& arguments, const determinism::KernelMode& mode) try {
  return determinism::build_id_of(worker_for(arguments, mode).string());
} catch (const Error& error) {
  if (!mode.on_gpu() || arguments.has("worker-cuda") || error.text.code != "worker.missing") throw;
  return "";
}

}  // namespace

std::vector<Option> worker_paths() {
  return {
      {.name = "worker",
       .value_name = "PATH",
       .meaning = "the worker program (default: retrial-worker next to retrial)"},
      {.name = "worker-cuda",
       .value_name = "PATH",
       .meaning = "the worker program of device = \"cuda\" (default: retrial-worker-cuda next to retrial)"},
  };
}

std::vector<Option> program_options() {
  return std::vector<Option>{
             {.name = "program-label",
              .value_name = "NAME",
              .meaning = "treat all builds of the program with this label as equal"},
             {.name = "max-trials",
              .value_name = "N",
              .meaning = "maximum number of trials in a plan (default 100000)"},
         } +
         worker_paths();
}

std::vector<Option> worker_options() {
  return {
      {.name = "jobs",
       .letter = 'j',
       .value_name = "N",
       .meaning = "number of trials to run in parallel (default: CPUs / threads of the mode; 1 when a cost is judged)"},
      {.name = "timeout",
       .value_name = "S",
       .meaning = "stop a trial that reports nothing for S seconds; output of your own program counts (default 600; no "
                  "limit for your own programs)"},
      {.name = "max-memory", .value_name = "MIB", .meaning = "stop a trial that uses more memory than this"},
      {.name = "fresh", .meaning = "start a new worker process for every trial"},
      {.name = "cache",
       .value_name = "DIR",
       .meaning = "folder for trained networks that trials share (default: retrial in your cache folder); deleting it "
                  "changes no result"},
      {.name = "gpus",
       .value_name = "LIST",
       .meaning = "GPUs of device = \"cuda\": auto (default), or places in the list of those that may be used, such as "
                  "0,1; each worker gets one"},
      {.name = "per-gpu", .value_name = "N", .meaning = "trials that run on one GPU at a time (default 1)"},
  };
}

std::filesystem::path worker_for(const Arguments& arguments, const determinism::KernelMode& mode) {
  if (mode.on_gpu())
    refuse_options(arguments, {"worker"},
                   {.problem = "is for modes of the CPU, and this mode has device = \"cuda\"",
                    .help = "name its worker with --worker-cuda PATH"});
  else
    refuse_options(arguments, {"worker-cuda"},
                   {.problem = "is for device = \"cuda\", and this mode runs on the CPU",
                    .help = "add --mode deterministic,cuda, or leave it out"});
  return mode.on_gpu() ? cuda_worker_program(arguments.value("worker-cuda"))
                       : worker_program(arguments.value("worker"));
}

void refuse_idle_options(const Arguments& arguments, const workloads::Declaration& declaration) {
  const auto refuse = [&](const char* option, const std::string& problem) {
    refuse_options(arguments, {option}, {.problem = problem, .help = "leave it out"});
  };
  const std::string name = "workload " + declaration.name;
  if (std::ranges::find(declaration.parameters, workloads::Reads::place, &workloads::Parameter::reads) ==
      declaration.parameters.end())
    refuse("data", "names the folder of a data set, and " + name + " has no key for one");
  if (declaration.argv) refuse("checksum-every", "digests weights during a training; your own program runs whole");
  if (!declaration.printed) refuse("allow-constant", "is for your own programs: " + name + " uses its seeds");
}

PoolSettings pool_settings(const Arguments& arguments, const determinism::KernelMode& mode, bool cost_is_judged) {
  const bool starts = !arguments.has("dry-run");
  const auto share = starts || !mode.on_gpu() ? gpu_share(arguments, mode, cost_is_judged) : GpuShare();
  const int at_most = mode.on_gpu() ? share.workers() : usable_cpus() / std::max(1, mode.threads);
  const int side_by_side = cost_is_judged ? 1 : std::max(1, at_most);
  const int jobs = mode.on_gpu() ? side_by_side : jobs_setting().value_or(side_by_side);
  const auto timeout = arguments.integer("timeout", 1, 10'000'000).value_or(mode.inherit() ? 0 : 600);
  return {.worker = starts ? worker_for(arguments, mode) : std::filesystem::path(),
          .mode = mode,
          .jobs = static_cast<int>(arguments.integer("jobs", 1, 1024).value_or(jobs)),
          .timeout = std::chrono::seconds(timeout),
          .max_memory = arguments.integer("max-memory", 16, 1 << 24).value_or(0) << 20,
          .fresh = arguments.has("fresh"),
          .surroundings = surroundings_of(mode, cost_is_judged),
          .gpus = share.gpus};
}

double keep_every(const Study& study, const Arguments& arguments, bool cost_is_judged) {
  constexpr double usual_s = 30, most_s = 86'400;
  const auto given = arguments.number("keep-every", {0, most_s});
  const bool whole = workloads::find_workload(study.workload, "").needs_out_folder;
  if (given && *given > 0 && (whole || cost_is_judged))
    refuse_usage("--keep-every",
                 whole ? "your own program runs whole, so there is no state to keep"
                       : "this study judges a cost, and a trial that goes on after a kill costs something else",
                 "leave it out");
  return whole || cost_is_judged ? 0 : given.value_or(usual_s);
}

void leave_cpus_for_threads(const Study& study, const Arguments& arguments, PoolSettings& pool) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  if (!declaration.own_threads) return;
  const bool given = arguments.has("jobs") || jobs_setting();
  for (const auto& variant : study.variants) {
    const auto threads = static_cast<int>(declaration.own_threads(variant.values));
    if (threads > usable_cpus())
      warn(variant.name + ": " + std::to_string(threads) + " threads and " + counted(usable_cpus(), "usable CPU") +
           ": those that wait slow down those that work");
    if (!given) pool.jobs = std::min(pool.jobs, std::max(1, usable_cpus() / std::max(1, threads)));
  }
}

void keep_apart(const Study& study, const Arguments& arguments, PoolSettings& pool) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  if (!declaration.shares || pool.jobs == 1) return;
  for (const auto& variant : study.variants) {
    const auto shared = declaration.shares(variant.values);
    if (!shared) continue;
    if (!shared->declared) {
      const auto value = variant.values.find(shared->problem.key);
      throw Error(
          {.code = "run.shared_file",
           .field = declaration.name + "." + shared->problem.key,
           .value = value == variant.values.end() ? "" : results::one_line(results::text_of(value->second), 200),
           .problem = shared->problem.problem,
           .allowed = shared->problem.allowed,
           .help = shared->help});
    }
    if (arguments.has("jobs"))
      refuse_usage("--jobs " + arguments.value("jobs").value_or(""),
                   "the trials of this study share a folder, so they run one at a time", "leave out --jobs");
    pool.jobs = 1;
  }
}

PlanInputs plan_inputs(const Arguments& arguments, const determinism::KernelMode& mode) {
  return {.build_id = build_id_for(arguments, mode),
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

std::filesystem::path cache_folder(const workloads::Declaration& declaration, const std::vector<Values>& values,
                                   const Arguments& arguments) {
  const auto given = arguments.value("cache");
  if (!given) return default_cache();
  if (!declaration.keeps_networks || std::ranges::none_of(values, declaration.keeps_networks))
    refuse_usage("--cache", "these trials keep no trained network for others", "leave it out");
  return std::filesystem::absolute(*given);
}

std::filesystem::path cache_folder(const Study& study, const Arguments& arguments) {
  std::vector<Values> values;
  for (const auto& variant : study.variants) values.push_back(variant.values);
  return cache_folder(workloads::find_workload(study.workload, ""), values, arguments);
}

}  // namespace retrial::harness::inline run::inline options
