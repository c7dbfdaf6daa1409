#include "workloads/automl/boosting/library.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/datasets/program_folder.hpp"

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

}  // namespace

Library::Library(const char* variable, const std::string& fetched, const std::vector<const char*>& names) {
  const char* given = std::getenv(variable);
  const bool asked = given != nullptr && *given != '\0';
  const auto found = asked ? std::optional<std::filesystem::path>(given) : found_by_setup(fetched);
  if (!found) {
    absent_ = "its library was not fetched";
    return;
  }
  const PassiveWaiting passive;
  handle_ = ::dlopen(found->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    absent_ = (asked ? std::string(variable) + ": " : "") + results::one_line(::dlerror());
    return;
  }
  for (const char* name : names)
    if (symbol(name) == nullptr) {
      absent_ = found->string() + ": no function " + name;
      return;
    }
  file_ = *found;
  sha256_ = results::hex(results::sha256_file(file_));
}

void* Library::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

}  // namespace retrial::automl::inline boosting
