#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <vector>

namespace retrial::harness::inline system {

/// Names the files of some folders that any process has opened, or put there by a rename, since the watch began. The
/// kernel reports them (inotify): nothing is changed in the programs, and a file costs about a microsecond.
class OpenedFiles {
 public:
  OpenedFiles();
  ~OpenedFiles();
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;

  /// Not its subfolders. A folder that does not exist yet is watched as soon as it does; its first files count.
  void watch(const std::filesystem::path& folder);
  /// Those since the last call.
  [[nodiscard]] std::set<std::filesystem::path> take();
  /// False where the kernel refused to watch a folder, or dropped reports because they were not read in time.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  [[nodiscard]] bool begin(const std::filesystem::path& folder);
  void begin_waiting(std::set<std::filesystem::path>& opened);

  int fd_;
  bool complete_ = true;
  std::map<int, std::filesystem::path> watched_;
  std::vector<std::filesystem::path> waiting_;
};

}  // namespace retrial::harness::inline system
