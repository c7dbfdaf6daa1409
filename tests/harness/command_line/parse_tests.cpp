// The command line itself: splitting, options, help, errors. No store is opened.
#include <set>

#include "harness/command_line/parse.hpp"
#include "harness/program/commands.hpp"
#include "harness/program/help.hpp"
#include "harness/text/version.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::parse_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Answer;

namespace {

const Command sample{
    .name = "sample",
    .group = "run",
    .purpose = "for tests",
    .examples = {"retrial sample x"},
    .arguments = "X",
    .options = {{.name = "db", .letter = 'd', .value_name = "FILE", .meaning = "a file"},
                {.name = "set", .value_name = "KEY=VALUE", .meaning = "a key", .repeats = true},
                {.name = "require", .value_name = "WORD", .meaning = "a word", .choices = {"better", "equivalent"}},
                {.name = "env", .value_name = "[NAME,...]", .meaning = "a flag that may have a list"},
                {.name = "json", .meaning = "a flag"}}};

ErrorText error_of(const std::vector<std::string>& words) {
  try {
    (void)parse(sample, words);
  } catch (const Error& error) {
    return error.text;
  }
  return {.problem = "no error"};
}

}  // namespace

TEST_CASE("options may come before or after the arguments", "[cli]") {
  const auto arguments = parse(sample, {"one", "--db", "x.db", "two", "--json"});
  CHECK(arguments.positional == std::vector<std::string>{"one", "two"});
  CHECK(arguments.value("db") == "x.db");
  CHECK(arguments.has("json"));
  CHECK_FALSE(arguments.has("set"));
}

TEST_CASE("an option may lack its value, and takes a next word only if that is a list of names", "[cli]") {
  const auto given = [](const std::vector<std::string>& words) {
    const auto arguments = parse(sample, words);
    return std::pair(arguments.value("env").value_or("none"), arguments.positional);
  };
  using Rest = std::vector<std::string>;
  CHECK(given({"--env"}) == std::pair(std::string("none"), Rest{}));
  CHECK(given({"--env", "init,data-order"}) == std::pair(std::string("init,data-order"), Rest{}));
  CHECK(given({"--env=init", "x"}) == std::pair(std::string("init"), Rest{"x"}));
  CHECK(given({"--env", "--json"}) == std::pair(std::string("none"), Rest{}));
  CHECK(given({"--env", "study.toml"}) == std::pair(std::string("none"), Rest{"study.toml"}));
  CHECK(given({"--env", "a/b"}) == std::pair(std::string("none"), Rest{"a/b"}));
  CHECK(parse(sample, {"--env"}).has("env"));
  CHECK_THAT(error_of({"--env", "a", "--env", "b"}).problem, has_text("given twice"));
}

TEST_CASE("two dashes end the options", "[cli]") {
  const auto arguments = parse(sample, {"--json", "--", "--db", "-x"});
  CHECK(arguments.positional == std::vector<std::string>{"--db", "-x"});
  CHECK_FALSE(arguments.has("db"));
}

TEST_CASE("a value may follow an equals sign, and a letter its name", "[cli]") {
  CHECK(parse(sample, {"--db=x=y.db"}).value("db") == "x=y.db");
  CHECK(parse(sample, {"-d", "x.db"}).value("db") == "x.db");
  CHECK(parse(sample, {"-dx.db"}).value("db") == "x.db");
}

TEST_CASE("an option that repeats keeps its values in order", "[cli]") {
  CHECK(parse(sample, {"--set", "b=2", "x", "--set=a=1"}).values("set") == std::vector<std::string>{"b=2", "a=1"});
  CHECK(parse(sample, {}).values("set").empty());
}

TEST_CASE("an option that does not repeat is refused when it does", "[cli]") {
  CHECK(error_of({"--db", "a", "--db", "b"}).problem == "given twice, but takes one value");
}

TEST_CASE("option names are not abbreviated", "[cli]") {
  const auto text = error_of({"--jso"});
  CHECK(text.field == "--jso");
  CHECK(text.problem == "unknown option");
  CHECK(text.help == "did you mean --json? see: retrial sample --help");
}

TEST_CASE("an unknown option without a neighbour names the help", "[cli]") {
  CHECK(error_of({"--entirely-else"}).help == "see: retrial sample --help");
}

TEST_CASE("a missing and an empty value are errors of their option", "[cli]") {
  CHECK(error_of({"--db"}).problem == "needs a value: --db FILE");
  CHECK(error_of({"--db="}).field == "--db");
  CHECK(error_of({"--db", ""}).problem == "needs a value that is not empty");
  CHECK(error_of({"--db", "--json"}).problem == "needs a value: --db FILE");
}

TEST_CASE("a flag takes no value", "[cli]") {
  CHECK(error_of({"--json=yes"}).problem == "takes no value");
}

TEST_CASE("a word outside the choices suggests its neighbour", "[cli]") {
  const auto text = error_of({"--require", "beter"});
  CHECK(text.value == "beter");
  CHECK(text.allowed == "better, equivalent");
  CHECK(text.help == "did you mean --require better?");
}

TEST_CASE("numbers are read whole or refused with the allowed values", "[cli]") {
  Arguments arguments;
  arguments.options["jobs"] = {"12banana"};
  CHECK_THROWS_WITH(arguments.integer("jobs", 1, 64),
                    "--jobs = 12banana: not a whole number (allowed: whole numbers from 1 to 64)");
  arguments.options["jobs"] = {"65"};
  CHECK_THROWS_WITH(arguments.integer("jobs", 1, 64), has_text("out of range"));
  arguments.options["jobs"] = {"64"};
  CHECK(arguments.integer("jobs", 1, 64) == 64);
  CHECK_FALSE(arguments.integer("pairs", 1, 64).has_value());
}

