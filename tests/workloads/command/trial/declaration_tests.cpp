#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::trial_declaration_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

std::string text(const std::string& value) {
  return value;
}

const Declaration& declaration() {
  return find_workload("command", "");
}

/// "key: problem (allowed)" of every problem, one a line.
std::string problems(const Values& given) {
  std::vector<std::string> lines;
  for (const auto& problem : declaration().validate(resolved(declaration(), given)))
    lines.push_back(problem.key + ": " + problem.problem + " (" + problem.allowed + ")");
  return results::joined(lines, "\n");
}

std::string of_command(const std::string& command) {
  return problems({{"command", command}, {"read", text("score")}});
}
std::string of_reads(const std::string& reads) {
  return problems({{"command", text("p {seed}")}, {"read", reads}});
}

std::string digest_of_file(const std::filesystem::path& file) {
  return results::hex(results::sha256_file(file));
}

}  // namespace

TEST_CASE("the sources of a command are its one seed and the eleven of the specification") {
  std::vector<std::string> names;
  for (const Source& source : declaration().sources) {
    names.push_back(source.name);
    CHECK_FALSE(source.covers.empty());
  }
  CHECK(names == std::vector<std::string>{"seed", "init", "data-split", "data-order", "augmentation", "dropout",
                                          "environment", "policy", "teacher", "hopt", "noise", "bit-error"});
}

TEST_CASE("a command that says all it must is accepted") {
  CHECK(of_command("python3 train.py --lr 0.1 --seed {seed}").empty());
  CHECK(of_command("p {seed:data-order}").empty());
  CHECK(problems({{"command", text("p")}, {"read", text("score")}, {"env_seed", true}}).empty());
  CHECK(problems({{"command", text("p {seed}")}, {"digest", text("*.npy")}}).empty());
  CHECK(problems({{"command", text("a $HOME | b {seed}")}, {"read", text("score")}, {"shell", true}}).empty());
}

TEST_CASE("a command without a seed is shown the line to write") {
  const auto said = [](const Values& given) { return declaration().without_seed(resolved(declaration(), given)); };
  const auto problem = said({{"command", text("python3 train.py")}});
  REQUIRE(problem);
  CHECK_THAT(problem->problem, has_text("every trial would be the same"));
  CHECK_THAT(problem->allowed, has_text("python3 train.py --seed {seed}; or --env-seed"));
  CHECK(said({{"command", text("p {pair} {out}")}}));
  CHECK_FALSE(said({{"command", text("p {seed64}")}}));
  CHECK_FALSE(said({{"command", text("p")}, {"env_seed", true}}));
}

TEST_CASE("mistakes in a command are reported, each once") {
  CHECK_THAT(of_command(""), has_text("nothing to run"));
  CHECK_THAT(of_command("'' {seed}"), has_text("name of the program is empty"));
  CHECK_THAT(of_command("p '{seed}"), has_text("is not closed"));
  CHECK_THAT(of_command("p {seed} | tail -1"), has_text("needs a shell"));
  CHECK(of_command("p {seeds}") ==
        "command: {seeds} is not a placeholder; did you mean {seed}? ({seed}, {seed64}, {seed:SOURCE}, {pair}, {out})");
  CHECK_THAT(problems({{"command", text("p {seed}")}, {"read", text("a")}, {"read_json", text("{outs}/m.json")}}),
             has_text("read_json: {outs}"));
}

TEST_CASE("mistakes in the reads are reported") {
  CHECK_THAT(of_reads(""), has_text("no metric is named"));
  CHECK_THAT(of_reads("a~b"), has_text("has 0 captures"));
  CHECK_THAT(of_reads("a~(b"), has_text("bad pattern"));
  CHECK_THAT(of_reads("cpu_s"), has_text("is recorded by retrial itself"));
}

TEST_CASE("metrics are what is read, the first with its direction, and the costs") {
  const auto defs = metrics_under(
      declaration(), resolved(declaration(), {{"read", text("acc\nloss~(x)")}, {"direction", text("higher")}}));
  REQUIRE(defs.size() == 6);
  CHECK(defs[0] == results::MetricDef{.name = "acc", .unit = "", .direction = results::Direction::higher});
  CHECK(defs[1] == results::MetricDef{.name = "loss", .unit = ""});
  CHECK(defs[2].name == "wall_s");
  for (std::size_t i = 2; i < 6; ++i) {
    CHECK(defs[i].nature == results::Nature::cost);
    CHECK(defs[i].direction == results::Direction::lower);
  }
}

