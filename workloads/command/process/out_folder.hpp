#pragma once

#include <filesystem>

namespace retrial::workloads::command::inline process {

/// The folder {out} of one trial. Created if missing; removed at the end with its contents, unless it is to be kept.
/// Without a path, it is a new folder in the temporary folder.
class OutFolder {
 public:
  OutFolder(const std::filesystem::path& wanted, bool keep);
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool keep_;
};

}  // namespace retrial::workloads::command::inline process
