#include "harness/program/commands.hpp"
#include "harness/program/help.hpp"
#include "harness/program/man_page.hpp"
#include "harness/study/file/study_keys.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::man_page_tests {

using namespace retrial;

TEST_CASE("the manual of a command has every option of its help", "[manual]") {
  for (const auto& command : harness::all_commands()) {
    const std::string page = harness::command_manual(command);
    INFO(page);
    CHECK_THAT(page, has_text(".TH RETRIAL"));
    for (const auto& option : command.options) {
      std::string name = option.name;
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      CHECK_THAT(page, has_text("\\fB\\-\\-" + name + "\\fR"));
    }
  }
}

TEST_CASE("no line of a manual begins with a control character that its text holds", "[manual]") {
  harness::Command command{.name = "x", .purpose = "'quoted \\ at the start"};
  command.examples = {".hidden", "'a'"};
  const std::string page = harness::command_manual(command);
  CHECK_THAT(page, has_text("\n\\&.hidden\n\\&'a'\n"));
  CHECK_THAT(page, has_text("\\&'quoted \\e at the start"));
}

TEST_CASE("every key of a study file is in its manual", "[manual]") {
  const std::string page = harness::study_manual();
  for (const auto& key : harness::study_keys()) CHECK_THAT(page, has_text("\\fB" + key.name + "\\fR = "));
}

TEST_CASE("scripts and manuals are printed by the program itself", "[manual]") {
  CHECK(fixture::retrial({"--generate", "man"}).out == harness::program_manual());
  CHECK(fixture::retrial({"--generate", "man", "show"}).out == harness::command_manual(harness::find_command("show")));
  CHECK_THAT(fixture::retrial({"--generate", "fish"}).out, has_text("complete -c retrial"));
  const auto wrong = fixture::retrial({"--generate", "tcsh"});
  CHECK(wrong.exit == 2);
  CHECK_THAT(wrong.err, has_text("allowed: bash, zsh, fish, man"));
}

}  // namespace retrial::tests::man_page_tests
