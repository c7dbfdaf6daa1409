#include "harness/system/own_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace retrial::harness::inline system {

bool is_own_folder(const std::filesystem::path& folder) {
  struct stat facts {};
  return ::lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == ::geteuid() &&
         (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace retrial::harness::inline system
