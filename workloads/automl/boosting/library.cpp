#include "workloads/automl/boosting/library.hpp"

#include <cstdlib>

#include "results/digest/sha256.hpp"
#include "workloads/data/files/fetched.hpp"

namespace retrial::automl::inline boosting {

namespace {

/// Threads of OpenMP sleep while they wait, as long as it lives: a library reads this once, when it is opened. Threads
/// that spin instead make a training 100 times as slow on a machine whose CPUs are busy. No child process inherits it.
class PassiveWaiting {
 public:
  PassiveWaiting() : asked_(std::getenv(name) != nullptr) { ::setenv(name, "PASSIVE", 0); }
  ~PassiveWaiting() {
    if (!asked_) ::unsetenv(name);
  }
  PassiveWaiting(const PassiveWaiting&) = delete;
  PassiveWaiting& operator=(const PassiveWaiting&) = delete;

 private:
  static constexpr const char* name = "OMP_WAIT_POLICY";
  bool asked_;
};

struct Wanted {
  std::string file;  ///< empty: neither named nor fetched
  bool named = false;
};

Wanted wanted(const char* variable, const std::string& fetched) {
  if (const char* given = std::getenv(variable); given != nullptr && *given != '\0') return {given, true};
  const auto found = data::found_by_setup(fetched);
  return {found ? found->string() : ""};
}

data::SharedLibrary opened(const char* variable, const Wanted& from, const std::vector<const char*>& names) {
  if (from.file.empty()) return data::SharedLibrary("its library was not fetched");
  const PassiveWaiting passive;
  data::SharedLibrary library(from.file, names);
  if (!from.named || library.absent().empty()) return library;
  return data::SharedLibrary(std::string(variable) + ": " + library.absent());
}

}  // namespace

Library::Library(const char* variable, const std::string& fetched, const std::vector<const char*>& names)
    : SharedLibrary(opened(variable, wanted(variable, fetched), names)) {
  if (absent().empty()) sha256_ = results::hex(results::sha256_file(wanted(variable, fetched).file));
}

}  // namespace retrial::automl::inline boosting
