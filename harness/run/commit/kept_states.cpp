#include "harness/run/commit/kept_states.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

#include "harness/system/own_folder.hpp"

namespace retrial::harness::inline run::inline commit {
namespace {

using namespace std::chrono_literals;

/// Another launch may be writing a file that has its temporary name still.
bool is_unfinished(const std::filesystem::directory_entry& file) {
  std::error_code error;
  const auto written = file.last_write_time(error);
  return file.path().filename().string().starts_with(".retrial-") && !error &&
         std::filesystem::file_time_type::clock::now() - written > 1h;
}

}  // namespace

KeptStates::KeptStates(const std::filesystem::path& store) : folder_(std::filesystem::absolute(store)) {
  folder_ += ".under-way";
}

KeptStates::~KeptStates() {
  static_cast<void>(::rmdir(folder_.c_str()));
}

std::filesystem::path KeptStates::file(const Place& trial) const {
  return folder_ / (results::hex(trial.first) + "-" + std::to_string(trial.second));
}

void KeptStates::remove(const Place& trial) const {
  ::unlink(file(trial).c_str());
}

void KeptStates::remove_leftovers(const std::vector<Place>& finished) const {
  if (!is_own_folder(folder_)) return;
  for (const auto& trial : finished) remove(trial);
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error))
    if (is_unfinished(*at)) ::unlink(at->path().c_str());
}

bool ended_from_outside(const results::TrialRecord& record) {
  using results::Status;
  return record.status == Status::timeout ||
         (record.status == Status::killed && record.signal && (*record.signal == SIGKILL || *record.signal == SIGTERM));
}

}  // namespace retrial::harness::inline run::inline commit
