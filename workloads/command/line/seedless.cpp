#include "workloads/command/line/seedless.hpp"

#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/reading/reading.hpp"

namespace retrial::workloads::command::inline line {

namespace {

const std::string folders = R"(\S*/[0-9a-f]{32}\S*|\S*\.out/\S*)";
const std::string clocks = R"(\b\d+:\d\d(?::\d\d)?(?:[.,]\d+)?\b)";
const std::string durations =
    R"((?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)? ?(?:ns|us|ms|s|sec|secs|seconds?|min|minutes?|it/s|s/it)\b)";
const std::string addresses = R"(\b0x[0-9a-fA-F]{6,16}\b)";

}  // namespace

std::string without_seeds(const Trial& trial, const std::string& output) {
  std::string patterns = folders + "|" + clocks + "|" + durations + "|" + addresses;
  for (const auto& [source, seed] : trial.seeds)
    patterns += R"(|\b)" + short_seed(seed) + R"(\b|\b)" + std::to_string(seed) + R"(\b)";
  return replaced(output, patterns, "#");
}

}  // namespace retrial::workloads::command::inline line
