#include "workloads/command/line/own_keys.hpp"

#include "tests/catch.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::own_keys_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;
using Words = std::vector<std::string>;

namespace {

Values values_with(const std::string& text) {
  return resolved(find_workload("command", ""), {{"command", text}});
}

std::string command_with(const std::string& text, const std::string& value) {
  return text_in(own_keys().filled(values_with(text), {{"x", value}}), "command");
}

std::vector<std::string> used_in(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& key : own_keys().used(values_with(text))) names.push_back(key.name + (key.may_be_text ? "?" : ""));
  return names;
}

}  // namespace

TEST_CASE("a plain value is put in as it is, so that the command is the one that would be written by hand") {
  CHECK(command_with("train --lr {x} --seed {seed}", "0.1") == "train --lr 0.1 --seed {seed}");
  CHECK(command_with("train --lr={x} lr={x}", "1e-05") == "train --lr=1e-05 lr=1e-05");
  CHECK(command_with("train {y} ${x}", "1") == "train {y} ${x}");
}

// The expectation is the value itself, for every place that a shell has quotes for.
TEST_CASE("any value stays part of one word wherever its placeholder is") {
  for (const std::string value :
       {"a b", "", "it's", "\"", "\\", "$HOME", "`id`", "a;b|c", "~/x", "*", "#", "{", "{\"a\": 1}"})
    for (const std::string text : {"p {x} end", "p '{x}' end", "p \"{x}\" end", "p '\"{x}\"' end", "p \\\"{x} end"}) {
      CAPTURE(text, value);
      const auto words = split_words(command_with(text, value));
      CHECK(words.problem.empty());
      CHECK(shell_only(words).empty());
      const bool inner = text.find("'\"") != std::string::npos, before = text.find('\\') != std::string::npos;
      CHECK(texts_of(words) == Words{"p", inner ? "\"" + value + "\"" : before ? "\"" + value : value, "end"});
    }
}

TEST_CASE("names in braces are keys, in single quotes only if the study has them") {
  CHECK(used_in("p {lr} --w={width-2} {seed} {out} {seed:init}") == Words{"lr", "width-2"});
  CHECK(used_in("awk '{print}' \"{y}\" it\\'s {z}") == Words{"print?", "y", "z"});
  CHECK(used_in("p ${lr} {} {0} {3} {print $1} {\"a\": 1} {-x}").empty());
  CHECK(used_in("p {seeds}").empty());  // refused as a misspelled placeholder
}

TEST_CASE("names of placeholders, lists and nested placeholders are refused with the reason") {
  const auto problem = own_keys().problem;
  CHECK(problem("lr", "0.1").empty());
  CHECK(problem("lr", "{\"a\": 1}").empty());
  CHECK_THAT(problem("seed", "1"), has_text("filled in by retrial"));
  CHECK_THAT(problem("out", "1"), has_text("filled in by retrial"));
  CHECK_THAT(problem("pairs", "1"), has_text("too much like the placeholder {pair}"));
  CHECK_THAT(problem("seed_dim", "1"), has_text("too much like the placeholder {seed:SOURCE}"));
  CHECK_THAT(problem("a b", "1"), has_text("not a name"));
  CHECK_THAT(problem("8", "1"), has_text("not a name"));
  CHECK_THAT(problem("lr", "1\n2"), has_text("a list"));
  CHECK_THAT(problem("lr", "x{seed}"), has_text("filled in again"));
  CHECK_THAT(problem("lr", "{width}"), has_text("filled in again"));
  CHECK_THAT(problem("lr", "\xFF"), has_text("UTF-8"));
}

}  // namespace retrial::tests::own_keys_tests
