#include "harness/worker/loop.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>

#include "determinism/manifest/manifest.hpp"
#include "determinism/meter/instruction_counter.hpp"
#include "determinism/mode/switches.hpp"
#include "harness/system/children.hpp"
#include "harness/system/line_io.hpp"
#include "harness/worker/checkpoint.hpp"
#include "harness/worker/keeper.hpp"
#include "harness/worker/price_run.hpp"
#include "harness/worker/protocol.hpp"
#include "harness/worker/trial_recorder.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline worker {
namespace {

using determinism::InstructionCounter, determinism::KernelMode;
using Kind = WorkerEvent::Kind;

void send(const WorkerEvent& event) {
  // Without a reader the front end is gone: exit.
  if (!write_all(worker_events_fd, encode(event))) _exit(1);
}

std::int64_t cpu_now() {
  std::int64_t total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const auto& time : {usage.ru_utime, usage.ru_stime})
      total += time.tv_sec * 1'000'000'000LL + time.tv_usec * 1000LL;
  }
  return total;
}

/// Freed memory that a worker may keep, in bytes.
constexpr int kept_memory = 64 << 20;

/// Training allocates and frees the same tensors at every step. By default glibc returns the top of the heap and
/// requests it again each time (page faults, brk): 2 % of a trial of 1.3 s. Huge pages for the first part of the heap,
/// where the kernel offers them, save 3 % of the same trial.
void prepare_heap() {
  constexpr int largest_in_heap = 32 << 20;  // the maximum that glibc accepts
  mallopt(M_TRIM_THRESHOLD, kept_memory);
  mallopt(M_MMAP_THRESHOLD, largest_in_heap);
  mallopt(M_TOP_PAD, kept_memory);
  void* const first = std::malloc(largest_in_heap / 2);  // the heap grows by this and by the pad; nothing is touched
  constexpr std::uintptr_t huge = 2 << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + huge - 1) / huge * huge,
             end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / huge * huge;
  std::free(first);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

/// The kernel's high-water mark of this process, reset at the start of each trial; 0 if unknown. It may include up to
/// `kept_memory` bytes that earlier trials freed; returning all of them each time cost .3 % of a trial of 1.3 s.
void reset_peak_rss() {
  if (mallinfo2().fordblks > kept_memory) malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}
std::int64_t peak_rss() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

/// If the requested mode is not in force, the numbers answer another question: no metric is kept. Under inherit no mode
/// is requested, and querying the thread pool would leave its threads spinning next to the user's program.
void demand_mode(const KernelMode& mode, const char* failure) {
  if (mode.inherit()) return;
  const auto differing = determinism::compare_modes(mode, determinism::read_back());
  if (!differing.empty()) throw workloads::TrialFailure(failure, "kernel_mode." + results::joined(differing, "; "));
}

/// On the CPU the numbers would answer another question.
void demand_device_of_workload(const KernelMode& mode, const workloads::Declaration& declaration) {
  if (mode.on_gpu() && declaration.trains == workloads::Trains::on_cpu)
    throw workloads::TrialFailure(
        "cuda.cpu_only", "workload " + declaration.name + " trains on the CPU only; leave out device = \"cuda\"");
}

/// The costs of one trial in this process.
class Costs {
 public:
  explicit Costs(const InstructionCounter& counter) : counter_(counter) {}
  [[nodiscard]] WorkerEvent so_far() const {
    WorkerEvent event;
    event.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - wall_).count();
    event.cpu_ns = cpu_now() - cpu_;
    event.peak_rss = peak_rss();
    if (const auto now = counter_.total(); now && instructions_) event.instructions = *now - *instructions_;
    return event;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const InstructionCounter& counter_;
  std::optional<std::int64_t> instructions_ = counter_.total();
  std::int64_t cpu_ = cpu_now();
  Clock::time_point wall_ = Clock::now();
};

using Running = std::unique_ptr<workloads::Run>;

/// At the checkpoint of the order, at a kept state, or at its beginning.
Running prepare(const RunOrder& order, const Keeper& keeper, TrialRecorder& recorder, const workloads::Trial& trial) {
  const auto& start = workloads::find_start(trial.workload);
  auto run = start(trial, order.place);
  if (order.from.empty()) {
    const auto untouched = recorder;
    std::string why;
    if (keeper.restore(*run, recorder, why)) return run;
    recorder = untouched;
    recorder.warning("a kept state is passed over, and the trial begins anew: " + why);
    run.reset();
    return start(trial, order.place);
  }
  const auto checkpoint = read_checkpoint(order.from);
  if (checkpoint.identity != trial.identity)
    throw workloads::TrialFailure("checkpoint.other_trial", order.from + " belongs to another trial");
  recorder.restore(checkpoint.recorded);
  std::istringstream state(checkpoint.state);
  run->load(state);
  return run;
}

