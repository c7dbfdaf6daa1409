#include "workloads/command/reading/json_file.hpp"

#include <fstream>
#include <sstream>

#include "workloads/interface/trial.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::uintmax_t largest = std::uintmax_t{16} << 20;

}  // namespace

JsonFile::JsonFile(std::filesystem::path file) : file_(std::move(file)), before_(stamp()) {}

std::optional<JsonFile::Stamp> JsonFile::stamp() const {
  std::error_code error;
  const auto size = std::filesystem::file_size(file_, error);
  if (error) return std::nullopt;
  const auto time = std::filesystem::last_write_time(file_, error);
  if (error) return std::nullopt;
  return Stamp{time, size};
}

std::string JsonFile::text() const {
  const auto now = stamp();
  if (!now) throw TrialFailure("command.no_json", file_.string() + ": the program did not write it");
  if (now == before_)
    throw TrialFailure("command.no_json",
                       file_.string() + ": unchanged since before the run; the program did not write it");
  if (now->second > largest) throw TrialFailure("command.bad_json", file_.string() + ": more than 16 MiB");
  std::ifstream in(file_, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace retrial::workloads::command::inline reading
