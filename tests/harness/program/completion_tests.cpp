// Completions at the cursor. The shells themselves are driven by tests/cli/shells.py.
#include <algorithm>
#include <fstream>

#include "harness/program/commands.hpp"
#include "harness/program/completion.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::completion_tests {

using namespace retrial;
using harness::completions;
using Words = std::vector<std::string>;

namespace {

Words words_at(const Words& line) {
  Words out;
  for (const auto& candidate : completions(line)) out.push_back(candidate.word);
  return out;
}

bool offers(const Words& line, const std::string& word) {
  const Words words = words_at(line);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("an empty line offers every command, each with its purpose", "[completion]") {
  const auto found = completions({""});
  CHECK(found.size() == harness::all_commands().size());
  for (const auto& candidate : found) CHECK_FALSE(candidate.meaning.empty());
}

TEST_CASE("a begun command is finished, a wrong one is not", "[completion]") {
  CHECK(words_at({"comp"}) == Words{"compare"});
  CHECK(words_at({"compxx"}).empty());
  CHECK(words_at({"--color", "always", "comp"}) == Words{"compare"});
}

TEST_CASE("every option of every command is offered after two dashes", "[completion]") {
  for (const auto& command : harness::all_commands())
    for (const auto& option : command.options) {
      INFO(command.name << " --" << option.name);
      CHECK(offers({command.name, "--"}, "--" + option.name));
    }
  CHECK_FALSE(offers({"list", "--"}, "--metric"));
}

TEST_CASE("a value is chosen from the words of its option, after a blank or an equals sign", "[completion]") {
  CHECK(words_at({"compare", "--require", "be"}) == Words{"better"});
  CHECK(words_at({"compare", "--require=be"}) == Words{"--require=better"});
  CHECK(words_at({"--color", "ne"}) == Words{"never"});
}

TEST_CASE("a formula is chosen by its name", "[completion]") {
  CHECK(words_at({"show", "--formula", "sc_co"}) == Words{"sc_coefficients"});
  CHECK(words_at({"show", "--formula=sc_co"}) == Words{"--formula=sc_coefficients"});
}

TEST_CASE("a data set is described by its name, a folder verified by its path", "[completion]") {
  CHECK(words_at({"data", "des"}) == Words{"describe"});
  CHECK(words_at({"data", "describe", "fash"}) == Words{"fashion"});
  CHECK(words_at({"reproduce", "kd"}) == Words{"kd-survey"});
  CHECK_FALSE(offers({"data", "verify", ""}, "fashion"));
  CHECK(words_at({"data", "corrupt", "--name", "bright"}) == Words{"brightness"});
  CHECK(words_at({"data", "corrupt", "--dataset", "fash"}) == Words{"fashion"});
}

TEST_CASE("stores, trials, variants and metrics come from the store that the line names", "[completion]") {
  const fixture::Folder here;
  fixture::write_store("quick.db");
  CHECK(words_at({"compare", "qu"}) == Words{"quick.db"});
  CHECK(words_at({"show", "quick.db", "new/1"}) == Words{"new/1"});
  CHECK(words_at({"replay", "plain/4"}) == Words{"plain/4"});  // the only store of the folder
  CHECK(words_at({"compare", "quick.db", "--candidate", ""}) == Words{"new", "plain"});
  CHECK(words_at({"explain", "quick.db", "new/0", "plain/2"}) == Words{"plain/2"});
  CHECK(words_at({"explain", "quick.db", "new/0", "qu"}) == Words{"quick.db"});
  CHECK(words_at({"explain", "quick.db", "new/0", "quick.db", "plain/2"}) == Words{"plain/2"});
  CHECK(words_at({"compare", "quick.db", "qu"}) == Words{"quick.db"});
  CHECK(words_at({"status", "quick.db", "--study", ""}) == Words{"quick"});
}

TEST_CASE("a study file gives its variants, a workload its keys, sources and metrics", "[completion]") {
  const fixture::Folder here;
  std::ofstream("two.toml") << "schema = 1\nworkload = \"null\"\n[variant.left]\n[variant.right]\n";
  CHECK(words_at({"run", "tw"}) == Words{"two.toml"});
  CHECK(words_at({"run", "two.toml", "--baseline", ""}) == Words{"left", "right"});
  CHECK(words_at({"run", "distil"}) == Words{"distillation"});
  CHECK(words_at({"run", "distillation", "--set", "tempe"}) == Words{"temperature="});
  CHECK(words_at({"run", "distillation", "--set", "t_squared="}) == Words{"t_squared=false", "t_squared=true"});
  CHECK(words_at({"run", "distillation", "--vary", "init,data-o"}) == Words{"init,data-order"});
  CHECK(words_at({"run", "distillation", "--metric", "test_acc"}) == Words{"test_accuracy"});
  CHECK(words_at({"plan", "distillation", "--mode", "determ"}) == Words{"deterministic", "deterministic,cuda"});
}

TEST_CASE("folders are offered to be continued, hidden files only when they are begun", "[completion]") {
  const fixture::Folder here;
  std::filesystem::create_directory("stores");
  fixture::write_store("stores/a.db");
  std::ofstream("stores/note.txt") << "x";
  std::ofstream(".hidden.db") << "x";
  CHECK(words_at({"compare", ""}) == Words{"stores/"});
  CHECK(words_at({"compare", "stores/"}) == Words{"stores/a.db"});
  CHECK(words_at({"compare", ".h"}) == Words{".hidden.db"});
}

TEST_CASE("a line that makes no sense has no candidates and no message", "[completion]") {
  const fixture::Folder here;
  std::ofstream("broken.toml") << "schema = ";
  std::ofstream("broken.db") << "no store";
  CHECK(words_at({"run", "broken.toml", "--baseline", ""}).empty());
  CHECK(words_at({"show", "broken.db", ""}).empty());
  CHECK(words_at({"nonsense", ""}).empty());
  const auto answer = fixture::retrial({"--complete", "--", "show", "broken.db", ""});
  CHECK(answer.exit == 0);
  CHECK(answer.out.empty());
  CHECK(answer.err.empty());
}

TEST_CASE("a name that does not fit on one line is left out, not cut in two", "[completion]") {
  const fixture::Folder here;
  std::ofstream("a\nb.db") << "x";
  CHECK(fixture::retrial({"--complete", "--", "compare", "a"}).out.empty());
}

}  // namespace retrial::tests::completion_tests
