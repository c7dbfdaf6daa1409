#include "workloads/command/reading/log_file.hpp"

#include <fstream>
#include <sstream>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline reading {

std::filesystem::path log_file(const std::filesystem::path& out) {
  return out / "trial-log.jsonl";
}

std::optional<std::string> log_text(const std::filesystem::path& out) {
  constexpr std::uintmax_t largest_log = std::uintmax_t{16} << 20;
  const auto file = log_file(out);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error || size == 0) return std::nullopt;
  if (size > largest_log)
    throw TrialFailure("command.bad_json", "the file TRIAL_LOG has more than 16 MiB: log less often");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace retrial::workloads::command::inline reading
