#pragma once

#include "workloads/data/files/shared_library.hpp"

namespace retrial::automl::inline boosting {

/// A library of learners: the file that an environment variable names, else what scripts/setup fetched.
class Library : public data::SharedLibrary {
 public:
  Library(const char* variable, const std::string& fetched, const std::vector<const char*>& names);
  /// SHA-256 of the file, 64 hex digits; empty where it is absent.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }

 private:
  std::string sha256_;
};

}  // namespace retrial::automl::inline boosting
