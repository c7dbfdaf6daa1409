#include "harness/worker/pool.hpp"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "harness/system/host.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline worker {
namespace {

using Clock = std::chrono::steady_clock;
using results::Status;

constexpr auto term_patience = std::chrono::seconds(5);
constexpr auto memory_interval = std::chrono::milliseconds(50);
/// An illegal address or an assertion in a kernel: nothing on this GPU works any more in the process that made it.
constexpr const char* sticky_failure = "cuda.sticky";
constexpr int max_sticky = 2;

}  // namespace

/// Our reason for ending a worker. Not in the unnamed namespace: it is part of a slot.
enum class Ending { none, timeout, memory, stop, nonsense };

struct WorkerPool::Slot {
  Surroundings surroundings;
  std::unique_ptr<WorkerProcess> process;
  std::string gpu;        ///< empty: every GPU that this program sees
  bool left_out = false;  ///< that GPU gets no more trials
  bool unusable = false;  ///< the worker has no usable GPU any more
  bool greeted = false, ordered = false;
  std::optional<RunOrder> order;
  std::size_t job = 0;
  WorkerEvent hello;
  std::vector<std::string> warnings;
  double fraction = 0;
  std::string text;
  Ending ending = Ending::none;
  std::string nonsense;
  std::int64_t started_ns = 0;
  Clock::time_point started, heard, kill_at{}, memory_looked_at{};

  [[nodiscard]] bool busy() const { return order.has_value(); }
  [[nodiscard]] bool free() const { return !busy() && !left_out; }
};

WorkerPool::WorkerPool(PoolSettings settings) : settings_(std::move(settings)) {
  // Writing to a worker that has just died must cost one trial, not this program.
  std::signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < settings_.jobs; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    auto& surroundings = slots_.back()->surroundings = settings_.surroundings;
    if (!settings_.gpus.empty())
      slots_.back()->gpu = surroundings.environment["CUDA_VISIBLE_DEVICES"] =
          settings_.gpus[static_cast<std::size_t>(i) % settings_.gpus.size()];
  }
}

WorkerPool::~WorkerPool() = default;

bool WorkerPool::has_room() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->free(); });
}

std::size_t WorkerPool::running() const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->busy(); }));
}

double WorkerPool::fraction_running() const {
  double total = 0;
  for (const auto& slot : slots_)
    if (slot->busy()) total += slot->fraction;
  return total;
}

std::vector<JobProgress> WorkerPool::progress() const {
  std::vector<JobProgress> all;
  for (const auto& slot : slots_)
    if (slot->busy())
      all.push_back({.job = slot->job,
                     .fraction = slot->fraction,
                     .text = slot->text,
                     .elapsed_s = std::chrono::duration<double>(Clock::now() - slot->started).count()});
  return all;
}

void WorkerPool::start(std::size_t job, RunOrder order) {
  auto& slot = **std::find_if(slots_.begin(), slots_.end(), [](const auto& each) { return each->free(); });
  if (settings_.fresh || std::exchange(slot.unusable, false)) slot.process.reset();
  if (!slot.process) {
    slot.process = std::make_unique<WorkerProcess>(settings_.worker, settings_.mode, slot.surroundings);
    slot.greeted = false;
  }
  slot.job = job;
  slot.order = std::move(order);
  slot.ordered = false;
  slot.warnings.clear();
  slot.fraction = 0;
  slot.text.clear();
  slot.ending = Ending::none;
  slot.started_ns = now_ns();
  slot.started = slot.heard = Clock::now();
  slot.process->output().clear();
  if (slot.greeted) order_next(slot);
}

void WorkerPool::order_next(Slot& slot) {
  slot.ordered = true;
  slot.started_ns = now_ns();
  slot.started = slot.heard = Clock::now();
  // A dead worker is detected by the end of its events.
  static_cast<void>(slot.process->send(*slot.order));
}

JobResult WorkerPool::result_of(Slot& slot) const {
  slot.process->read_output();
  JobResult result{.job = slot.job,
                   .started_ns = slot.started_ns,
                   .worker = slot.hello.worker,
                   .manifest = slot.hello.manifest,
                   .warnings = std::move(slot.warnings)};
  result.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - slot.started).count();
  return result;
}

void WorkerPool::demand_build(const WorkerEvent& hello) const {
  if (settings_.build_id.empty()) return;
  const auto place = "/program/build_id"_json_pointer;
  const bool recorded = hello.manifest.contains(place) && hello.manifest.at(place).is_string();
  const std::string build = recorded ? hello.manifest.at(place).get<std::string>() : "unknown";
  if (build == settings_.build_id) return;
  throw Error({.exit = Exit::incomparable,
               .code = "worker.replaced",
               .where = settings_.worker.string(),
               .problem = "was replaced while the study ran: it is now build " + build +
                          ", but the trials were planned for build " + settings_.build_id,
               .help = "restore that build and run the same command again, or start a new store with --db"});
}

