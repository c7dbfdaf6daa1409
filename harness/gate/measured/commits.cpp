#include "harness/gate/measured/commits.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "harness/gate/gate_page.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/surroundings/git_state.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

namespace fs = std::filesystem;

/// The full name of a revision; empty where git or the revision is missing.
std::string resolved(const std::string& revision) {
  const std::string command =
      "git rev-parse --verify --quiet --end-of-options " + shell_word(revision + "^{commit}") + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  for (int c = 0; output && (c = std::fgetc(output.get())) != EOF && c != '\n';) text += static_cast<char>(c);
  return text;
}

bool is_hex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Work trees of the files that a command names; its working folder where it names none of its own.
std::vector<Json> work_trees(const workloads::Declaration& declaration, const Values& values) {
  std::set<fs::path> folders;
  bool own_file = false;
  for (const auto& file : declaration.program_files(values).files) {
    own_file = own_file || file.name.find('/') != std::string::npos || !folders.empty();
    folders.insert(fs::absolute(file.path).lexically_normal().parent_path());
  }
  std::vector<Json> out;
  for (const auto& folder : folders)
    if (Json state = workloads::command::git_state_of(folder); !state.is_null()) out.push_back(std::move(state));
  if (out.empty() && !own_file)
    if (Json state = workloads::command::git_state_of(text_in(values, "workdir")); !state.is_null())
      out.push_back(std::move(state));
  return out;
}

}  // namespace

std::string commit_named(const std::optional<std::string>& word) {
  if (word && (word->empty() || word->size() > 200 || results::one_line(*word, 200) != *word))
    throw Error({.code = "usage.option_value",
                 .field = "--commit",
                 .value = results::one_line(*word, 100),
                 .problem = "is no name of a commit",
                 .allowed = "1 to 200 bytes in one line"});
  if (const auto name = resolved(word.value_or("HEAD")); !name.empty()) return name;
  if (word) return *word;
  throw Error({.code = "usage.missing_option",
               .field = "--commit",
               .problem = "must be given: this folder is in no git repository with a commit",
               .help = "retrial gate --kind paired_sign --history watch.db --commit NAME ..."});
}

bool same_commit(const std::string& one, const std::string& other) {
  constexpr std::size_t least = 6;
  const auto begins = [](const std::string& whole, const std::string& part) {
    return part.size() >= least && is_hex(part) && is_hex(whole) && whole.starts_with(part);
  };
  return one == other || begins(one, other) || begins(other, one);
}

SideCommit commit_of_variant(const PlannedSuite& suite, const std::string& variant) {
  std::set<std::string> found;
  for (const Bench& bench : suite.benches) {
    const auto& declaration = workloads::find_workload(bench.study.workload, "");
    const auto at = std::ranges::find(bench.study.variants, variant, &StudyVariant::name);
    if (at == bench.study.variants.end()) continue;
    if (!declaration.program_files) return {{}, "workload " + bench.study.workload + " is no program of a repository"};
    const auto trees = work_trees(declaration, at->values);
    if (trees.empty()) return {{}, "its program is in no git repository"};
    for (const Json& tree : trees) {
      if (tree.contains("problem"))
        return {{}, "git does not tell: " + results::one_line(tree.at("problem").get<std::string>(), 200)};
      if (tree.at("commit").is_null()) return {{}, "the repository of its program has no commit"};
      const auto commit = tree.at("commit").get<std::string>();
      if (const auto changed = tree.at("changed_files").get<std::int64_t>(); changed > 0)
        return {{},
                counted(changed, "tracked file") + " of its repository changed since commit " + short_commit(commit)};
      found.insert(commit);
    }
  }
  if (found.size() == 1) return {*found.begin(), ""};
  return {{}, found.empty() ? "it has no program" : "its programs are in repositories at different commits"};
}

std::array<SideCommit, 2> commits_of_sides(const PlannedSuite& suite) {
  std::array<SideCommit, 2> out{commit_of_variant(suite, suite.baseline), commit_of_variant(suite, suite.candidate)};
  if (out[base].name && out[base].name == out[head].name)
    out[base] = {{}, "its program is in the work tree of the candidate"};
  return out;
}

}  // namespace retrial::harness::inline gate::inline measured
