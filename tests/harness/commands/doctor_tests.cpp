// doctor, data and list: their findings for given values; they work on any machine.
#include <unistd.h>

#include <fstream>

#include "determinism/manifest/elf_file.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/doctor/findings.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/doctor/machine.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::doctor_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Answer;

namespace {

/// A machine on which nothing is wrong.
HostFacts sound() {
  HostFacts facts = fixture::machine();
  facts.load = 0.25;
  facts.governor = "performance";
  facts.free_bytes = 1e12;
  facts.memory_bytes = 1e10;
  return facts;
}

std::vector<std::string> codes(const std::vector<HostFinding>& findings) {
  std::vector<std::string> out;
  for (const auto& finding : findings) {
    CHECK_FALSE(finding.advice.empty());
    out.push_back(finding.code);
  }
  return out;
}

}  // namespace

TEST_CASE("a sound machine has no findings", "[doctor]") {
  CHECK(findings_of(sound()).warnings.empty());
  CHECK(findings_of(sound()).recommendations.empty());
}

TEST_CASE("a worker that does not answer is a warning", "[doctor]") {
  auto facts = sound();
  facts.worker_problem = "it exited with code 2 without a word";
  CHECK(codes(findings_of(facts).warnings) == std::vector<std::string>{"worker.silent"});
}

TEST_CASE("a card that another program uses is a recommendation", "[doctor]") {
  auto facts = sound();
  facts.cards = {{"driver", "580.65"}, {"cards", Json::array({{{"name", "A"}, {"neighbours", {{"count", 0}}}}})}};
  CHECK(findings_of(facts).recommendations.empty());
  facts.cards.at("cards").at(0).at("neighbours") = {{"not_recorded", "no such function"}};
  CHECK(findings_of(facts).recommendations.empty());
  facts.cards.at("cards").at(0).at("neighbours") = {{"count", 2}};
  CHECK(codes(findings_of(facts).recommendations) == std::vector<std::string>{"gpu.not_alone"});
}

TEST_CASE("a setup that will not work is a warning", "[doctor]") {
  auto facts = sound();
  facts.worker_found = false;
  facts.network_file_system = true;
  facts.folder_writable = false;
  facts.free_bytes = 1e8;
  facts.unsupported_modes = {"deterministic"};
  CHECK(codes(findings_of(facts).warnings) ==
        std::vector<std::string>{"worker.missing", "mode.not_here", "store.network", "store.read_only", "store.full"});
}

TEST_CASE("a setup that could be better is a recommendation", "[doctor]") {
  auto facts = sound();
  facts.worker_has_torch = false;
  facts.load = 2.5;
  facts.governor = "powersave";
  facts.variables_set = {"OMP_NUM_THREADS"};
  const auto findings = findings_of(facts);
  CHECK(findings.warnings.empty());
  CHECK(codes(findings.recommendations) ==
        std::vector<std::string>{"worker.no_torch", "host.busy", "host.governor", "environment.set"});
}

TEST_CASE("a worker of a GPU that does not start is a recommendation; without one nothing is missing", "[doctor]") {
  auto facts = sound();
  facts.cuda_worker = "/opt/retrial-worker-cuda";
  facts.gpus = "none: no NVIDIA driver is installed";
  CHECK(findings_of(facts).recommendations.empty());
  facts.cuda_problem = "it exited with code 127 and printed: libcufile.so.0: cannot open shared object file";
  const auto findings = findings_of(facts);
  CHECK(findings.warnings.empty());
  CHECK(codes(findings.recommendations) == std::vector<std::string>{"cuda.silent"});
  CHECK_THAT(findings.recommendations.at(0).text, has_text("libcufile.so.0"));
}

TEST_CASE("a load of half the CPUs is not busy, above it is", "[doctor]") {
  auto facts = sound();
  facts.load = 2.0;
  CHECK(findings_of(facts).recommendations.empty());
  facts.load = 2.01;
  CHECK(codes(findings_of(facts).recommendations) == std::vector<std::string>{"host.busy"});
}

TEST_CASE("the libraries a program names are read from its file", "[doctor]") {
  const auto needs = determinism::needed_libraries("/proc/self/exe");
  CHECK(std::find_if(needs.begin(), needs.end(), [](const auto& name) { return name.starts_with("libc.so"); }) !=
        needs.end());
  CHECK(determinism::needed_libraries("/no/such/file").empty());
}

