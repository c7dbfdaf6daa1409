#include "workloads/command/surroundings/git_state.hpp"

#include <map>
#include <sstream>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "workloads/command/process/out_folder.hpp"
#include "workloads/command/surroundings/question.hpp"

namespace retrial::workloads::command::inline surroundings {

namespace {

namespace fs = std::filesystem;

bool in_work_tree(const fs::path& folder) {
  std::error_code ignored;
  for (auto at = folder; !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return true;
    if (at == at.parent_path()) break;
  }
  return false;
}

/// Nothing is locked or refreshed in the user's repository, and words are in English.
Answer ask_git(const fs::path& folder, std::vector<std::string> arguments) {
  std::vector<std::string> argv{"git", "-C", folder.string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return ask(argv, {}, {"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"});
}

Json diff_digest(const fs::path& folder) {
  const OutFolder scratch({}, false);
  const auto file = scratch.path() / "diff";
  const auto answer = ask_git(folder, {"diff", "--no-ext-diff", "--no-color", "--output=" + file.string(), "HEAD"});
  std::error_code ignored;
  if (!answer.given || !fs::exists(file, ignored)) return nullptr;
  return results::hex(results::sha256_file(file));
}

Json asked_state(const fs::path& folder) {
  const auto status = ask_git(folder, {"status", "--porcelain=v2", "--branch", "--untracked-files=no"});
  if (!status.given) return {{"problem", status.text}};
  auto state = git_state_from(status.text);
  if (!state.at("commit").is_null() && state.at("changed_files") != 0) state["diff"] = diff_digest(folder);
  return state;
}

}  // namespace

Json git_state_from(const std::string& status) {
  Json state{{"commit", nullptr}, {"branch", nullptr}, {"changed_files", 0}, {"diff", nullptr}};
  std::istringstream lines(status);
  int changed = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto behind = [&](const std::string& key) { return results::one_line(line.substr(key.size()), 200); };
    if (const std::string key = "# branch.oid "; line.starts_with(key))
      state["commit"] = behind(key) == "(initial)" ? Json() : Json(behind(key));
    else if (const std::string name = "# branch.head "; line.starts_with(name))
      state["branch"] = behind(name) == "(detached)" ? Json() : Json(behind(name));
    else if (!line.empty() && line[0] != '#')
      ++changed;
  }
  state["changed_files"] = changed;
  return state;
}

Json git_state_of(const fs::path& folder) {
  static std::map<std::string, Json> known;
  const auto absolute = fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal();
  const auto [found, fresh] = known.try_emplace(absolute.string());
  if (fresh && in_work_tree(absolute)) found->second = asked_state(absolute);
  return found->second;
}

}  // namespace retrial::workloads::command::inline surroundings
