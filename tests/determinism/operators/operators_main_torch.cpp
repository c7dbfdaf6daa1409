// The operators that workloads dispatch, recorded and made again. Started by scripts/audit-operators, and as a test.
//   retrial_operators MODE record FILE     runs every short trial; writes the cases of the audit, a line each
//   retrial_operators MODE replay FILE     prints the digest of each case of FILE, a line each
//   retrial_operators MODE covered FILE    runs every short trial; exit 1 if an operator is not in the table FILE
// What follows "--" runs the program, for example "-- qemu-x86_64 -cpu Haswell".
#include <unistd.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "determinism/mode/switches.hpp"
#include "determinism/operators/audit.hpp"
#include "determinism/operators/cases.hpp"
#include "determinism/operators/recorder_torch.hpp"
#include "determinism/operators/replay_torch.hpp"
#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "results/text/text.hpp"
#include "tests/workloads/data/files/drawn_images.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/interface/registry.hpp"

namespace {

using namespace retrial;
using namespace retrial::determinism;
using Words = std::vector<std::string>;

constexpr std::size_t draws_of_few = 8;
constexpr std::int64_t steps = 3;  // of every training
constexpr std::int64_t few = 16;

/// Calls record(recorder) after all short trials.
template <typename Use>
void with_recorded(Use&& use) {
  const auto scratch = std::filesystem::temp_directory_path() / ("retrial_operators_" + std::to_string(getpid()));
  const auto data = scratch / "data";
  test::write_drawn_images(data);
  OperatorRecorder recorder;
  for (const auto& workload : workloads::all_workloads()) {
    if (!workload.contributes.short_trials) continue;
    for (const auto& short_trial : workload.contributes.short_trials()) {
      std::filesystem::create_directories(scratch / "out");
      const auto trial = workloads::trial_of(workload.name, short_trial.keys);
      workloads::run_to_end(trial,
                            {.data = data, .cache = scratch / "cache", .out = scratch / "out", .max_steps = steps});
      for (const char* used : {"cache", "out"}) std::filesystem::remove_all(scratch / used);
    }
  }
  std::filesystem::remove_all(scratch);
  use(recorder);
}

/// The kernels of every operator of the cases, as the dispatcher has them under a mode.
std::map<std::string, std::string> kernels_under(const std::string& mode, const std::vector<Case>& cases) {
  apply_kernel_mode(mode_from_name(mode, "MODE"));
  std::map<std::string, std::string> out;
  for (const Case& one : cases) {
    const auto name = operator_of(one.call);
    if (!out.contains(name)) out[name] = operator_handle(name).dumpComputedTable();
  }
  return out;
}

/// Draws that the operator accepts: eight for a few returned values, because one is equal by luck too often. Empty: the
/// operator refuses these shapes. Some refuse values, such as more marks than there are elements.
std::vector<std::uint64_t> accepted_draws(const Call& call) {
  constexpr std::uint64_t tries = 32;
  std::vector<std::uint64_t> out;
  std::size_t wanted = 1;
  for (std::uint64_t draw = 0; draw < tries && out.size() < wanted; ++draw) {
    try {
      if (replay(call, draw).returned <= few) wanted = draws_of_few;
      out.push_back(draw);
    } catch (const c10::Error&) {
    }
  }
  return out;
}

/// The cases that their operators accept, each with its draws. An operator without one is an error.
int record(const std::string& mode, const std::string& file) {
  std::vector<Case> cases;
  std::map<std::string, std::string> unreadable, left_out;
  with_recorded([&](const OperatorRecorder& recorder) {
    unreadable = recorder.unreadable();
    cases = cases_of(recorder.calls());
    std::cerr << recorder.passing().size() << " operators only call others or return a view\n";
  });
  const auto of_library = kernels_under("deterministic", cases), in_force = kernels_under(mode, cases);
  std::ofstream out(file);
  const Json libraries = read_back().at("libraries");
  out << Json{{"torch", libraries.at("torch")}, {"mkl", libraries.at("mkl")}}.dump() << "\n";
  for (const Case& one : cases) left_out.emplace(operator_of(one.call), "refuses every call that is made again");
  std::size_t refused = 0;
  for (const Case& one : cases) {
    const auto name = operator_of(one.call);
    const auto draws = accepted_draws(one.call);
    refused += draws.empty();
    if (draws.empty()) continue;
    left_out.erase(name);
    const Json line{{"call", one.call}, {"own", in_force.at(name) != of_library.at(name)}, {"draws", draws}};
    out << line.dump() << std::endl;  // a kernel that does not check its arguments may crash next
  }
  std::cerr << cases.size() - refused << " cases; operators refused " << refused << " shapes\n";
  left_out.insert(unreadable.begin(), unreadable.end());
  for (const auto& [name, reason] : left_out) std::cerr << name << " is left out: " << reason << "\n";
  return left_out.empty() ? 0 : 1;
}

int replay_all(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error({.code = "operators.file", .where = file, .problem = "cannot be read"});
  std::string line;
  std::getline(in, line);  // versions
  while (std::getline(in, line)) {
    const Json one = results::parse_json(line, file);
    for (const Json& draw : one.at("draws")) std::cout << hex(replay(one.at("call"), draw.get<std::uint64_t>()).digest);
    std::cout << std::endl;
  }
  return 0;
}

int covered(const std::string& file) {
  const auto audit = audit_from(results::parse_json(results::read_whole(file).value_or(""), file));
  std::set<std::string> used;
  with_recorded([&](const OperatorRecorder& recorder) {
    for (const Call& call : recorder.calls()) used.insert(operator_of(call));
  });
  const auto missing = not_audited(used, audit);
  for (const auto& name : missing) std::cout << name << ": a workload uses it, and " << file << " lacks it\n";
  if (!missing.empty()) std::cout << "renew the table: " << audit.command << "\n";
  return missing.empty() && !used.empty() ? 0 : 1;
}

/// What a few rows and odd shapes make a library say.
struct Silent : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

int run(const Words& words) {
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  apply_kernel_mode(mode_from_name(words.at(0), "MODE"));
  if (words.at(1) == "covered") return covered(words.at(2));
  if (words.at(1) == "record") return record(words.at(0), words.at(2));
  if (words.at(1) == "replay") return replay_all(words.at(2));
  throw std::out_of_range(words.at(1));
}

/// Again, with the environment of the mode: libraries read their variables when they are loaded.
int start(const Words& words, const Words& launcher) {
  std::map<std::string, std::string> base;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (const char* equals = std::strchr(*entry, '='))
      base.emplace(std::string(*entry, static_cast<std::size_t>(equals - *entry)), equals + 1);
  Words environment, command = launcher;
  for (const auto& [name, value] : environment_for(mode_from_name(words.at(0), "MODE"), base))
    environment.push_back(name + "=" + value);
  command.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  command.push_back("--here");
  command.insert(command.end(), words.begin(), words.end());
  const auto pointers = [](Words& of) {
    std::vector<char*> out;
    for (auto& word : of) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
  };
  execvpe(command[0].c_str(), pointers(command).data(), pointers(environment).data());
  std::cerr << command[0] << ": " << std::strerror(errno) << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Words words(argv + 1, argv + argc), launcher;
  if (const auto dashes = std::ranges::find(words, "--"); dashes != words.end()) {
    launcher.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  try {
    if (words.empty() || words[0] != "--here") return start(words, launcher);
    words.erase(words.begin());
    return run(words);
  } catch (const std::out_of_range&) {
    std::cerr << "usage: retrial_operators MODE record|replay|covered FILE [-- LAUNCHER...]\n";
  } catch (const std::exception& error) {
    std::cerr << "retrial_operators: error: " << error.what() << "\n";
  }
  return 2;
}
