// Grids and the user's own keys: the variants that they become, and that every mistake is one clear error.
#include "harness/study/checks/grid.hpp"

#include "harness/study/file/study_file.hpp"
#include "harness/text/names.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::grid_tests {

using namespace retrial::harness;
using retrial::tests::error_of;
using retrial::tests::load;
using Names = std::vector<std::string>;

namespace {

const std::string head = "schema = 1\nworkload = \"command\"\nseed = 1\n";
const std::string set = head + "[set]\ncommand = \"p {seed} {lr} {width}\"\nread = \"acc\"\ndirection = \"higher\"\n";
const std::string null_head = "schema = 1\nworkload = \"null\"\nseed = 1\n";

std::string command_of(const Study& study, std::size_t variant) {
  return text_in(study.variants.at(variant).values, "command");
}

}  // namespace

TEST_CASE("a grid becomes every combination, the last key changing fastest, the first the baseline") {
  const auto study = load(set + "[grid]\nlr = [0.1, 1e-2, 1.0]\nwidth = [8, 16]\n");
  CHECK(names_in(study.variants) == Names{"lr=0.1,width=8", "lr=0.1,width=16", "lr=0.01,width=8", "lr=0.01,width=16",
                                          "lr=1.0,width=8", "lr=1.0,width=16"});
  CHECK(command_of(study, 3) == "p {seed} 0.01 16");
  REQUIRE(study.compare);
  CHECK(study.compare->baseline == "lr=0.1,width=8");
  CHECK(study.compare->candidate == "lr=0.1,width=16");
}

TEST_CASE("keys of one's own in [set] and in a variant's table give the commands that one would write out") {
  const auto short_form = load(set + "width = 8\n[variant.slow]\nlr = 0.1\n[variant.fast]\nlr = \"a b\"\n"),
             written_out = load(head +
                                "[set]\nread = \"acc\"\ndirection = \"higher\"\n[variant.slow]\n"
                                "command = \"p {seed} 0.1 8\"\n[variant.fast]\ncommand = \"p {seed} 'a b' 8\"\n");
  CHECK(command_of(short_form, 1) == "p {seed} 'a b' 8");
  CHECK(study_document(short_form) == study_document(written_out));
}

TEST_CASE("several variants are each combined with the grid, a single one gives its keys") {
  const auto both = load(null_head + "[variant.base]\n[variant.shifted]\n[grid]\nsd = [1, 2.5]\n");
  CHECK(names_in(both.variants) == Names{"base,sd=1", "base,sd=2.5", "shifted,sd=1", "shifted,sd=2.5"});
  CHECK(both.variants[2].preset == "shifted");
  CHECK(number_in(both.variants[3].values, "sd") == 2.5);
  const auto one = load(null_head + "[variant.shifted]\n[grid]\nsd = [1, 2.5]\n");
  CHECK(names_in(one.variants) == Names{"sd=1", "sd=2.5"});
  CHECK(one.variants[0].preset == "shifted");
  const auto chosen = load(set + "[grid]\nlr = [1, 2]\nwidth = [8, 16]\n[compare]\nbaseline = \"lr=2,width=8\"\n");
  CHECK(chosen.compare->baseline == "lr=2,width=8");
  CHECK(chosen.compare->candidate == "lr=1,width=8");
}

TEST_CASE("every mistake in a grid names its place, the value and the way out") {
  std::string many = "lr = [";
  for (int i = 0; i < 257; ++i) many += std::to_string(i) + ", ";
  const std::vector<std::pair<std::string, std::string>> table{
      {set + "[grid]\nlr = [1]\nwidth = [1, 2]\n", "s.toml:9:1: grid.lr: only one value"},
      {set + "[grid]\nlr = []\n", "s.toml:9:1: grid.lr: no value"},
      {set + "[grid]\nlr = 1\n", "s.toml:9:6: grid.lr: wrong type (allowed: a list of two or more values)"},
      {set + "[grid]\nlr = [1, 2, 1]\nwidth = [1, 2]\n", "s.toml:9:13: grid.lr = 1: given twice"},
      {set + "[grid]\nlr = [\"a b\", \"c\"]\nwidth = [1, 2]\n",
       "grid.lr = a b: cannot be part of a variant's name: contains ' '"},
      {set + "[grid]\nlr = [\"a/b\", \"c\"]\nwidth = [1, 2]\n", "write these variants as tables [variant.NAME]"},
      {set + "[grid]\nlr = [\"a,b\", \"c\"]\nwidth = [1, 2]\n", "contains ','"},
      {set + "lr = 3\n[grid]\nlr = [1, 2]\nwidth = [1, 2]\n", "grid.lr: given in the grid and in [set]"},
      {set + "[variant.a]\nlr = 3\n[grid]\nlr = [1, 2]\nwidth = [1, 2]\n", "given in the grid and in variant a"},
      {set + "width = 1\n[grid]\n" + many + "]\n", "too many variants (allowed: up to 256 combinations)"},
      {null_head + "[grid]\nsd = [1, 2]\n", "no variant is named, and null has several (allowed: base, shifted"},
      {null_head + "[variant.base]\n[grid]\nsd = [1, 1.0]\n", "grid.sd = 1.0: given twice"},
      {null_head + "[variant.base]\n[grid]\nsd = [1, -2]\n", "s.toml:6:10: null.sd = -2: out of range"},
      {null_head + "[variant.base]\n[grid]\nds = [1, 2]\n", "null.ds: unknown key"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(text), has_text(expected));
  }
}

TEST_CASE("every mistake with a key of one's own names its place and the nearest name") {
  const std::string direction = "read = \"acc\"\ndirection = \"higher\"\n";
  const std::vector<std::pair<std::string, std::string>> table{
      {set + "lr = 1\n", "command.command = {width}: has no value in variant command"},
      {set + "lr = 1\nwidht = 2\n", "command.widht = 2: unknown key: no command has {widht}"},
      {set + "lr = 1\nwidht = 2\n", "did you mean \"width\"?"},
      {set + "width = 1\n[variant.a]\nlr = 1\n[variant.b]\n", "has no value in variant b"},
      {set + "width = 1\n[variant.a]\nlr = 1\n[variant.b]\nlr = 2\nrl = 3\n", "the command of variant b has no {rl}"},
      {set + "lr = 1\nwidth = 1\nseed = 3\n", "command.seed: {seed} is filled in by retrial in every trial"},
      {set + "lr = 1\nwidth = [1, 2]\n", "command.width = "},
      {set + "lr = 1\nwidth = [1, 2]\n", "a list, or text of several lines"},
      {set + "lr = 1\nwidth = \"{out}/x\"\n", "a name in braces, which would be filled in again"},
      {head + "[set]\ncommand = \"p {seed} {shell}\"\n" + direction,
       "command.command = {shell}: shell is a key of the workload itself: choose another name"},
      {head + "[set]\ncomand = \"p {seed}\"\n" + direction, "did you mean \"command\"?"},
      {head + "[set]\ncommand = \"awk {print} {seed}\"\n" + direction, "put single quotes around them"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(text), has_text(expected));
  }
  // Not an error: a program that reads braces itself, in single quotes.
  CHECK(command_of(load(head + "[set]\ncommand = \"awk '{print}' {seed}\"\n" + direction), 0) ==
        "awk '{print}' {seed}");
}

}  // namespace retrial::tests::grid_tests
