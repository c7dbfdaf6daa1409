#include "workloads/command/line/seedless.hpp"

#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/reading/reading.hpp"

namespace retrial::workloads::command::inline line {

namespace {

const std::string folders = R"(\S*/[0-9a-f]{32}\S*|\S*\.out/\S*)";
const std::string clocks = R"(\b\d+:\d\d(?::\d\d)?(?:[.,]\d+)?\b)";
const std::string dates = R"(\b\d{4}[-/.]\d\d[-/.]\d\d)";
const std::string number = R"((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)";
const std::string unit = R"( ?(?:ns|us|µs|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|\w+/s(?:ec)?|m?s/\w+)\b)";
const std::string durations = number + unit;
/// "train_runtime": 12.3, steps_per_second=80, elapsed 3.1, pid 4711.
const std::string named =
    R"((?i:time|elapsed|took|duration|per_sec|per_second|throughput|fps|\beta|\bpid)["']?[\s:=]+)" + number +
    "(?:" + unit + ")?";
/// Seconds since 1970, from 2020 to 2033.
const std::string epochs = R"(\b1[6-9]\d{8}(?:\.\d+)?\b)";
const std::string addresses = R"(\b0x[0-9a-fA-F]{6,16}\b)";

}  // namespace

std::string without_seeds(const Trial& trial, const std::string& output) {
  std::string patterns =
      folders + "|" + dates + "|" + clocks + "|" + named + "|" + durations + "|" + epochs + "|" + addresses;
  for (const auto& [source, seed] : trial.seeds)
    patterns += R"(|\b)" + short_seed(seed) + R"(\b|\b)" + std::to_string(seed) + R"(\b)";
  return replaced(output, patterns, "#");
}

}  // namespace retrial::workloads::command::inline line