/// Advances to the end, or by stop_after boundaries. Returns nothing when the run ended, else the checkpoint written.
std::optional<std::string> advance(const RunOrder& order, const Costs& costs, Keeper& keeper, workloads::Run& run,
                                   TrialRecorder& recorder, std::int64_t& boundaries) {
  const ChildrenEnd after;  // before the run's folders are removed, into which they may still write
  while (run.advance(recorder)) {
    if (++boundaries == order.stop_after) {
      std::ostringstream state;
      run.save(state);
      const auto file = order.place.out / "checkpoint";
      const auto identity = order.trial.trial().identity;
      write_checkpoint(file, {.identity = identity, .recorded = recorder.state(), .state = state.str()});
      return file.string();
    }
    keeper.at_boundary(run, recorder, [&] { return costs.so_far(); });
  }
  return std::nullopt;
}

WorkerEvent failure(const TrialRecorder& recorder, const std::string& kind, const std::string& message) {
  auto event = recorder.recorded(Kind::failed);
  event.failure = kind;
  event.text = message;
  return event;
}

WorkerEvent probe(const RunOrder& order, const workloads::Trial& trial) {
  return {.kind = Kind::probed, .report = workloads::find_probe(trial.workload)(trial, order.place)};
}

/// A layer belongs to no trial.
WorkerEvent priced_layer(const RunOrder& order, const KernelMode& mode) try {
  demand_mode(mode, "mode_not_effective");
  return {.kind = Kind::priced, .times = price_layer(*order.price, mode)};
} catch (const Error& error) {
  return {.kind = Kind::failed, .text = error.what(), .failure = error.text.code};
} catch (const std::exception& error) {
  return {.kind = Kind::failed, .text = results::one_line(error.what()), .failure = "price.layer"};
}

/// From its beginning to its end, with what the order asks to record.
WorkerEvent profiled(const RunOrder& order, const KernelMode& mode, const workloads::Trial& trial,
                     TrialRecorder& recorder) {
  const ChildrenEnd after;
  profiler::RecordedRun recording(*order.profile, trial.workload);
  auto run = workloads::find_start(trial.workload)(trial, order.place);
  std::uint64_t boundaries = 1;
  while (run->advance(recorder)) ++boundaries;
  run.reset();
  auto profile = recording.ended(boundaries);
  demand_mode(mode, "mode_changed");
  auto event = recorder.recorded(Kind::profiled);
  event.profile = std::move(profile);
  return event;
}

WorkerEvent run_trial(const RunOrder& order, const KernelMode& mode, const Costs& costs) {
  if (order.price && !order.price->layer.empty()) return priced_layer(order, mode);
  const auto trial = order.trial.trial();
  const auto& declaration = order.trial.declaration();
  TrialRecorder recorder(workloads::metrics_under(declaration, trial.values), send,
                         workloads::finds_metrics_under(declaration, trial.values));
  std::int64_t boundaries = 0;
  try {
    demand_device_of_workload(mode, declaration);
    demand_mode(mode, "mode_not_effective");
    if (order.probe) return probe(order, trial);
    if (order.price) return {.kind = Kind::priced, .times = price_training(*order.price, trial, order.place, mode)};
    if (order.profile) return profiled(order, mode, trial, recorder);
    Keeper keeper(order);
    auto run = prepare(order, keeper, recorder, trial);
    const auto checkpoint = advance(order, costs, keeper, *run, recorder, boundaries);
    run.reset();
    demand_mode(mode, "mode_changed");
    auto event = recorder.recorded(checkpoint ? Kind::stopped : Kind::finished);
    if (checkpoint) event.text = *checkpoint;
    event.boundaries = boundaries;
    return event;
  } catch (const workloads::TrialFailure& error) {
    return failure(recorder, error.kind, error.what());
  } catch (const std::bad_alloc&) {
    return failure(recorder, "memory.oom", "out of memory");
  } catch (const Error& error) {
    return failure(recorder, error.text.code.empty() ? "error" : error.text.code, error.what());
  } catch (const std::exception& error) {
    const auto known = workloads::explanation(trial.workload, error);
    return failure(recorder, known ? known->kind : "exception",
                   results::one_line(known ? known->what() : error.what()));
  }
}

WorkerEvent timed(const RunOrder& order, const KernelMode& mode, const InstructionCounter& counter) {
  reset_peak_rss();
  const Costs costs(counter);
  auto event = run_trial(order, mode, costs);
  add_costs(event, costs.so_far());
  return event;
}

}  // namespace

int worker_loop(const std::string& mode_text) {
  const InstructionCounter counter;  // before any thread: it counts those that begin after it
  prepare_heap();
  const auto mode = determinism::mode_from_document(results::parse_json(mode_text, "--mode"));
  determinism::apply_kernel_mode(mode);
  const auto effective = determinism::read_back();
  send({.kind = Kind::hello,
        .worker = "retrial-worker " + determinism::own_build_id().substr(0, 12),
        .mode_effective = effective,
        .manifest = determinism::base_manifest(mode, effective)});
  LineReader commands(worker_commands_fd);
  while (const auto line = commands.next()) {
    auto order = decode_order(*line);
    if (mode.on_gpu()) order.place.device = "cuda";
    send({.kind = Kind::started});
    send(timed(order, mode, counter));
  }
  return 0;
}

}  // namespace retrial::harness::inline worker
