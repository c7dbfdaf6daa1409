#include "harness/doctor/findings.hpp"

#include <poll.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "determinism/manifest/elf_file.hpp"
#include "determinism/manifest/machine.hpp"
#include "determinism/meter/nvml.hpp"
#include "determinism/mode/host_cpu.hpp"
#include "determinism/mode/kernel_mode.hpp"
#include "harness/system/host.hpp"
#include "harness/text/output.hpp"
#include "harness/worker/process.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline doctor {
namespace {

namespace fs = std::filesystem;

constexpr double min_free_bytes = 1.0 * 1024 * 1024 * 1024;
/// Another process that takes a fifth of a core already shifts timings; at a load equal to the CPUs, processes wait.
constexpr double busy_share = 0.5;

struct FileSystem {
  std::int64_t magic;
  const char* name;
  bool network;
};
/// statfs(2), linux/magic.h. WAL needs shared memory between processes, which network file systems lack.
constexpr std::array file_systems{
    FileSystem{0xEF53, "ext4", false},        FileSystem{0x58465342, "xfs", false},
    FileSystem{0x9123683E, "btrfs", false},   FileSystem{0x01021994, "tmpfs", false},
    FileSystem{0x794C7630, "overlay", false}, FileSystem{0x2FC12FC1, "zfs", false},
    FileSystem{0x6969, "nfs", true},          FileSystem{0x5346414F, "afs", true},
    FileSystem{0x01021997, "9p", true},       FileSystem{0x65735546, "fuse", true},
    FileSystem{0x517B, "smb", true},          FileSystem{0xFF534D42, "cifs", true},
    FileSystem{0xFE534D42, "smb2", true},     FileSystem{0x00C36400, "ceph", true},
    FileSystem{0x0BD00BD0, "lustre", true},   FileSystem{0x47504653, "gpfs", true},
    FileSystem{0x19830326, "beegfs", true},
};

void read_file_system(HostFacts& facts) {
  struct statfs found {};
  if (statfs(facts.folder.c_str(), &found) != 0) {
    facts.file_system = "unknown";
    return;
  }
  const auto magic = static_cast<std::int64_t>(static_cast<std::uint32_t>(found.f_type));
  const auto known =
      std::find_if(file_systems.begin(), file_systems.end(), [&](const auto& f) { return f.magic == magic; });
  facts.file_system = known == file_systems.end()
                          ? "type 0x" + results::hex16(static_cast<std::uint64_t>(magic)).substr(8)
                          : known->name;
  facts.network_file_system = known != file_systems.end() && known->network;
  facts.free_bytes = static_cast<double>(found.f_bavail) * static_cast<double>(found.f_bsize);
}

/// First message of a worker, or the reason for its silence.
struct FirstWords {
  std::optional<WorkerEvent> hello;
  std::string problem;  ///< empty: it greeted
};

FirstWords first_words_of(const fs::path& worker) try {
  constexpr int patience_ms = 60'000;
  WorkerProcess process(worker, determinism::mode_from_name("inherit", "doctor"));
  for (bool alive = true; alive;) {
    pollfd entry{process.events_fd(), POLLIN, 0};
    if (::poll(&entry, 1, patience_ms) == 0)
      return {.hello = {}, .problem = "it was not ready within " + std::to_string(patience_ms / 1000) + " s"};
    alive = process.read_events();
    if (auto event = process.next_event()) {
      if (event->kind == WorkerEvent::Kind::hello) return {.hello = std::move(event), .problem = ""};
      return {.hello = {}, .problem = "it is no worker"};
    }
  }
  const auto end = process.reap(std::chrono::seconds(1)).text();
  auto printed = results::one_line(process.output().last(3, 600), 600);
  printed.erase(printed.find_last_not_of(". ") + 1);  // a sentence of ours goes on
  return {.hello = {},
          .problem = printed.empty() ? "it " + end + " without a word" : "it " + end + " and printed: " + printed};
} catch (const Error& error) {
  return {.hello = {}, .problem = error.text.problem};
}

void read_worker(HostFacts& facts, const std::optional<std::string>& given) {
  try {
    facts.worker = worker_program(given);
  } catch (const Error& missing) {
    facts.worker = missing.text.where;
    return;
  }
  facts.worker_found = true;
  facts.worker_problem = first_words_of(facts.worker).problem;
  facts.worker_build = determinism::build_id_of_file(facts.worker.string());
  const auto needs = determinism::needed_libraries(facts.worker.string());
  facts.worker_has_torch =
      std::any_of(needs.begin(), needs.end(), [](const auto& name) { return name.starts_with("libtorch"); });
}

std::string gpus_in(const Json& effective) {
  const auto reason = "/cuda/reason"_json_pointer, gpus = "/cuda/gpus"_json_pointer;
  if (!effective.contains("cuda")) return "none: this worker was built without CUDA";
  if (effective.contains(reason)) return "none: " + results::one_line(effective.at(reason).get<std::string>(), 300);
  std::vector<std::string> names;
  for (const Json& gpu : effective.at(gpus))
    names.push_back(gpu.at("name").is_string() ? results::one_line(gpu.at("name").get<std::string>(), 100) : "unknown");
  return results::joined(names);
}

void read_cuda_worker(HostFacts& facts, const std::optional<std::string>& given) {
  try {
    facts.cuda_worker = cuda_worker_program(given);
  } catch (const Error&) {
    if (given) throw;
    return;
  }
  const auto words = first_words_of(*facts.cuda_worker);
  facts.cuda_problem = words.problem;
  if (words.hello) facts.gpus = gpus_in(words.hello->mode_effective);
}

std::optional<std::string> text_at(const Json& facts, const char* key) {
  return facts.contains(key) && facts.at(key).is_string() ? std::optional(facts.at(key).get<std::string>())
                                                          : std::nullopt;
}

std::optional<double> load_of_last_minute() {
  std::array<double, 1> load{};
  return getloadavg(load.data(), 1) == 1 ? std::optional(load[0]) : std::nullopt;
}

void read_processor(HostFacts& facts) {
  const auto host = determinism::this_host();
  facts.cpus = host.cores;
  facts.isas = host.isas;
  for (const auto& preset : determinism::mode_presets())
    if (!preset.mode.inherit() && std::find(host.isas.begin(), host.isas.end(), preset.mode.isa) == host.isas.end())
      facts.unsupported_modes.push_back(preset.name);
  const Json machine = determinism::machine_facts();
  facts.governor = text_at(machine, "governor");
  facts.cpu_model = text_at(machine, "cpu_model");
  const auto& passed = determinism::passed_variables();
  for (const auto& name : determinism::recorded_variables())
    if (std::getenv(name.c_str()) != nullptr && std::find(passed.begin(), passed.end(), name) == passed.end())
      facts.variables_set.push_back(name);
}

}  // namespace