/// A mode of a GPU that runs on none would fail at every trial; one that ran on the CPU would answer another question.
void WorkerPool::demand_device(const WorkerEvent& hello) const {
  if (!settings_.mode.on_gpu()) return;
  const auto devices = "/cuda/devices"_json_pointer, reason = "/cuda/reason"_json_pointer;
  const Json& found = hello.mode_effective;
  if (found.contains(devices) && found.at(devices).is_number_integer() && found.at(devices) > 0) return;
  const bool built = found.contains(devices);
  const bool told = found.contains(reason) && found.at(reason).is_string();
  throw Error({.exit = Exit::incomparable,
               .code = "cuda.unavailable",
               .where = "device = \"cuda\"",
               .problem = !built ? settings_.worker.string() + " was built without CUDA"
                          : told ? results::one_line(found.at(reason).get<std::string>(), 300)
                                 : "the worker found no device",
               .help = built
                           ? "run it on a machine with an NVIDIA GPU and a driver for CUDA 13, or with device = \"cpu\""
                           : "give the path of retrial-worker-cuda with --worker-cuda PATH"});
}

void WorkerPool::handle_events(Slot& slot, std::vector<JobResult>& ended) {
  while (const auto event = slot.process->next_event()) {
    slot.heard = Clock::now();
    switch (event->kind) {
      using enum WorkerEvent::Kind;
      case hello:
        demand_build(*event);
        demand_device(*event);
        slot.hello = *event;
        slot.greeted = true;
        if (slot.busy() && !slot.ordered) order_next(slot);
        break;
      case started:
      case digest:
        break;
      case progress:
        slot.fraction = std::clamp(event->fraction, 0.0, 1.0);
        slot.text = event->text;
        break;
      case warning:
        slot.warnings.push_back(event->text);
        break;
      case finished:
      case stopped:
      case probed:
      case priced:
      case profiled:
      case failed: {
        if (!slot.busy())
          throw Error({.exit = Exit::integrity,
                       .code = "worker.nonsense",
                       .problem = "unexpected reply: it was not running a trial"});
        auto result = result_of(slot);
        result.event = *event;
        if (event->kind == failed) {
          const bool memory = event->failure.ends_with("oom");
          result.status = memory ? Status::oom : Status::failed;
          result.message = event->failure + ": " + event->text;
        } else if (event->diverged_at) {
          result.status = Status::diverged;
        }
        slot.order.reset();
        note_gpu(slot, result);
        ended.push_back(std::move(result));
      }
    }
  }
}

void WorkerPool::note_gpu(Slot& slot, JobResult& result) {
  int& in_a_row = sticky_[slot.gpu];
  const std::string& failure = result.event.failure;
  const bool failed_itself = failure == "cuda.ecc" || failure == "cuda.lost";
  slot.unusable = failed_itself || failure == sticky_failure;
  in_a_row = slot.unusable ? in_a_row + 1 : 0;
  if (in_a_row < max_sticky && !failed_itself) return;
  for (const auto& each : slots_) each->left_out = each->left_out || each->gpu == slot.gpu;
  result.message += "\nGPU " + (slot.gpu.empty() ? "0" : slot.gpu) +
                    " gets no more trials: " + (failed_itself ? "it failed itself" : "this was the second in a row");
}

/// Once every result has been handed over: trials that wait would wait forever.
void WorkerPool::demand_gpu() const {
  if (std::ranges::any_of(slots_, [](const auto& slot) { return slot->busy() || slot->free(); })) return;
  std::vector<std::string> names;
  for (const auto& [gpu, in_a_row] : sticky_) names.push_back(gpu.empty() ? "0" : gpu);
  throw Error({.exit = Exit::measurement,
               .code = sticky_failure,
               .where = "device = \"cuda\"",
               .problem = "no GPU is left: on each (" + results::joined(names) +
                          ") trials ended with an error that no later kernel survives",
               .help = "retrial status names the trials; CUDA_LAUNCH_BLOCKING=1 finds the call"});
}

std::string WorkerPool::timeout_message(const Slot& slot) const {
  const bool program = !slot.order->price && slot.order->trial.declaration().argv;
  return "worker.timeout: " + std::string(program ? "printed nothing" : "no sign of life") + " for " +
         std::to_string(settings_.timeout.count() / 1000) + " s" +
         (slot.text.empty() ? "" : "; the last it reported: " + slot.text);
}

