#pragma once

#include <filesystem>
#include <string>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline surroundings {

/// The work tree that holds a folder: {commit, branch, changed_files, diff}. `diff` is what
/// `git diff --no-ext-diff HEAD | sha256sum` prints, null where nothing that git knows has been changed. {problem}
/// where git does not tell. Null outside of any work tree.
[[nodiscard]] Json git_state_of(const std::filesystem::path& folder);

/// The same from the output of `git status --porcelain=v2 --branch --untracked-files=no`, without the diff.
[[nodiscard]] Json git_state_from(const std::string& status);

}  // namespace retrial::workloads::command::inline surroundings
