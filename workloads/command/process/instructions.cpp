#include "workloads/command/process/instructions.hpp"

#include <fstream>

#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline process {

namespace {

constexpr const char* file_stem = "instructions.";

/// "summary: 11413011"
std::optional<std::uint64_t> total_in(const std::filesystem::path& file) {
  constexpr std::string_view word = "summary: ";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(word)) return results::parse_u64(line.substr(word.size()));
  return std::nullopt;
}

}  // namespace

std::vector<std::string> counted(const std::vector<std::string>& argv, const std::filesystem::path& folder) {
  std::vector<std::string> out{counter_program,
                               "--tool=cachegrind",
                               "--cache-sim=no",
                               "--trace-children=yes",
                               "--vgdb=no",
                               "--log-file=" + (folder / "log.%p").string(),
                               "--cachegrind-out-file=" + (folder / file_stem).string() + "%p"};
  out.insert(out.end(), argv.begin(), argv.end());
  return out;
}

std::uint64_t counted_instructions(const std::filesystem::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(file_stem)) sum += total_in(entry.path()).value_or(0);
  if (sum == 0)
    throw TrialFailure("command.no_count", std::string(counter_program) +
                                               " counted nothing: it may not be able to run this program on this CPU");
  return sum;
}

}  // namespace retrial::workloads::command::inline process