void WorkerPool::finish_dead(Slot& slot, std::vector<JobResult>& ended) {
  const bool never_greeted = !slot.greeted;
  auto result = result_of(slot);
  result.end = slot.process->reap(std::chrono::milliseconds(slot.ending == Ending::nonsense ? 0 : 1000));
  const auto last = slot.process->output().last(10, 3000);
  slot.process.reset();
  slot.greeted = false;
  if (!slot.busy()) return;
  if (never_greeted && slot.ending == Ending::none)
    throw Error({.exit = settings_.mode.on_gpu() ? Exit::incomparable : Exit::measurement,
                 .code = "worker.no_hello",
                 .where = settings_.worker.string(),
                 .problem = "ended before it was ready: " + result.end.text() +
                            (last.empty() ? "" : "; it printed: " + results::one_line(last, 600)),
                 .help = settings_.mode.on_gpu() ? "scripts/setup --cuda fetches the libraries that it needs to start"
                                                 : "retrial doctor checks whether the worker starts on this machine"});
  switch (slot.ending) {
    case Ending::timeout:
      result.status = Status::timeout;
      result.message = timeout_message(slot);
      break;
    case Ending::memory:
      result.status = Status::oom;
      result.message = "memory.oom: grew beyond " + std::to_string(settings_.max_memory >> 20) + " MiB";
      break;
    case Ending::stop:
      result.status = Status::killed;
      result.stopped_by_us = true;
      result.message = "stopped: retrial itself was ended";
      break;
    case Ending::nonsense:
      result.status = Status::failed;
      result.message = "worker.nonsense: " + slot.nonsense;
      break;
    case Ending::none:
      result.status = result.end.signal && !result.end.outlived ? Status::killed : Status::failed;
      result.message = result.end.outlived ? "worker.silent: closed its answers, did not end, and was killed"
                                           : "worker.died: " + result.end.text();
  }
  if (!last.empty()) result.message += "\nlast output:\n" + last;
  slot.order.reset();
  ended.push_back(std::move(result));
}

void WorkerPool::watch(Slot& slot, std::vector<JobResult>& ended) {
  const auto now = Clock::now();
  if (!slot.greeted && now - slot.started > settings_.hello_patience) {
    slot.process->kill();
    throw Error({.exit = Exit::measurement,
                 .code = "worker.no_hello",
                 .where = settings_.worker.string(),
                 .problem = "was not ready within " + std::to_string(settings_.hello_patience.count() / 1000) + " s",
                 .help = "retrial doctor checks whether the worker starts on this machine"});
  }
  if (slot.ending != Ending::none) {
    if (now > slot.kill_at) finish_dead(slot, ended);
    return;
  }
  if (settings_.timeout.count() > 0 && slot.ordered && now - slot.heard > settings_.timeout) {
    slot.ending = Ending::timeout;
    slot.kill_at = now + term_patience;
    slot.process->terminate();
  }
  if (settings_.max_memory > 0 && now - slot.memory_looked_at > memory_interval) {
    slot.memory_looked_at = now;
    if (slot.process->resident_bytes() > settings_.max_memory) {
      slot.ending = Ending::memory;
      slot.process->terminate();
      finish_dead(slot, ended);
    }
  }
}

std::vector<JobResult> WorkerPool::wait(std::chrono::milliseconds patience) {
  demand_gpu();
  std::vector<pollfd> fds;
  std::vector<Slot*> owners;
  for (auto& slot : slots_) {
    if (!slot->process) continue;
    fds.push_back({.fd = slot->process->events_fd(), .events = POLLIN, .revents = 0});
    fds.push_back({.fd = slot->process->output_fd(), .events = POLLIN, .revents = 0});
    owners.push_back(slot.get());
  }
  const bool watching = settings_.max_memory > 0;
  const auto limit =
      watching ? std::min(patience, std::chrono::duration_cast<std::chrono::milliseconds>(memory_interval)) : patience;
  std::vector<JobResult> ended;
  if (poll(fds.data(), fds.size(), static_cast<int>(limit.count())) < 0)
    return ended;  // a signal: the caller handles it
  for (std::size_t i = 0; i < owners.size(); ++i) {
    auto& slot = *owners[i];
    if (fds[2 * i + 1].revents != 0) slot.process->read_output();
    bool alive = true;
    if (fds[2 * i].revents != 0) {
      alive = slot.process->read_events();
      try {
        handle_events(slot, ended);
      } catch (const Error& error) {
        if (error.text.exit != Exit::integrity) throw;
        slot.ending = Ending::nonsense;
        slot.nonsense = error.text.problem;
        alive = false;
      }
    }
    if (!alive)
      finish_dead(slot, ended);
    else if (slot.busy())
      watch(slot, ended);
  }
  return ended;
}

void WorkerPool::stop() {
  for (auto& slot : slots_) {
    if (!slot->busy() || slot->ending != Ending::none) continue;
    slot->ending = Ending::stop;
    slot->kill_at = Clock::now() + term_patience;
    slot->process->terminate();
  }
}

}  // namespace retrial::harness::inline worker
