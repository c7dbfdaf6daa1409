#include "harness/run/options/gpu_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "harness/system/gpus.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run::inline options {
namespace {

void refuse_on_cpu(const Arguments& arguments) {
  for (const char* option : {"gpus", "per-gpu"})
    if (arguments.has(option))
      refuse_usage("--" + std::string(option), "is for device = \"cuda\", and this mode runs on the CPU",
                   "add --mode deterministic,cuda, or leave it out");
}

std::vector<std::string> all_gpus() {
  const char* set = std::getenv("CUDA_VISIBLE_DEVICES");
  auto gpus = visible_gpus(set ? std::optional<std::string>(set) : std::nullopt);
  if (set && gpus.empty())
    throw Error({.exit = Exit::incomparable,
                 .code = "cuda.unavailable",
                 .where = "device = \"cuda\"",
                 .problem = *set == '\0' ? "CUDA_VISIBLE_DEVICES is empty, so no device may be used"
                                         : "CUDA_VISIBLE_DEVICES=" + results::one_line(set, 80) + " hides every device",
                 .help = "unset it, or name devices: CUDA_VISIBLE_DEVICES=0"});
  return gpus;
}

/// The places in the list of all, as CUDA numbers devices in a program.
std::vector<std::string> chosen_gpus(const std::vector<std::string>& asked, const std::vector<std::string>& all) {
  std::vector<std::string> gpus;
  for (const std::string& place : asked) {
    const auto number = results::parse_int(place);
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(all.size()))
      throw Error({.code = "gpus.unknown",
                   .where = "--gpus",
                   .value = results::one_line(place, 80),
                   .problem = "is not one of the " + std::to_string(all.size()) + " GPUs that may be used",
                   .allowed = "auto, or a list of 0 to " + std::to_string(all.size() - 1)});
    const std::string& gpu = all[static_cast<std::size_t>(*number)];
    if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end())
      refuse_usage("--gpus", "names GPU " + place + " twice", "--per-gpu 2 runs two trials on each GPU");
    gpus.push_back(gpu);
  }
  return gpus;
}

}  // namespace

GpuShare gpu_share(const Arguments& arguments, const determinism::KernelMode& mode, bool cost_is_judged) {
  if (!mode.on_gpu()) {
    refuse_on_cpu(arguments);
    return {};
  }
  GpuShare share{.gpus = all_gpus(), .per_gpu = static_cast<int>(arguments.integer("per-gpu", 1, 64).value_or(1))};
  if (share.per_gpu > 1 && cost_is_judged)
    refuse_usage("--per-gpu " + std::to_string(share.per_gpu),
                 "trials that share a GPU disturb each other, and this study judges a cost", "leave it out");
  const auto asked = arguments.list("gpus");
  // Without a visible device, the worker reports the reason.
  if (asked && *asked != std::vector<std::string>{"auto"} && !share.gpus.empty())
    share.gpus = chosen_gpus(*asked, share.gpus);
  const auto jobs = arguments.integer("jobs", 1, 1024);
  if (jobs && !share.gpus.empty() && *jobs > share.workers())
    refuse_usage("--jobs " + std::to_string(*jobs),
                 "more than " + std::to_string(share.gpus.size()) + " GPUs with " + std::to_string(share.per_gpu) +
                     " trial each",
                 "leave it out, or give --per-gpu N");
  return share;
}

}  // namespace retrial::harness::inline run::inline options
