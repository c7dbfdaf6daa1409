#include "determinism/manifest/manifest.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::manifest_diff_tests {

using namespace retrial;
using namespace retrial::determinism;
using Place = Json::json_pointer;

namespace {

/// The manifest of a trial: the worker's base and the groups that the harness adds.
Json captured_manifest() {
  Json all = base_manifest(KernelMode{}, Json::parse(R"({
    "torch": "2.11.0", "cpu_capability": "AVX2", "threads": 1, "onednn": true, "deterministic_algorithms": true,
    "mxcsr_main": "1f80", "mxcsr_pool": "none", "rounding": "nearest", "fill_uninitialised": true,
    "cudnn_benchmark": false, "float32_precision": {"cuda.matmul": "ieee", "onednn.conv": "ieee"},
    "mkl": {"branch": "AVX2", "strict": true}, "attention": {"priority": [1, 2, 0]},
    "libraries": {"torch": "2.11.0", "mkl": "2024.2", "onednn": "3.10.2"}})"));
  all.update(Json::parse(R"({
    "trial": {"identity": "ab", "replicate": 0, "attempt": "00", "workload": "distillation", "variant": "kd"},
    "randomness": {"root": "000000000000002a",
                   "sources": {"init": {"seed": "0000000000000007", "pair": 3, "held": false}}},
    "inputs": {"dataset": "d1", "values": {"temperature": "4010000000000000"}},
    "outcome": {"exit_code": 0, "wall_ns": 5},
    "evidence": {"weights": "w"}})"));
  return all;
}

// Captured once: the load average moves between two captures.
const Json& host_manifest() {
  static const Json once = captured_manifest();
  return once;
}

std::string dotted(std::string place) {
  place.erase(0, 1);
  for (char& c : place)
    if (c == '/') c = '.';
  return place;
}

/// Derived from the present value: a constant could be the host's own.
Json another(const Json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number()) return value.get<std::int64_t>() + 1;
  return (value.is_string() ? value.get<std::string>() : "") + " turned";
}

Json turned(const std::string& place) {
  Json other = host_manifest();
  other[Place(place)] = another(other[Place(place)]);
  return other;
}

std::vector<std::string> knobs() {
  std::vector<std::string> all = {"/numeric/effective/cpu_capability",
                                  "/numeric/effective/threads",
                                  "/numeric/effective/onednn",
                                  "/numeric/effective/deterministic_algorithms",
                                  "/numeric/effective/mxcsr_main",
                                  "/numeric/effective/rounding",
                                  "/numeric/effective/fill_uninitialised",
                                  "/numeric/effective/cudnn_benchmark",
                                  "/numeric/effective/float32_precision/onednn.conv",
                                  "/numeric/effective/float32_precision/cuda.matmul",
                                  "/numeric/effective/mkl/branch",
                                  "/numeric/effective/mkl/strict",
                                  "/numeric/requested/threads",
                                  "/numeric/requested/isa",
                                  "/libraries/torch",
                                  "/libraries/onednn",
                                  "/program/build_id",
                                  "/program/compiler",
                                  "/program/flags",
                                  "/program/shared_objects/libc.so.6",
                                  "/trial/variant",
                                  "/inputs/dataset",
                                  "/inputs/values/temperature",
                                  "/randomness/root",
                                  "/randomness/sources/init/seed",
                                  "/randomness/sources/init/held",
                                  "/machine/cpu_model",
                                  "/machine/cpu_flags",
                                  "/machine/cpu_cores",
                                  "/machine/affinity",
                                  "/machine/microcode"};
  for (const std::string& name : recorded_variables()) all.push_back("/numeric/variables/" + name);
  return all;
}

}  // namespace

TEST_CASE("of pairs that differ in one knob the right one is named in every case") {
  REQUIRE(knobs().size() >= 50);
  const Json original = host_manifest();
  for (const std::string& knob : knobs()) {
    const Explanation found = diff_manifests(original, turned(knob), false);
    INFO(knob);
    CHECK(found.verdict == "explained_by");
    CHECK(found.label.empty());
    REQUIRE(found.explanatory.size() == 1);
    CHECK(found.explanatory[0].path == dotted(knob));
    CHECK(found.explanatory[0].a != found.explanatory[0].b);
    CHECK(found.others.empty());
  }
}

