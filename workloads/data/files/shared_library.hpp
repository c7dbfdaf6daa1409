#pragma once

#include <string>
#include <vector>

namespace retrial::data::inline files {

/// A shared library that is opened at run time and stays open. Nothing is linked.
class SharedLibrary {
 public:
  /// Opens a path, or a name that the loader finds, and looks for all names.
  SharedLibrary(const std::string& file, const std::vector<const char*>& names);
  /// One that is not there, for this reason.
  explicit SharedLibrary(std::string absent) : absent_(std::move(absent)) {}

  /// Why it cannot be used; empty where it can.
  [[nodiscard]] const std::string& absent() const { return absent_; }
  /// A function of it; it must be one of the names that were looked for.
  template <typename Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  std::string absent_;
  void* handle_ = nullptr;
};

}  // namespace retrial::data::inline files