TEST_CASE("a file that only looks like a program has no libraries", "[doctor]") {
  const fixture::Folder here;
  std::ofstream("cut", std::ios::binary) << "\x7f"
                                            "ELF\x02\x01\x01";
  std::ofstream("zeros", std::ios::binary) << std::string(
                                                  "\x7f"
                                                  "ELF\x02\x01\x01") +
                                                  std::string(4096, '\xff');
  CHECK(determinism::needed_libraries("cut").empty());
  CHECK(determinism::needed_libraries("zeros").empty());
}

TEST_CASE("doctor answers in text and in JSON", "[doctor]") {
  CHECK(fixture::retrial({"doctor"}).exit == 0);
  CHECK(results::parse_json(fixture::retrial({"doctor", "--json"}).out, "stdout").at("schema") == "retrial.doctor/1");
  CHECK(results::parse_json(fixture::retrial({"doctor", "--settings", "--json"}).out, "stdout").at("schema") ==
        "retrial.settings/1");
  CHECK(fixture::retrial({"doctor", "me"}).exit == 2);
  const Json absent =
      results::parse_json(fixture::retrial({"doctor", "--worker", "/no/worker", "--json"}).out, "stdout");
  CHECK_FALSE(absent.at("worker_found").get<bool>());
}

TEST_CASE("every topic lists rows with every column, in text and in JSON", "[list]") {
  for (const Topic& topic : all_topics()) {
    CAPTURE(topic.name);
    const Answer text = fixture::retrial({"list", topic.name});
    CHECK(text.exit == 0);
    const Json document = results::parse_json(fixture::retrial({"list", topic.name, "--json"}).out, "stdout");
    REQUIRE(document.at(topic.name).is_array());
    for (const Json& row : document.at(topic.name))
      for (const auto& column : topic.columns) CHECK(row.contains(column.key));
  }
}

TEST_CASE("two folders that list under one name are found out", "[list]") {
  CHECK_NOTHROW(require_unique_names({{.name = "methods"}, {.name = "layers"}}));
  CHECK_THROWS_WITH(require_unique_names({{.name = "methods"}, {.name = "layers"}, {.name = "methods"}}),
                    has_text("methods"));
}

TEST_CASE("topics of workloads and shared folders follow the harness's own topics, by name", "[list]") {
  std::vector<std::string> names;
  for (const Topic& topic : all_topics()) names.push_back(topic.name);
  const auto own_end = std::ranges::find(names, "designs") + 1;
  CHECK(std::vector<std::string>(own_end, names.end()) ==
        std::vector<std::string>{"corruptions", "data", "environments", "layers", "methods", "models"});
}

TEST_CASE("every registered workload is listed and can be looked at", "[list]") {
  const Answer overview = fixture::retrial({"list"});
  for (const auto& declaration : workloads::all_workloads()) {
    CHECK_THAT(overview.out, has_text(declaration.name));
    const Answer page = fixture::retrial({"list", declaration.name});
    CHECK(page.exit == 0);
    for (const auto& parameter : declaration.parameters) CHECK_THAT(page.out, has_text("  " + parameter.name + " "));
    CHECK(fixture::retrial({"list", declaration.name, "parameters"}).out ==
          fixture::retrial({"list", "parameters", declaration.name}).out);
  }
}

TEST_CASE("a mistyped name suggests a topic or a workload", "[list]") {
  const Answer answer = fixture::retrial({"list", "mods"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("help: did you mean: retrial list modes"));
}

TEST_CASE("data requires a folder and reports its problems", "[data]") {
  const fixture::Folder here;
  CHECK(fixture::retrial({"data"}).exit == 2);
  CHECK(fixture::retrial({"data", "lst"}).exit == 2);
  CHECK(fixture::retrial({"data", "list", "--json"}).exit == 0);
  CHECK_THAT(fixture::retrial({"data", "list"}).out, has_text("digits"));
  CHECK(fixture::retrial({"data", "verify", "."}).exit == 4);
}

}  // namespace retrial::tests::doctor_tests