HostFacts host_facts(const std::optional<std::string>& worker, const std::optional<std::string>& cuda_worker,
                     const fs::path& folder) {
  HostFacts out{.folder = folder};
  read_worker(out, worker);
  read_cuda_worker(out, cuda_worker);
  out.cards = determinism::cards_document(determinism::Nvml::open());
  read_processor(out);
  read_file_system(out);
  out.folder_writable = access(folder.c_str(), W_OK) == 0;
  out.load = load_of_last_minute();
  if (const auto memory = available_memory(); memory > 0) out.memory_bytes = static_cast<double>(memory);
  return out;
}

HostFindings findings_of(const HostFacts& facts) {
  HostFindings out;
  const auto warning = [&](const char* code, std::string text, std::string advice) {
    out.warnings.push_back({code, std::move(text), std::move(advice)});
  };
  const auto recommendation = [&](const char* code, std::string text, std::string advice) {
    out.recommendations.push_back({code, std::move(text), std::move(advice)});
  };
  if (!facts.worker_found)
    warning("worker.missing", "no worker at " + facts.worker.string() + ": stores can be read, but nothing can run",
            "build the target retrial-worker, or give its path with --worker PATH");
  else if (!facts.worker_problem.empty())
    warning(
        "worker.silent",
        facts.worker.string() + " does not work: " + facts.worker_problem + "; stores can be read, but nothing can run",
        "build the target retrial-worker, or give its path with --worker PATH");
  else if (!facts.worker_build)
    warning("worker.no_build_id", "the worker has no build id: trials could not record the program that ran them",
            "link it with -Wl,--build-id");
  else if (!facts.worker_has_torch)
    recommendation("worker.no_torch", "the worker was built without LibTorch: workloads that need it will fail",
                   "scripts/setup, then build the preset release");
  if (!facts.cuda_problem.empty())
    recommendation("cuda.silent",
                   facts.cuda_worker->string() + " does not work: " + facts.cuda_problem +
                       "; everything but device = \"cuda\" runs",
                   "scripts/setup --cuda fetches the libraries that it needs to start");
  for (const Json& card :
       facts.cards.is_object() && facts.cards.contains("cards") ? facts.cards.at("cards") : Json::array())
    if (const Json& others = card.at("neighbours"); others.contains("count") && others.at("count") > 0)
      recommendation("gpu.not_alone",
                     "another program computes on " + card.at("name").get<std::string>() +
                         ": timings would be disturbed, and bits can differ",
                     "wait, or name another GPU with run --gpus");
  for (const auto& mode : facts.unsupported_modes)
    warning("mode.not_here", "kernel mode " + mode + " cannot run on this processor",
            "use a mode table with isa = \"default\"; results are then comparable only on processors like this one");
  if (facts.network_file_system)
    warning(
        "store.network",
        facts.folder.string() + " is on " + facts.file_system + ", a network file system: SQLite can lose data there",
        "keep stores on a local disk and copy them when finished");
  if (!facts.folder_writable)
    warning("store.read_only", facts.folder.string() + " is not writable", "give --db a path in a writable folder");
  if (facts.free_bytes && *facts.free_bytes < min_free_bytes)
    warning("store.full", "only " + bytes_text(*facts.free_bytes) + " free in " + facts.folder.string(),
            "free some space before a long study");
  if (facts.load && *facts.load > busy_share * facts.cpus)
    recommendation("host.busy",
                   "load " + short_text(*facts.load, 3) + " on " + counted(facts.cpus, "CPU") +
                       ": timings would be disturbed, outcomes would not",
                   "wait, or compare outcome metrics only");
  if (facts.governor && *facts.governor != "performance")
    recommendation("host.governor",
                   "CPU frequency governor is " + *facts.governor + ": timings drift with temperature and load",
                   "run cpupower frequency-set -g performance before timing anything");
  if (!facts.variables_set.empty())
    recommendation("environment.set",
                   "variables that affect the choice of kernels are set: " + results::joined(facts.variables_set),
                   "kernel modes override them, mode inherit keeps them; unset those you do not need");
  return out;
}

}  // namespace retrial::harness::inline doctor
