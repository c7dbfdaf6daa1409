#pragma once

#include <filesystem>

namespace retrial::workloads::command::inline process {

/// The folder {out} of one trial, made when it does not exist; removed at the end with all that is in it, unless
/// it is to be kept. Without a place for it, one in the temporary folder is taken.
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
