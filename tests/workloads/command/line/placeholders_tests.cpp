#include "workloads/command/line/placeholders.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::placeholders_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;

namespace {

// source_seed(42, "init", 7) of the specification of randomness, section 5.
constexpr std::uint64_t reference = 0x406e6b5de64c0d5d;

Trial reference_trial() {
  Trial trial{.workload = "command", .variant = "a", .pair = 7};
  trial.seeds = {{"seed", reference}, {"init", ~std::uint64_t{0}}, {"data-order", std::uint64_t{1} << 33}};
  return trial;
}

std::string fill(const std::string& text) {
  return filled(text, reference_trial(), "/tmp/o");
}

std::vector<std::string> lines_starting(const std::string& text, const std::string& prefix) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(prefix)) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> honoured_under(const Values& values) {
  const auto& declaration = find_workload("command", "");
  return declaration.honours(resolved(declaration, values));
}

}  // namespace

// 0x406e6b5de64c0d5d >> 33 = 0x203735ae = 540489134, by hand; the greatest is 2^31 - 1.
TEST_CASE("placeholders are replaced by their values") {
  CHECK(fill("--seed {seed} {seed64} {pair} {out}/m") == "--seed 540489134 4642766316905434461 7 /tmp/o/m");
  CHECK(fill("{seed:init},{seed:data-order},{seed:seed}") == "2147483647,1,540489134");
  CHECK(fill("a{seed}{seed}b") == "a540489134540489134b");
  CHECK(short_seed(reference) == "540489134");
}

TEST_CASE("other braces are left alone") {
  for (const std::string text : {"{print $1}",  "{\"lr\": 0.1}", "{}",         "{",         "}",
                                 "{x}",         "{i}",           "{our}",      "{sum}",     "{name}",
                                 "{outer}",     "${seed}",       "{ seed }",   "{0}",       "{next}",
                                 "{{}}",        "${seed",        "{seed + 1}", "{a: seed}", "{\"seed\": {\"x\": 1}}",
                                 "{print seed", "seed"}) {
    CAPTURE(text);
    CHECK(fill(text) == text);
    CHECK(misspelled_placeholders(text).empty());
  }
  CHECK(fill("{{seed}}") == "{540489134}");
  CHECK(misspelled_placeholders("{{seed}").empty());
}

TEST_CASE("a placeholder that lacks a brace is an error that shows it whole") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"--seed {seed", "{seed has no '}'; did you mean {seed}?"},
      {"--seed={seed --lr 1", "{seed has no '}'; did you mean {seed}?"},
      {"{seed:init {out}/m", "{seed:init has no '}'; did you mean {seed:init}?"},
      {"--seed seed}", "seed} has no '{'; did you mean {seed}?"},
      {"-o out}/m {seed}", "out} has no '{'; did you mean {out}?"}};
  for (const auto& [text, right] : table) {
    CAPTURE(text);
    CHECK(misspelled_placeholders(text) == std::vector<std::string>{right});
  }
}

TEST_CASE("braces that look like ours and are not are an error that names the right one") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"{seeds}", "{seed}"},     {"{Seed}", "{seed}"},
      {"{SEED64}", "{seed64}"},  {"{seed65}", "{seed64}"},
      {"{seed_64}", "{seed64}"}, {"{pairs}", "{pair}"},
      {"{piar}", "{pair}"},      {"{OUT}", "{out}"},
      {"{outs}", "{out}"},       {"{seed:Data}", "{seed:SOURCE}"},
      {"{seed:}", "{seed}"},     {"{seed-of-data}", "{seed:SOURCE}"}};
  for (const auto& [text, right] : table) {
    CAPTURE(text);
    const auto sentences = misspelled_placeholders("a " + text);
    REQUIRE(sentences.size() == 1);
    CHECK_THAT(sentences[0], has_text(text + " is not a placeholder; did you mean " + right + "?"));
  }
}

TEST_CASE("honoured are the sources that a command names, declared ones first") {
  CHECK(honoured_under({{"command", std::string("p {seed64} {seed}")}}) == std::vector<std::string>{"seed"});
  CHECK(honoured_under({{"command", std::string("p {seed:zebra} {seed:data-order} {seed:init} {seed:apple}")}}) ==
        std::vector<std::string>{"init", "data-order", "apple", "zebra"});
  CHECK(honoured_under({{"command", std::string("p")}, {"env_seed", true}}) ==
        std::vector<std::string>{"seed", "data-order"});
  CHECK(honoured_under({{"command", std::string("p {pair} {out}")}}).empty());
}

TEST_CASE("the program sees its seeds in the environment, and none of another trial") {
  ::setenv("TRIAL_SEED_DROPOUT", "1", 1);
  ::setenv("TRIAL_SEED", "2", 1);
  ::setenv("TRIAL_THINGS", "kept", 1);
  const auto seen = run_program({{"sh", "-c", "env"}, environment_of(reference_trial(), "/tmp/o"), {}});
  for (const char* name : {"TRIAL_SEED_DROPOUT", "TRIAL_SEED", "TRIAL_THINGS"}) ::unsetenv(name);
  CHECK(lines_starting(seen.output.text(), "TRIAL_") ==
        std::vector<std::string>{"TRIAL_LOG=/tmp/o/trial-log.jsonl", "TRIAL_OUT=/tmp/o", "TRIAL_PAIR=7",
                                 "TRIAL_SEED64=4642766316905434461", "TRIAL_SEED=540489134", "TRIAL_SEED_DATA_ORDER=1",
                                 "TRIAL_SEED_INIT=2147483647", "TRIAL_THINGS=kept"});
  CHECK_FALSE(lines_starting(seen.output.text(), "PATH=").empty());
}

TEST_CASE("words are split before placeholders are filled, so that a blank in a path stays inside its word") {
  auto trial = trial_of("command", {{"command", std::string("p '{out}/a b' {seed:init}")}});
  trial.seeds["init"] = std::uint64_t{5} << 33;
  CHECK(argv_of(trial, "/tmp/x y") == std::vector<std::string>{"p", "/tmp/x y/a b", "5"});
}

TEST_CASE("a shell gets the whole text, and no path that it would take apart") {
  const auto trial = trial_of("command", {{"command", std::string("p {out} | tail")}, {"shell", true}});
  CHECK(argv_of(trial, "/tmp/o") == std::vector<std::string>{"/bin/sh", "-c", "p /tmp/o | tail"});
  CHECK_THROWS_WITH(argv_of(trial, "/tmp/x y"), has_text("$TRIAL_OUT"));
}

}  // namespace retrial::tests::placeholders_tests
