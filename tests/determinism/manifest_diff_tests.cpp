#include "determinism/manifest.hpp"
#include "tests/catch.hpp"

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
const Json& manifest() {
  static const Json once = captured_manifest();
  return once;
}

struct Knob {
  std::string place;  ///< JSON pointer
  std::string value;  ///< JSON text
};

std::string dotted(std::string place) {
  place.erase(0, 1);
  for (char& c : place)
    if (c == '/') c = '.';
  return place;
}

Json turned(const Knob& knob) {
  Json other = manifest();
  other[Place(knob.place)] = Json::parse(knob.value);
  return other;
}

std::vector<Knob> knobs() {
  std::vector<Knob> all = {{"/numeric/effective/cpu_capability", R"("AVX512")"},
                           {"/numeric/effective/threads", "2"},
                           {"/numeric/effective/onednn", "false"},
                           {"/numeric/effective/deterministic_algorithms", "false"},
                           {"/numeric/effective/mxcsr_main", R"("9fc0")"},
                           {"/numeric/effective/rounding", R"("upward")"},
                           {"/numeric/effective/fill_uninitialised", R"("unsupported")"},
                           {"/numeric/effective/cudnn_benchmark", "true"},
                           {"/numeric/effective/float32_precision/onednn.conv", R"("bf16")"},
                           {"/numeric/effective/float32_precision/cuda.matmul", R"("mixed-api")"},
                           {"/numeric/effective/mkl/branch", R"("AUTO")"},
                           {"/numeric/effective/mkl/strict", "false"},
                           {"/numeric/requested/threads", "2"},
                           {"/numeric/requested/isa", R"("avx512")"},
                           {"/libraries/torch", R"("2.12.0")"},
                           {"/libraries/onednn", R"("3.11.0")"},
                           {"/program/build_id", R"("00")"},
                           {"/program/compiler", R"("clang 17")"},
                           {"/program/flags", R"("-O3")"},
                           {"/program/shared_objects/libc.so.6", R"("11")"},
                           {"/trial/variant", R"("scratch")"},
                           {"/inputs/dataset", R"("d2")"},
                           {"/inputs/values/temperature", R"("4000000000000000")"},
                           {"/randomness/root", R"("000000000000002b")"},
                           {"/randomness/sources/init/seed", R"("0000000000000008")"},
                           {"/randomness/sources/init/held", "true"},
                           {"/machine/cpu_model", R"("another")"},
                           {"/machine/cpu_flags", R"("22")"},
                           {"/machine/cpu_cores", "64"},
                           {"/machine/affinity", R"("7")"},
                           {"/machine/microcode", R"("0x1")"}};
  for (const std::string& name : recorded_variables()) all.push_back({"/numeric/variables/" + name, R"("turned")"});
  return all;
}

}  // namespace

TEST_CASE("of pairs that differ in one knob the right one is named in every case") {
  REQUIRE(knobs().size() >= 50);
  const Json original = manifest();
  for (const Knob& knob : knobs()) {
    const Explanation found = diff_manifests(original, turned(knob), false);
    INFO(knob.place);
    CHECK(found.verdict == "explained_by");
    CHECK(found.label.empty());
    REQUIRE(found.explanatory.size() == 1);
    CHECK(found.explanatory[0].path == dotted(knob.place));
    CHECK(found.explanatory[0].a != found.explanatory[0].b);
    CHECK(found.others.empty());
  }
}

TEST_CASE("differing bits without a differing knob are unexplained, and a violation where both claimed determinism") {
  const Explanation found = diff_manifests(manifest(), manifest(), false);
  CHECK(found.verdict == "unexplained");
  CHECK(found.label == "violation");
}

TEST_CASE("an unexplained difference is permitted where one side made no promise") {
  for (const char* preset : {"nondeterministic", "inherit"}) {
    Json loose = manifest();
    loose["numeric"]["requested"] = mode_document(mode_from_name(preset, "", any_host()));
    CHECK(diff_manifests(loose, loose, false).label == "permitted");
  }
  CHECK(diff_manifests(Json::object(), Json::object(), false).label == "permitted");
}

TEST_CASE("what only describes a run explains nothing") {
  for (const Knob& knob : std::vector<Knob>{{"/trial/replicate", "1"},
                                            {"/trial/attempt", R"("01")"},
                                            {"/trial/identity", R"("cd")"},
                                            {"/volatile/load_average", R"("9 9 9")"},
                                            {"/outcome/wall_ns", "6"},
                                            {"/evidence/weights", R"("x")"},
                                            {"/machine/governor", R"("powersave")"},
                                            {"/machine/kernel", R"("Linux 9")"},
                                            {"/invented/by", R"("somebody")"}}) {
    const Explanation found = diff_manifests(manifest(), turned(knob), false);
    INFO(knob.place);
    CHECK(found.verdict == "unexplained");
    CHECK(found.explanatory.empty());
    REQUIRE(found.others.size() == 1);
    CHECK(found.others[0].path == dotted(knob.place));
  }
  CHECK(class_of("trial.replicate") == FieldClass::volatile_);
  CHECK(class_of("volatile.load_average") == FieldClass::volatile_);
  CHECK(class_of("outcome.wall_ns") == FieldClass::evidence);
}

TEST_CASE("equal digests are the same bits, with the differing knobs listed as without effect") {
  const Explanation found = diff_manifests(manifest(), turned({"/numeric/effective/threads", "2"}), true);
  CHECK(found.verdict == "same_bits");
  CHECK(found.explanatory.size() == 1);
}

TEST_CASE("explanations come most specific first: randomness, inputs, numeric, program, machine") {
  Json other = manifest();
  for (const char* place : {"/machine/cpu_model", "/program/build_id", "/libraries/torch", "/numeric/effective/threads",
                            "/inputs/dataset", "/randomness/root"})
    other[Place(place)] = "changed";
  std::vector<std::string> order;
  for (const FieldDifference& difference : diff_manifests(manifest(), other, false).explanatory)
    order.push_back(difference.path);
  CHECK(order == std::vector<std::string>{"randomness.root", "inputs.dataset", "numeric.effective.threads",
                                          "libraries.torch", "program.build_id", "machine.cpu_model"});
}

TEST_CASE("a field that one side lacks is a difference named not_recorded") {
  Json other = manifest();
  other["numeric"]["effective"].erase("rounding");
  const Explanation found = diff_manifests(manifest(), other, false);
  REQUIRE(found.explanatory.size() == 1);
  CHECK(found.explanatory[0].path == "numeric.effective.rounding");
  CHECK(found.explanatory[0].a == "nearest");
  CHECK(found.explanatory[0].b == "not_recorded");
}

TEST_CASE("elements of lists are named by their place") {
  Json other = manifest();
  other["numeric"]["effective"]["attention"]["priority"][1] = 9;
  const Explanation found = diff_manifests(manifest(), other, false);
  REQUIRE(found.explanatory.size() == 1);
  CHECK(found.explanatory[0].path == "numeric.effective.attention.priority[1]");
}
