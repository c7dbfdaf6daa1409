#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

namespace retrial::harness::inline system {

/// Use of a file that is reported.
enum class FileUse {
  opened,   ///< in any way, or put there by a rename
  read,     ///< closed by a process that could not write to it
  written,  ///< closed by a process that could write to it, or put there by a rename
};

/// Names the files of some folders that any process has used since the watch began. The kernel reports them (inotify):
/// nothing is changed in the programs, and a file costs about a microsecond.
class OpenedFiles {
 public:
  explicit OpenedFiles(FileUse use = FileUse::opened);
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
  std::uint32_t mask_;
  bool complete_ = true;
  std::map<int, std::filesystem::path> watched_;
  std::vector<std::filesystem::path> waiting_;
};

}  // namespace retrial::harness::inline system
