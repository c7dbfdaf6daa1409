// A few lines of shell around the program, in a folder of their own: for mounts, limits and namespaces.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/harness/program/program.hpp"

namespace retrial::tests {

inline std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs `script` in `folder` with $retrial as the front end; its temporary folder is `folder`/tmp. `wrapper` is what
/// starts the shell: "unshare -rm" for mounts of its own.
inline Ran shell(const Folder& folder, const std::string& script, const std::string& wrapper = "") {
  std::filesystem::create_directories(folder / "tmp");
  write_file(folder / "script", "cd '" + folder.path.string() +
                                    "'\nexport HOME=$PWD XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp\n" +
                                    "retrial='" RETRIAL_CORE_PROGRAM "'\n" + script);
  const auto place = [&](const char* name) { return " '" + (folder / name) + "'"; };
  const int status = std::system(
      (wrapper + " sh" + place("script") + " >" + place("script.out") + " 2>" + place("script.err") + " </dev/null")
          .c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = text_of_file(folder / "script.out"),
          .err = text_of_file(folder / "script.err")};
}

/// Whether this machine lets us do that; a test that cannot says so and leaves itself out.
inline bool allowed(const std::string& wrapper, const std::string& script = "true") {
  const Folder folder;
  return shell(folder, script, wrapper).code == 0;
}

}  // namespace retrial::tests