TEST_CASE("an open end of a range is not allowed itself", "[cli]") {
  Arguments arguments;
  const workloads::Range range{.low = 0, .high = 0.5, .low_open = true, .high_open = true};
  for (const char* text : {"0", "0.5", "nan", "inf", "0.1x", "-3"}) {
    arguments.options["alpha"] = {text};
    CHECK_THROWS_AS(arguments.number("alpha", range), Error);
  }
  arguments.options["alpha"] = {"0.25"};
  CHECK(arguments.number("alpha", range) == 0.25);
}

TEST_CASE("a seed may be any number of 64 bits", "[cli]") {
  Arguments arguments;
  arguments.options["seed"] = {"18446744073709551615"};
  CHECK(arguments.u64("seed") == 18446744073709551615ULL);
  arguments.options["seed"] = {"0xff"};
  CHECK(arguments.u64("seed") == 255ULL);
  arguments.options["seed"] = {"18446744073709551616"};
  CHECK_THROWS_AS(arguments.u64("seed"), Error);
}

TEST_CASE("global options come before the command", "[cli]") {
  const auto line = split_line({"--color", "never", "show", "x.db", "--json"});
  CHECK(line.command == "show");
  CHECK(line.global.colour == "never");
  CHECK(line.rest == std::vector<std::string>{"x.db", "--json"});
  CHECK(split_line({}).command.empty());
  CHECK(split_line({"--version", "--json"}).global.json);
}

TEST_CASE("a mistyped command suggests its neighbour", "[cli]") {
  const Answer answer = fixture::retrial({"compair"});
  CHECK(answer.exit == 2);
  CHECK(answer.out.empty());
  CHECK(answer.err == "retrial: error: compair: unknown command\nhelp: did you mean: retrial compare\n");
}

TEST_CASE("errors under --json are one document on standard error", "[cli]") {
  const Answer answer = fixture::retrial({"show", "none.db", "--json"});
  CHECK(answer.exit == 4);
  CHECK(answer.out.empty());
  const Json error = results::parse_json(answer.err, "stderr").at("error");
  CHECK(error.at("code") == "store.missing");
  CHECK(error.at("exit") == 4);
  CHECK(error.at("where") == "none.db");
  CHECK(answer.err.find('\n') == answer.err.size() - 1);
}

TEST_CASE("retrial without arguments prints the help, which has every command", "[cli]") {
  const Answer answer = fixture::retrial({});
  CHECK(answer.exit == 0);
  CHECK(answer.err.empty());
  for (const Command& command : all_commands()) CHECK_THAT(answer.out, has_text("  " + command.name + " "));
}

TEST_CASE("the help of every command begins with examples and names each option", "[cli]") {
  for (const Command& command : all_commands()) {
    CAPTURE(command.name);
    const Answer answer = fixture::retrial({command.name, "--help"});
    CHECK(answer.exit == 0);
    CHECK(answer.out.starts_with("Examples\n  retrial " + command.name));
    for (const Option& option : command.options) {
      CHECK_THAT(answer.out, has_text("--" + option.name));
      CHECK_FALSE(option.meaning.empty());
    }
    CHECK(fixture::retrial({"help", command.name}).out == answer.out);
    CHECK(fixture::retrial({command.name, "-h"}).out == answer.out);
  }
}

TEST_CASE("no command has two options of one name, flags of workloads included", "[cli]") {
  for (const Command& command : all_commands()) {
    std::set<std::string> names;
    for (const Option& option : command.options) {
      CAPTURE(command.name, option.name);
      CHECK(names.insert(option.name).second);
    }
  }
}

TEST_CASE("flags of a workload are offered by the commands that plan trials, and by no other", "[cli]") {
  for (const Command& command : all_commands()) {
    const bool plans = std::set<std::string>{"run", "plan", "check", "gate", "calibrate"}.contains(command.name);
    const auto groups = option_groups(command);
    CAPTURE(command.name);
    std::vector<std::string> of_workloads;
    for (const auto& group : groups)
      if (group.title.starts_with("Options of the workload")) of_workloads.push_back(group.title);
    CHECK(of_workloads ==
          (plans ? std::vector<std::string>{"Options of the workload command"} : std::vector<std::string>{}));
    CHECK(groups.front().options.back().name == (command.brief.empty() ? "help" : "help-all"));
  }
}

TEST_CASE("the help never runs over the width it is given", "[cli]") {
  for (const Command& command : all_commands()) {
    std::istringstream lines(command_help(command, 100));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(command.name, line);
      CHECK((line.size() <= 100 || line.starts_with("  retrial ")));  // examples are copied, not wrapped
    }
  }
}

TEST_CASE("every command of the table refuses an option it does not have", "[cli]") {
  for (const Command& command : all_commands()) {
    const Answer answer = fixture::retrial({command.name, "--no-such-option"});
    CAPTURE(command.name, answer.err);
    CHECK(answer.exit == 2);
    CHECK(answer.out.empty());
  }
}

TEST_CASE("the version is one line, or a document", "[cli]") {
  CHECK(fixture::retrial({"--version"}).out == version_line() + "\n");
  CHECK(results::parse_json(fixture::retrial({"--version", "--json"}).out, "stdout").at("schema") ==
        "retrial.version/1");
}

}  // namespace retrial::tests::parse_tests
