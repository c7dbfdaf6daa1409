#include "workloads/command/reading/written_file.hpp"

#include <fstream>
#include <sstream>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::uintmax_t largest = std::uintmax_t{16} << 20;

}  // namespace

WrittenFile::WrittenFile(ResultPlaces places, std::string failure)
    : places_(std::move(places)), failure_(std::move(failure)) {
  if (!places_.own.empty()) candidates_.push_back({places_.own, stamp(places_.own)});
  if (places_.read_shared && !places_.shared.empty()) candidates_.push_back({places_.shared, stamp(places_.shared)});
}

std::optional<WrittenFile::Stamp> WrittenFile::stamp(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) return std::nullopt;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return std::nullopt;
  return Stamp{time, size};
}

std::filesystem::path WrittenFile::found() const {
  for (const auto& [file, before] : candidates_)
    if (const auto now = stamp(file); now && now != before) return file;
  throw TrialFailure(failure_, why_none());
}

std::string WrittenFile::why_none() const {
  for (const auto& [file, before] : candidates_)
    if (before) return file.string() + ": unchanged since before the run; the program did not write it";
  if (!places_.read_shared && stamp(places_.shared))
    return places_.shared.string() +
           ": not read, because trials that run at the same time share it; write it below $TRIAL_OUT, or run one trial "
           "at a time with --shared-folder";
  return (candidates_.empty() ? places_.shared : candidates_.front().file).string() + ": the program did not write it";
}

std::string WrittenFile::text() const {
  const auto file = found();
  if (stamp(file).value_or(Stamp{}).second > largest)
    throw TrialFailure(failure_, file.string() + ": more than 16 MiB");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace retrial::workloads::command::inline reading
