#include "workloads/command/surroundings/git_state.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::git_state_tests {

using namespace retrial;
using namespace retrial::workloads::command;

namespace {

std::string shell(const test::Folder& folder, const std::string& script) {
  const auto done =
      run_program({{"/bin/sh", "-c", script},
                   {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + folder.path().string(), "GIT_AUTHOR_NAME=a",
                    "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"},
                   folder.path()});
  INFO(done.output.text());
  REQUIRE(done.exit_code == 0);
  const auto text = done.output.text();
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

}  // namespace

TEST_CASE("commit, branch and changed files are read from the porcelain of git") {
  // The form is that of git-status(1), "Porcelain Format Version 2".
  const auto state = git_state_from(
      "# branch.oid 2b1da3d4c70ec3bd04dc4f9e57ee1c54d1e7e92d\n# branch.head main\n"
      "1 .M N... 100644 100644 100644 1 1 a.py\n2 R. N... 100644 100644 100644 1 1 R100 c.py\tb.py\n");
  CHECK(state == Json{{"commit", "2b1da3d4c70ec3bd04dc4f9e57ee1c54d1e7e92d"},
                      {"branch", "main"},
                      {"changed_files", 2},
                      {"diff", nullptr}});
  const auto young = git_state_from("# branch.oid (initial)\n# branch.head (detached)\n");
  CHECK(young.at("commit").is_null());
  CHECK(young.at("branch").is_null());
}

TEST_CASE("a folder below a work tree has its commit, and the digest of its diff is the one that sha256sum prints") {
  if (!program_file("git", {})) {
    WARN("left out: no git in PATH");
    return;
  }
  const test::Folder folder;
  CHECK(git_state_of(folder.path()).is_null());
  folder.write("sub/a.py", "1\n");
  shell(folder, "git init -q -b trunk && git add . && git commit -q -m one");
  const auto clean = git_state_of(folder.path() / "sub");
  CHECK(clean.at("commit") == shell(folder, "git rev-parse HEAD"));
  CHECK(clean.at("branch") == "trunk");
  CHECK(clean.at("diff").is_null());
  folder.write("sub/a.py", "2\n");
  const auto dirty = git_state_of(folder.path() / "sub/.");  // another spelling: each is asked once
  CHECK(dirty.at("changed_files") == 1);
  CHECK(dirty.at("diff").get<std::string>() + "  -" == shell(folder, "git diff --no-ext-diff HEAD | sha256sum"));
}

}  // namespace retrial::tests::git_state_tests