TEST_CASE("every metric may say which values are better") {
  const auto directions = [](const Values& given) {
    std::string text;
    auto values = given;
    values.emplace("command", std::string("p {seed}"));
    for (const auto& def : metrics_under(declaration(), resolved(declaration(), values)))
      if (def.nature == results::Nature::outcome) text += def.name + ":" + std::string(name_of(def.direction)) + " ";
    return text;
  };
  CHECK(directions({{"read", text("acc:higher\nloss:lower\nval:acc")}}) == "acc:higher loss:lower val:acc:none ");
  CHECK(directions({{"read", text("acc\nloss:lower")}, {"direction", text("higher")}}) == "acc:higher loss:lower ");
  CHECK(directions({{"read_curve", text("acc:higher\nloss:lower")}}) == "acc:higher loss:lower ");
  CHECK(directions({{"read", text("acc")}, {"read_curve", text("acc:higher\nloss")}}) == "acc:higher loss:none ");
  CHECK(directions({{"read_curve", text("acc")}, {"direction", text("lower")}}) == "acc:lower ");
}

TEST_CASE("directions that contradict each other are refused") {
  const auto of = [](const Values& given) {
    auto values = given;
    values.emplace("command", std::string("p {seed}"));
    return problems(values);
  };
  CHECK(of({{"read", text("acc:higher")}, {"direction", text("lower")}}) ==
        "direction: contradicts acc:higher (higher)");
  CHECK(of({{"read", text("acc:higher")}, {"direction", text("higher")}}).empty());
  CHECK_THAT(of({{"read", text("acc:higher")}, {"read_curve", text("acc:lower")}}),
             has_text("read_curve: \"acc\" has another direction in read"));
  CHECK_THAT(of({{"read_curve", text("acc\nacc")}}), has_text("read_curve: \"acc\" is read twice"));
}

TEST_CASE("a place of numbers is not yet a metric") {
  CHECK(problems({{"command", text("p {seed}")}, {"read_json", text("-")}}) ==
        "read: no metric is named: --read-json says where numbers are, --read NAME which to take (--read accuracy, "
        "--read eval.accuracy)");
}

TEST_CASE("the environment gives the seeds that are named, and no other") {
  const auto honoured = [](const Values& given) {
    return results::joined(declaration().honours(resolved(declaration(), given)));
  };
  CHECK(honoured({{"env_seeds", text("seed")}}) == "seed");
  CHECK(honoured({{"env_seeds", text("data-order\ninit")}}) == "init, data-order");
  CHECK(honoured({{"env_seed", true}}) == "seed, data-order");
  CHECK_FALSE(declaration().without_seed(resolved(declaration(), {{"env_seeds", text("init")}})));
  CHECK(
      problems({{"command", text("p")}, {"read", text("a")}, {"env_seeds", text("data_order")}}) ==
      "env_seeds: \"data_order\" is not a name of a source (seed, init, data-split, data-order, augmentation, dropout, "
      "environment, policy, teacher, hopt, noise, bit-error; did you mean data-order?)");
}

TEST_CASE("keys that are new leave a study that does not use them as it was") {
  const auto kept = portable(declaration(), resolved(declaration(), {{"command", text("p {seed}")}}));
  CHECK_FALSE(kept.contains("read_curve"));
  CHECK_FALSE(kept.contains("env_seeds"));
  CHECK(kept.contains("env_seed"));
  CHECK(portable(declaration(), resolved(declaration(), {{"read_curve", text("a")}})).contains("read_curve"));
}

TEST_CASE("the program's identity is that of the files in its command") {
  const test::Folder folder;
  folder.write("train.py", "print(1)\n");
  folder.write("data.csv", "1,2\n");
  const auto of = [&](Values values) {
    values["workdir"] = folder.path().string();
    return declaration().program(resolved(declaration(), values));
  };
  const auto python = digest_of_file(command::program_file("sh", {}).value());
  const auto script = digest_of_file(folder.path() / "train.py"), data = digest_of_file(folder.path() / "data.csv");
  CHECK(of({{"command", text("sh train.py --x data.csv {seed} no.file")}}) == Json{python, script, data});
  CHECK(of({{"command", text("sh train.py")}, {"inputs", text("data.csv")}}) == Json{python, script, data});
  CHECK(of({{"command", text("{out}/made-by-the-program {seed}")}}) == Json::array());
  CHECK(of({{"command", text("sh train.py")}, {"prepare", text("sh data.csv")}}) == Json{python, script, python, data});
  CHECK(of({{"command", text("cat 'train.py' | sh")}, {"shell", true}})[0] == digest_of_file("/bin/sh"));
  folder.write("train.py", "print(2)\n");
  CHECK(of({{"command", text("sh train.py")}})[1] != script);
  CHECK_THROWS_AS(of({{"command", text("sh")}, {"inputs", text("missing.csv")}}), Error);
  CHECK_THROWS_AS(of({{"command", text("no-such-program-7 {seed}")}}), Error);
}

}  // namespace retrial::tests::trial_declaration_tests
