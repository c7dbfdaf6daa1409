#include "workloads/command/process/out_folder.hpp"

#include <cstdlib>
#include <string>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline process {

namespace {

std::filesystem::path temporary_folder() {
  auto name = (std::filesystem::temp_directory_path() / "retrial-out-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw TrialFailure("command.out", name + ": cannot create this folder");
  return name;
}

std::filesystem::path made_folder(const std::filesystem::path& wanted) {
  if (wanted.empty()) return temporary_folder();
  std::error_code error;
  std::filesystem::create_directories(wanted, error);
  if (error) throw TrialFailure("command.out", wanted.string() + ": " + error.message());
  return std::filesystem::absolute(wanted);
}

}  // namespace

OutFolder::OutFolder(const std::filesystem::path& wanted, bool keep) : path_(made_folder(wanted)), keep_(keep) {}

OutFolder::~OutFolder() {
  // A folder that cannot be removed is left: the result does not depend on it.
  std::error_code ignored;
  if (!keep_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace retrial::workloads::command::inline process
