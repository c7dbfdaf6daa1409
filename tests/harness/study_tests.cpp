// Study files: what a good one means, and that every mistake is one clear error with its place.
#include "harness/study.hpp"
#include "results/error.hpp"
#include "results/sha256.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program.hpp"
#include "variance/rng.hpp"

using namespace retrial::harness;
using retrial::Error;
using retrial::Exit;
using retrial::tests::Folder;
using retrial::tests::write_file;

namespace {

Study load(const std::string& text) {
  const Folder folder;
  write_file(folder / "s.toml", text);
  return checked(read_study_file(folder / "s.toml"));
}

std::string error_of(const std::string& text) {
  try {
    load(text);
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return std::string(error.what()) + "\n" + error.text.help;
  } catch (const retrial::InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

const std::string head = "schema = 1\nworkload = \"null\"\nseed = 1\n";

}  // namespace

TEST_CASE("the first listed variant is the baseline, whatever its name") {
  const auto study = load(head + "[variant.zebra]\npreset = \"base\"\n[variant.ant]\npreset = \"shifted\"\n");
  REQUIRE(study.compare);
  CHECK(study.compare->baseline == "zebra");
  CHECK(study.compare->candidate == "ant");
  CHECK(study.compare->metric == "score");
}

TEST_CASE("all honoured sources are varied unless held, and naming one twice is refused") {
  const auto study = load(head + "hold = [\"init\"]\n");
  CHECK(study.held == std::vector<std::string>{"init"});
  CHECK(std::find(study.varied.begin(), study.varied.end(), "data-order") != study.varied.end());
  CHECK_THAT(error_of(head + "vary = [\"init\"]\nhold = [\"init\"]\n"), has_text("varied and held"));
  CHECK_THAT(error_of(head + "vary = [\"inti\"]\n"), has_text("did you mean \"init\"?"));
}

TEST_CASE("keys stand over each other: default, preset, [set], the variant's own") {
  const auto study = load(head + "[set]\nsd = 2.0\nmean = 3\n[variant.base]\n[variant.shifted]\nmean = 4.5\n");
  CHECK(std::get<double>(study.variants[0].values.at("sd")) == 2.0);
  CHECK(std::get<double>(study.variants[0].values.at("mean")) == 3.0);
  CHECK(std::get<double>(study.variants[1].values.at("mean")) == 4.5);
}

TEST_CASE("every mistake in a study file names its place, the field and what is allowed") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"workload = \"null\"\n", "schema: missing"},
      {"schema = 2\nworkload = \"null\"\n", "allowed: 1"},
      {"schema = 1\nseed = 1\n", "workload: missing"},
      {"schema = 1\nworkload = \"nul\"\n", "did you mean \"null\"?"},
      {head + "pair = 3\n", "did you mean \"pairs\"?"},
      {head + "pairs = 0\n", "pairs = 0: out of range"},
      {head + "pairs = \"many\"\n", "a whole number"},
      {head + "name = 3\n", "text in quotes"},
      {head + "mode = \"determinstic\"\n", "deterministic"},
      {head + "mode = { threads = 0 }\n", "threads"},
      {head + "vary = \"some\"\n", "\"all\" or a list"},
      {head + "[set]\nmeen = 1.0\n", "did you mean \"mean\"?"},
      {head + "[set]\nmean = \"high\"\n", "null.mean"},
      {head + "[set]\nmean = nan\n", "not a finite number"},
      {head + "[set]\nmean = 1979-05-27\n", "mean"},
      {head + "[set]\nsd = -1.0\n", "null.sd = -1"},
      {head + "[variant.a]\npreset = \"shiftd\"\n[variant.base]\n", "did you mean \"shifted\"?"},
      {head + "[variant.a]\npreset = \"base\"\n[variant.\"b/c\"]\npreset = \"base\"\n", "not a name"},
      {head + "[compare]\nalpha = 1.5\n", "compare.alpha = 1.5: out of range (allowed: 0 < alpha < 0.5)"},
      {head + "[compare]\ngamma = 0.5\n", "0.5 < gamma < 1"},
      {head + "[compare]\nmetric = \"scor\"\n", "did you mean \"score\"?"},
      {head + "[compare]\nbaseline = \"base\"\ncandidate = \"base\"\n", "is the baseline too"},
      {head + "[compare]\nfailure = \"ignore\"\n", "loss, drop, refuse"},
      {head + "[compare]\nlevel = 0.9\n", "unknown key"},
      {"schema = 1\nworkload = \"null\"\nseed = -1\n", "not a seed"},
      {"schema = 1\nworkload = \"null\"\nseed = \"0xg\"\n", "not a seed"},
      {"schema = 1\nworkload = \"null\nseed = 1\n", "s.toml:2:"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(text), has_text(expected));
  }
  CHECK_THAT(error_of(head + "\n\npair = 3\n"), has_text("s.toml:6:1"));
}

