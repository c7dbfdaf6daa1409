// Mutated and crafted study files: a plan, or one line that names the place; never a crash.
#include <fstream>

#include "tests/catch.hpp"
#include "tests/fault/captured.hpp"
#include "tests/fault/scale.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::mutated_study_tests {

using namespace retrial;
using namespace retrial::tests;

namespace {

const std::string good =
    "schema = 1\nname = \"s\"\nworkload = \"null\"\nseed = 20210403\npairs = 4\nvary = [\"init\", \"data-order\"]\n"
    "mode = { deterministic = true, threads = 1 }\n[set]\nmean = 2.0\nepochs = 2\nfailure = \"none\"\n"
    "[variant.base]\n[variant.shifted]\neffect = 1.0\n[variant.hot]\npreset = \"base\"\nsd = 2.5\n"
    "[compare]\nmetric = \"score\"\nbaseline = \"base\"\ncandidate = \"shifted\"\nalpha = 0.05\ngamma = 0.75\n";

const std::string variance_study =
    "schema = 1\nname = \"s\"\nworkload = \"null\"\nseed = 20210403\nhold = [\"data-order\"]\n"
    "[set]\ncurvature = 2.0\nvalidation = true\n[variant.base]\n[variant.shifted]\neffect = 1.0\n"
    "[variance]\ndesign = \"crossed\"\nsources = [\"hopt\", \"init\"]\nruns = 4\ngroups = 3\nreplicates = 5\n"
    "metric = \"score\"\n[search]\nmethod = \"random\"\ntrials = 4\nmetric = \"validation\"\n"
    "[search.keys]\nlr = { low = 0.01, high = 10, log = true }\nsteps = { low = 2, high = 6 }\n";

/// What people, editors and other tools put into such files.
const std::vector<std::string> pieces = {"nan",
                                         "-inf",
                                         "inf",
                                         "1e999",
                                         "-1e-999",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "-9223372036854775808",
                                         "0x7fffffffffffffff",
                                         "99999999999999999999999999",
                                         "1_000_000",
                                         "1979-05-27T07:32:00Z",
                                         "1979-05-27",
                                         "07:32:00",
                                         "true",
                                         "[]",
                                         "[[]]",
                                         "{}",
                                         "{ a = { b = 1 } }",
                                         "\"\"",
                                         "\"\\u0000\"",
                                         "\"\\uD800\"",
                                         "\"\"\"\n\"\"\"",
                                         "'''",
                                         "[1, \"a\", 2.0]",
                                         "[set]",
                                         "[[variant]]",
                                         "[variant]",
                                         "\nunknown_key = 1\n",
                                         "\n[unknown]\n",
                                         "\na.b.c.d.e.f = 1\n",
                                         "\n\"a\\\"\".\"b\\\"\" = 1\n",
                                         "\xff\xfe",
                                         "\xef\xbb\xbf",
                                         std::string(1, '\0'),
                                         "#",
                                         "\r",
                                         "=",
                                         "\"",
                                         "\\",
                                         "-0.0",
                                         "0.05000000000000000000000000000000001",
                                         std::string(300, '9'),
                                         std::string(300, '['),
                                         std::string(5000, 'x')};

std::string mutated(std::string text, variance::Stream& draws) {
  for (auto n = 1 + variance::bounded(draws.next(), 3); n > 0; --n) {
    const auto at = variance::bounded(draws.next(), text.size());
    const auto& piece = pieces[variance::bounded(draws.next(), pieces.size())];
    const auto equals = text.find("= ", at);
    switch (variance::bounded(draws.next(), 6)) {
      case 0:
        text[at] = static_cast<char>(variance::bounded(draws.next(), 256));
        break;
      case 1:
        text.erase(at, variance::bounded(draws.next(), 20));
        break;
      case 2:
        text.insert(at, piece);
        break;
      case 3:
        text.insert(at, text.substr(variance::bounded(draws.next(), text.size()), 40));
        break;
      default:  // a value of another type
        if (equals != std::string::npos) text.replace(equals + 2, text.find('\n', equals) - equals - 2, piece);
    }
    if (text.empty()) break;
  }
  return text;
}

Captured planned(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return captured({"plan", file.string(), "--worker", RETRIAL_CORE_PROGRAM "-worker", "--max-trials", "2000"});
}

}  // namespace

TEST_CASE("a mutated study file gives a plan or one error line with code 2, never anything else") {
  const results::TemporaryFolder folder;
  REQUIRE(planned(folder / "s.toml", good).code == 0);
  REQUIRE(planned(folder / "s.toml", variance_study).code == 0);
  int counts[2] = {};
  const auto mutants = number_from("RETRIAL_FAULT_MUTANTS", 2000);
  for (std::uint64_t i = 0; i < mutants; ++i) {
    variance::Stream draws(variance::derive(fault_key("mutated-study"), i));
    const auto text = mutated(i % 2 == 0 ? good : variance_study, draws);
    const auto ran = planned(folder / "s.toml", text);
    INFO("root seed " << fault_seed() << ", mutant " << i << "\n" << text << "\n" << ran.err);
    CHECK((ran.code == 0 || ran.code == 2));
    CHECK(lines_with(ran.err, "retrial: error: ") == (ran.code == 0 ? 0 : 1));
    ++counts[ran.code == 0 ? 0 : 1];
  }
  CHECK(counts[0] > 10);
  CHECK(counts[1] > 100);
}

TEST_CASE("a study file made to harm is refused by one line") {
  const results::TemporaryFolder folder;
  std::string keys, quoted = "\"\\\"\"";
  for (int i = 0; i < 200'000; ++i) keys += "a.";
  for (int i = 0; i < 100'000; ++i) quoted += ".\"\\\"\"";
  const std::vector<std::string> files = {
      keys + "a = 1",
      "[" + keys + "a]",
      "[[" + keys + "a]]",
      "x = { " + keys + "a = 1 }",
      quoted + " = 1",
      "x = [\"\"\"\n\"\"\", { " + keys + "a = 1 }]",
      "x = " + std::string(200'000, '['),
      "x = " + std::string(60, '{'),
      "x = \"" + std::string(900'000, 'x'),
      std::string(1 << 20, '\n'),
      std::string(1 << 20, '\0'),
      std::string(2 << 20, 'a'),
      "schema = 1\nworkload = \"null\"\npairs = 9223372036854775807",
      "schema = 1\nworkload = \"null\"\npairs = -1",
      "schema = 1\nworkload = \"null\"\n[variance]\nruns = 9223372036854775807",
      "schema = 1\nworkload = \"null\"\n[variance]\ndesign = \"nested\"\ngroups = 999999\nruns = 999999",
      "schema = 1\nworkload = \"null\"\n[variance]\ndesign = \"saltelli\"\nruns = 500000",
      "schema = 1\nworkload = \"null\"\n[set]\nepochs = 1e300",
      "schema = 1\nworkload = \"null\"\n[compare]\nalpha = nan",
      "schema = 1\nworkload = \"../../etc/passwd\"",
  };
  for (const auto& text : files) {
    const auto ran = planned(folder / "s.toml", text);
    INFO(text.substr(0, 60) << "\n" << ran.err.substr(0, 300));
    CHECK(ran.code == 2);
    CHECK(lines_with(ran.err, "retrial: error: ") == 1);
  }
}

}  // namespace retrial::tests::mutated_study_tests
