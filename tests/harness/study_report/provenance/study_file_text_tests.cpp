// The study file that a report prints gives the study it was printed for: the same document, so the same digest.

#include <fstream>

#include "harness/study/declared/design_table.hpp"
#include "harness/study/file/study_file.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "results/report/drawing/escape.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::study_file_text_tests {

using namespace retrial;
using namespace retrial::harness;

using retrial::tests::write_file;

namespace {

/// The study document of `text`, and that of the file which a report of its store prints.
std::pair<Json, Json> there_and_back(const std::string& text) {
  const fixture::Folder here;
  write_file("given.toml", text);
  const Study study = checked(read_study_file("given.toml"));
  const Json document = study_document(study);
  {
    results::Store store("s.db", results::Store::Access::write);
    std::vector<std::pair<std::string, Json>> documents;
    if (study.compare) documents.emplace_back("design", design_document(study));
    store.put_study(study.name, document, {}, documents);
  }
  const results::Store store("s.db", results::Store::Access::read);
  const auto printed = study_file_of(read_study(store, store.studies().back()));
  REQUIRE(printed);
  CAPTURE(*printed);
  write_file("printed.toml", *printed);
  return {document, study_document(checked(read_study_file("printed.toml")))};
}

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(RETRIAL_SOURCE_DIR) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("the printed study file of the quick start gives its study digest", "[report]") {
  const auto [given, printed] = there_and_back(file_text("studies/quickstart.toml"));
  CHECK(printed == given);
}

TEST_CASE("keys of [set], of presets and of variants come back, and a large seed too", "[report]") {
  const auto [given, printed] = there_and_back(R"toml(schema = 1
name = "odd name"
workload = "null"
seed = "0xfedcba9876543210"
pairs = 7
vary = ["init"]
mode = { deterministic = true, onednn = false }
[set]
sd = 0.1
epochs = 3
[variant.base]
[variant.third-one]
preset = "shifted"
effect = 1e-3
[compare]
metric = "score"
alpha = 0.01
margin = 0.25
failure = "drop"
)toml");
  CHECK(printed == given);
}

TEST_CASE("every field of a design comes back", "[report]") {
  const std::string head = "schema = 1\nname = \"d\"\nworkload = \"null\"\nseed = 7\n";
  const std::vector<std::string> designs{
      "alpha = 0.01\nbeta = 0.1\ngamma = 0.8\ntie_limit = 0.25\nmargin = 0.5\nfailure = \"refuse\"\nretries = 2\n"
      "test = \"paired_t\"\nsides = \"two\"\ngamma_mode = \"unpaired\"\ncorrelation = 0.5\n",
      "family = \"dual_e\"\ngamma = 0.75\nn_max = 40\nband = [0.4, 0.625]\n",
      "family = \"betting\"\nn_max = 40\nrange = [0, 100]\n",
      "family = \"group_sequential\"\nn_max = 40\nspending = \"pocock\"\nlooks = [10, 25, 40]\n"};
  std::string all;
  for (const auto& design : designs) {
    CAPTURE(design);
    const auto [given, printed] = there_and_back(head + "[compare]\n" + design);
    CHECK(printed == given);
    CHECK(given != there_and_back(head).first);  // the document names its design by digest
    all += "\n" + design;
  }
  for (const auto& field : design_table()) CHECK_THAT(all, has_text("\n" + field.name + " = "));
}

TEST_CASE("registered claims of every form come back", "[report][claims]") {
  const auto [given, printed] = there_and_back(R"toml(schema = 1
name = "claims"
workload = "pruning"
seed = 7
[set]
corruptions = "fog"
[variant.rand_global]
[variant.wt]
[claim.order]
says = "the \"order\""
metric = "potential_nominal_max"
candidate = "wt"
baseline = "rand_global"
expect = "higher"
margin = 5
test = "wilcoxon"
[claim.light]
metric = ["accuracy[1]", "accuracy[2]"]
against = "accuracy[0]"
candidate = "wt"
expect = "equal"
margin = 0.1
[claim.excess]
metric = "excess_slope"
candidate = "wt"
value = 0.5
expect = "lower"
[claim.each]
metric = "excess_slope"
candidate = ["wt", "rand_global"]
value = 0.5
expect = "not-higher"
margin = 2
[claim.sum]
metric = "excess_slope"
contrast = { wt = 1, rand_global = -1 }
expect = "higher"
[claim.weighted]
metric = "excess_slope"
contrast = { wt = 0.1, rand_global = 0.2 }
value = 3
expect = "equal"
margin = 2
)toml");
  CHECK(printed == given);
  CHECK(printed.at("claims").at("claims").size() == 7);
}

TEST_CASE("commands with quotes, tabs and back-slashes come back", "[report]") {
  const auto [given, printed] = there_and_back(R"toml(schema = 1
name = "mine"
workload = "command"
seed = 7
mode = "inherit"
[set]
read = ["accuracy", "loss~x ([0-9.]+)"]
direction = "higher"
[variant.a]
command = 'sh -c "echo accuracy {seed}"'
[variant.b]
command = "sh -c 'printf \"accuracy\\t%s\" {seed}'"
)toml");
  CHECK(printed == given);
}

TEST_CASE("names that no report shows as they are come back from every format", "[report]") {
  const std::string text =
      "schema = 1\nname = \"odd\"\nworkload = \"null\"\nseed = 7\n[variant.\"\\u202Eabc\"]\npreset = \"base\"\n"
      "[variant.\"a\\u200Fb\"]\npreset = \"shifted\"\n";
  const auto [given, printed] = there_and_back(text);
  CHECK(printed == given);
  const fixture::Folder here;
  write_file("given.toml", text);
  const Study study = checked(read_study_file("given.toml"));
  results::Store store("s.db", results::Store::Access::write);
  const std::vector<std::pair<std::string, Json>> documents{{"design", design_document(study)}};
  store.put_study(study.name, study_document(study), {}, documents);
  const std::string file = study_file_of(read_study(store, store.studies().back())).value();
  CHECK(report::cleaned(file, file.size(), report::Lines::kept) == file);  // nothing is left for a format to replace
  CHECK_THAT(file, has_text("\\u202e"));
}

}  // namespace retrial::tests::study_file_text_tests