TEST_CASE("a list in a study file is the list its key holds") {
  const auto own = load(
      "schema = 1\nworkload = \"command\"\n[set]\nread = [\"accuracy\", \"loss~loss (\\\\S+), then\"]\ndirection = "
      "\"higher\"\n"
      "[variant.a]\ncommand = \"a {seed}\"\n");
  CHECK(std::get<std::string>(own.variants[0].values.at("read")) == "accuracy\nloss~loss (\\S+), then");
  const auto trained = load("schema = 1\nworkload = \"distillation\"\n[set]\nmilestones = [\"1/4\", \"1/2\"]\n");
  CHECK(std::get<std::string>(trained.variants[0].values.at("milestones")) == "1/4,1/2");
}

TEST_CASE("a file that would overflow the parser's stack is refused before it is parsed") {
  std::string dotted = "a";
  for (int i = 0; i < 500'000; ++i) dotted += ".a";
  CHECK_THAT(error_of(head + dotted + " = 1\n"), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + "[" + dotted + "]\n"), has_text("more than 512 dots"));
  // A quote behind a backslash, and the end of a text of several lines, do not hide one.
  std::string quoted = "\"\\\"\"", inside = "x = [\"\"\"\n\"\"\", {" + dotted + " = 1}]\n";
  for (int i = 0; i < 100'000; ++i) quoted += ".\"\\\"\"";
  CHECK_THAT(error_of(head + quoted + " = 1\n"), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + inside), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + "a = " + std::string(70, '[') + std::string(70, ']') + "\n"), has_text("s.toml:4:"));
  CHECK_THAT(error_of(std::string(2 << 20, '#')), has_text("1 MiB"));
  CHECK_THROWS_AS(read_study_file("/nonexistent/study.toml"), Error);
}

TEST_CASE("mutated study files give an error or a study, never anything else") {
  const std::string good = head +
                           "pairs = 4\nvary = [\"init\"]\n[set]\nmean = 2.0\n[variant.base]\n[variant.shifted]\neffect "
                           "= 1.0\n[compare]\nalpha = 0.05\n";
  const auto key = retrial::variance::derive(retrial::variance::derive(0, "fault-tests"), "study");
  int refused = 0;
  for (std::uint64_t round = 0; round < 600; ++round) {
    retrial::variance::Stream draws(key, round);
    std::string text = good;
    const auto changes = 1 + retrial::variance::bounded(draws.next(), 4);
    for (std::uint64_t i = 0; i < changes; ++i)
      text[retrial::variance::bounded(draws.next(), text.size())] =
          static_cast<char>(retrial::variance::bounded(draws.next(), 256));
    if (error_of(text) != "no error") ++refused;
  }
  CHECK(refused > 300);
}

TEST_CASE("the design enters the study's digest, the place of its lines does not") {
  const auto a = load(head + "[variant.base]\n[variant.shifted]\n[compare]\nalpha = 0.05\n");
  const auto b = load(
      "seed = 1\nworkload = \"null\"\nschema = 1\n\n[compare]\nalpha = 0.05\n[variant.base]\n\n[variant.shifted]\n");
  const auto c = load(head + "[variant.base]\n[variant.shifted]\n[compare]\nalpha = 0.01\n");
  CHECK(study_document(a) == study_document(b));
  CHECK(study_document(a) != study_document(c));
}
