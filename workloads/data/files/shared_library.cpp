#include "workloads/data/files/shared_library.hpp"

#include <dlfcn.h>

#include "results/text/text.hpp"

namespace retrial::data::inline files {

SharedLibrary::SharedLibrary(const std::string& file, const std::vector<const char*>& names)
    : handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    absent_ = results::one_line(::dlerror());
    return;
  }
  for (const char* name : names)
    if (symbol(name) == nullptr) {
      absent_ = file + ": no function " + name;
      return;
    }
}

void* SharedLibrary::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

}  // namespace retrial::data::inline files