TEST_CASE("differing bits without a differing knob are unexplained, and a violation where both claimed determinism") {
  const Explanation found = diff_manifests(host_manifest(), host_manifest(), false);
  CHECK(found.verdict == "unexplained");
  CHECK(found.label == "violation");
}

TEST_CASE("an unexplained difference is permitted where one side made no promise") {
  for (const char* preset : {"nondeterministic", "inherit"}) {
    Json loose = host_manifest();
    loose["numeric"]["requested"] = mode_document(mode_from_name(preset, "", any_host()));
    CHECK(diff_manifests(loose, loose, false).label == "permitted");
  }
  CHECK(diff_manifests(Json::object(), Json::object(), false).label == "permitted");
}

TEST_CASE("a module that was edited explains a difference, one that only one side lists does not") {
  Json a = host_manifest(), b = host_manifest();
  a["program"]["modules"] = {{"pkg/m.py", "12"}};
  b["program"]["modules"] = {{"pkg/m.py", "12"}, {"late.py", "56"}};
  CHECK(diff_manifests(a, b, false).verdict == "unexplained");
  b["program"]["modules"]["pkg/m.py"] = "34";
  const Explanation found = diff_manifests(a, b, false);
  CHECK(found.verdict == "explained_by");
  REQUIRE(found.explanatory.size() == 1);
  CHECK(found.explanatory[0].path == "program.modules.pkg/m.py");
}

TEST_CASE("fields that only describe a run explain nothing") {
  for (const std::string knob :
       {"/trial/replicate", "/trial/attempt", "/trial/identity", "/volatile/load_average", "/outcome/wall_ns",
        "/evidence/weights", "/machine/governor", "/machine/kernel", "/invented/by"}) {
    const Explanation found = diff_manifests(host_manifest(), turned(knob), false);
    INFO(knob);
    CHECK(found.verdict == "unexplained");
    CHECK(found.explanatory.empty());
    REQUIRE(found.others.size() == 1);
    CHECK(found.others[0].path == dotted(knob));
  }
  CHECK(class_of("trial.replicate") == FieldClass::volatile_);
  CHECK(class_of("trial.argv[3]") == FieldClass::volatile_);
  CHECK(class_of("program.imports") == FieldClass::evidence);
  CHECK(class_of("program.variables.PYTHONHASHSEED") == FieldClass::explanatory);
  CHECK(class_of("machine.gpu_driver") == FieldClass::explanatory);
  CHECK(class_of("volatile.load_average") == FieldClass::volatile_);
  CHECK(class_of("outcome.wall_ns") == FieldClass::evidence);
}

TEST_CASE("equal digests are the same bits, with the differing knobs listed as without effect") {
  const Explanation found = diff_manifests(host_manifest(), turned("/numeric/effective/threads"), true);
  CHECK(found.verdict == "same_bits");
  CHECK(found.explanatory.size() == 1);
}

TEST_CASE("explanations are ordered from specific to general: randomness, inputs, numeric, program, machine") {
  Json other = host_manifest();
  for (const char* place : {"/machine/cpu_model", "/program/build_id", "/libraries/torch", "/numeric/effective/threads",
                            "/inputs/dataset", "/randomness/root"})
    other[Place(place)] = "changed";
  std::vector<std::string> order;
  for (const FieldDifference& difference : diff_manifests(host_manifest(), other, false).explanatory)
    order.push_back(difference.path);
  CHECK(order == std::vector<std::string>{"randomness.root", "inputs.dataset", "numeric.effective.threads",
                                          "libraries.torch", "program.build_id", "machine.cpu_model"});
}

TEST_CASE("a field that one side lacks is a difference named not_recorded") {
  Json other = host_manifest();
  other["numeric"]["effective"].erase("rounding");
  const Explanation found = diff_manifests(host_manifest(), other, false);
  REQUIRE(found.explanatory.size() == 1);
  CHECK(found.explanatory[0].path == "numeric.effective.rounding");
  CHECK(found.explanatory[0].a == "nearest");
  CHECK(found.explanatory[0].b == "not_recorded");
}

TEST_CASE("elements of lists are named by their place") {
  Json other = host_manifest();
  other["numeric"]["effective"]["attention"]["priority"][1] = 9;
  const Explanation found = diff_manifests(host_manifest(), other, false);
  REQUIRE(found.explanatory.size() == 1);
  CHECK(found.explanatory[0].path == "numeric.effective.attention.priority[1]");
}

}  // namespace retrial::tests::manifest_diff_tests
