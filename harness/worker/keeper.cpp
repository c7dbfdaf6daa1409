#include "harness/worker/keeper.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "determinism/manifest/manifest.hpp"
#include "harness/system/own_folder.hpp"
#include "harness/worker/checkpoint.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline worker {
namespace {

constexpr int protocol_version = 1;
constexpr int pause_by_cost = 20;  ///< a state that takes a second to keep is followed by 20 s without one

/// Another program, data set, mode, key, seed or version of the protocol: another state.
std::string key_of(const RunOrder& order) {
  return results::hex(results::sha256(results::canonical({{"protocol", protocol_version},
                                                          {"build", determinism::own_build_id()},
                                                          {"trial", order.trial.document()},
                                                          {"name", order.keep.file.filename().string()},
                                                          {"most_steps", order.place.max_steps},
                                                          {"checksum_every", order.place.checksum_every}})));
}

[[noreturn]] void not_ours(const std::filesystem::path& folder) {
  throw Error({.exit = Exit::measurement,
               .code = "checkpoint.folder",
               .where = folder.string(),
               .problem = "is not a folder that you alone can write to"});
}

/// A limit on the size of files must cost a state, not the trial.
class NoSizeSignal {
 public:
  NoSizeSignal() : before_(std::signal(SIGXFSZ, SIG_IGN)) {}
  ~NoSizeSignal() { std::signal(SIGXFSZ, before_); }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  void (*before_)(int);
};

std::chrono::steady_clock::duration pause(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Keeper::Keeper(const RunOrder& order) : order_(order), keep_(order.keep), next_(Clock::now() + pause(keep_.every_s)) {}

bool Keeper::restore(workloads::Run& run, TrialRecorder& recorder, std::string& why) const try {
  std::error_code error;
  if (keep_.file.empty() || !std::filesystem::exists(keep_.file, error)) return true;
  if (!is_own_folder(keep_.file.parent_path())) not_ours(keep_.file.parent_path());
  const auto checkpoint = read_checkpoint(keep_.file);
  if (checkpoint.identity != key_of(order_)) {
    why = keep_.file.string() + ": belongs to another trial, program or data set";
    return false;
  }
  recorder.restore(checkpoint.recorded);
  recorder.note_resumed();
  std::istringstream state(checkpoint.state);
  run.load(state);
  return true;
} catch (const Error& error) {
  why = error.text.where + ": " + error.text.problem;
  return false;
} catch (const std::exception& error) {
  why = keep_.file.string() + ": " + results::one_line(error.what(), 300);
  return false;
}

void Keeper::at_boundary(const workloads::Run& run, TrialRecorder& recorder,
                         const std::function<WorkerEvent()>& spent) {
  if (keep_.file.empty()) return;
  const auto begun = Clock::now();
  if (begun < next_) return;
  try {
    write(run, recorder, spent());
  } catch (const Error& error) {
    recorder.warning("the state of this trial is not kept; if it is killed, it begins anew: " + error.text.where +
                     ": " + error.text.problem);
    keep_.file.clear();
  }
  const auto now = Clock::now();
  next_ = now + std::max(pause(keep_.every_s), (now - begun) * pause_by_cost);
}

void Keeper::write(const workloads::Run& run, const TrialRecorder& recorder, const WorkerEvent& spent) const {
  const auto folder = keep_.file.parent_path();
  ::mkdir(folder.c_str(), 0700);
  if (!is_own_folder(folder)) not_ours(folder);
  std::ostringstream state;
  run.save(state);
  const NoSizeSignal ignored;
  write_checkpoint(keep_.file, {.identity = key_of(order_), .recorded = recorder.state(spent), .state = state.str()});
}

}  // namespace retrial::harness::inline worker
