#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace retrial::automl::inline boosting {

/// A shared library that is opened at run time and stays open. Nothing is linked.
class Library {
 public:
  /// Where it was found, or why it is absent: one of the two is empty.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::string& absent() const { return absent_; }
  /// SHA-256 of the file, 64 hex digits.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }
  /// A function of it; it must be one of the names that were checked.
  template <typename Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  /// Opens the file that the environment variable names, else what scripts/setup fetched, and looks for all names.
  Library(const char* variable, const std::string& fetched, const std::vector<const char*>& names);

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  std::filesystem::path file_;
  std::string absent_, sha256_;
  void* handle_ = nullptr;
};

}  // namespace retrial::automl::inline boosting
