// Expected values are the kernel-mode tables of the specification.
#include "determinism/mode/kernel_mode.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::kernel_mode_tests {

using namespace retrial;
using namespace retrial::determinism;

namespace {

const HostCpu roomy{.cores = 8, .isas = {"default", "avx2", "avx512"}};

ErrorText refusal(const Json& table, const HostCpu& host = roomy) {
  try {
    (void)mode_from_json(table, "s.toml:3", host);
  } catch (const Error& error) {
    return error.text;
  }
  FAIL("accepted: " << table.dump());
  return {};
}

/// The read-back of a worker in which the mode took effect.
Json effective_of(const KernelMode& mode) {
  const std::string precision = mode.tf32 ? "tf32" : "ieee";
  return {{"torch", "2.11.0"},
          {"deterministic_algorithms", mode.deterministic},
          {"deterministic_warn_only", false},
          {"threads", mode.threads},
          {"cpu_capability", mode.isa == "avx2"     ? "AVX2"
                             : mode.isa == "avx512" ? "AVX512"
                                                    : "DEFAULT"},
          {"onednn", mode.onednn},
          {"float32_precision",
           {{"cuda.matmul", precision},
            {"cuda.conv", precision},
            {"cuda.rnn", precision},
            {"onednn.matmul", "ieee"},
            {"onednn.conv", "ieee"},
            {"onednn.rnn", "ieee"}}},
          {"cudnn_benchmark", mode.autotune},
          {"cudnn_deterministic", mode.deterministic},
          {"mkl", {{"branch", mode.portable ? "COMPATIBLE" : "AUTO"}}},
          {"mxcsr_main", "1f80"},
          {"mxcsr_pool", "none"}};
}

}  // namespace

TEST_CASE("there are five presets, the first of them the default") {
  std::vector<std::string> names;
  for (const ModePreset& preset : mode_presets()) {
    names.push_back(preset.name);
    CHECK(preset.mode.preset == preset.name);
    CHECK_FALSE(preset.summary.empty());
    CHECK(mode_from_name(preset.name, "--mode", roomy) == preset.mode);
  }
  CHECK(names == std::vector<std::string>{"deterministic", "portable", "nondeterministic", "nondeterministic+autotune",
                                          "inherit"});
  CHECK(mode_presets()[0].mode == KernelMode{});
}

TEST_CASE("a pair of presets differs in determinism only") {
  KernelMode twin = mode_from_name("nondeterministic", "", roomy);
  twin.deterministic = true, twin.preset = "deterministic";
  CHECK(twin == mode_from_name("deterministic", "", roomy));
}

TEST_CASE("a mistyped preset names its neighbour and the allowed ones") {
  try {
    (void)mode_from_name("determinstic", "--mode", roomy);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    CHECK_THAT(error.text.help, has_text("'deterministic'"));
    CHECK_THAT(error.text.allowed, has_text("nondeterministic+autotune") && has_text("inherit"));
    CHECK(error.text.value == "determinstic");
    CHECK(error.text.where == "--mode");
  }
}

TEST_CASE("a table sets axes and leaves the others at the preset") {
  const KernelMode mode = mode_from_json({{"threads", 4}, {"isa", "avx512"}, {"onednn", false}}, "", roomy);
  CHECK(mode == KernelMode{.threads = 4, .isa = "avx512", .onednn = false});
  CHECK(mode_from_json(Json::object(), "", roomy) == KernelMode{});
  CHECK(mode_from_json({{"deterministic", false}}, "", roomy).preset == "nondeterministic");
  CHECK(mode_from_json({{"deterministic", false}, {"autotune", true}}, "", roomy).preset ==
        "nondeterministic+autotune");
  CHECK(mode_from_json("inherit", "", roomy).inherit());
}

TEST_CASE("an unknown axis names its neighbour") {
  const ErrorText text = refusal({{"thread", 2}});
  CHECK(text.field == "mode.thread");
  CHECK(text.help == "did you mean 'threads'?");
  CHECK_THAT(text.allowed, has_text("onednn") && has_text("autotune"));
}

TEST_CASE("threads are between 1 and the cores of the affinity mask") {
  for (const Json& bad : {Json(0), Json(-3), Json(9), Json(std::uint64_t{1} << 40), Json(~std::uint64_t{0})}) {
    const ErrorText text = refusal({{"threads", bad}});
    CHECK(text.field == "mode.threads");
    CHECK(text.value == bad.dump());
    CHECK(text.problem == "out of range");
  }
  CHECK_THAT(refusal({{"threads", 9}}).allowed, has_text("1 to 8"));
  CHECK(mode_from_json({{"threads", 8}}, "", roomy).threads == 8);
  CHECK(mode_from_json({{"threads", 500}}, "", any_host()).threads == 500);
}

TEST_CASE("an instruction set that this CPU lacks is refused with those it has") {
  const HostCpu old{.cores = 1, .isas = {"default"}};
  const ErrorText text = refusal({{"isa", "avx2"}}, old);
  CHECK(text.problem == "not available on this CPU");
  CHECK(text.allowed == "default");
  CHECK(refusal({{"isa", "avx3"}}).problem == "unknown instruction set");
  CHECK(refusal({{"isa", "avx3"}}).help == "did you mean 'avx2'?");
  CHECK_THROWS_AS(mode_from_name("deterministic", "", old), Error);
  CHECK_NOTHROW(mode_from_name("inherit", "", old));
}

TEST_CASE("values of the wrong type are refused by axis") {
  for (const auto& [axis, value] : std::vector<std::pair<std::string, Json>>{
           {"deterministic", 1}, {"tf32", "no"}, {"threads", "2"}, {"threads", 1.5}, {"isa", 2}, {"fused", nullptr}})
    CHECK(refusal({{axis, value}}).field == "mode." + axis);
  CHECK(refusal(Json::array()).field == "mode");
}

TEST_CASE("autotune contradicts determinism") {
  CHECK(refusal({{"autotune", true}}).field == "mode.autotune");
  CHECK(refusal({{"deterministic", true}, {"autotune", true}}).field == "mode.autotune");
}

TEST_CASE("portable fixes every axis but oneDNN") {
  CHECK(mode_from_json({{"portable", true}}, "", roomy) == mode_from_name("portable", "", roomy));
  CHECK(mode_from_json({{"portable", true}, {"onednn", false}}, "", roomy).preset == "portable");
  CHECK(mode_from_json({{"portable", false}}, "", roomy) == KernelMode{});
  for (const auto& [axis, value] : std::vector<std::pair<std::string, Json>>{{"threads", 2},
                                                                             {"isa", "avx512"},
                                                                             {"isa", "default"},
                                                                             {"tf32", true},
                                                                             {"fused", true},
                                                                             {"deterministic", false}}) {
    const ErrorText text = refusal({{"portable", true}, {axis, value}});
    CHECK(text.field == "mode." + axis);
    CHECK(text.problem == "contradicts portable = true");
  }
}

TEST_CASE("portable is refused on a CPU without AVX2, with the reason") {
  try {
    (void)mode_from_name("portable", "--mode", {.cores = 1, .isas = {"default"}});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    CHECK(error.text.value == "avx2");
    CHECK_THAT(error.text.problem, has_text("mode portable needs it"));
  }
}

TEST_CASE("portable asks MKL for the one branch of every CPU, and reads back that it has it") {
  const KernelMode portable = mode_from_name("portable", "", roomy);
  CHECK(variables_of(portable).at("MKL_CBWR") == "COMPATIBLE");
  CHECK(identity_axes(portable).at("portable") == true);
  CHECK_FALSE(identity_axes(KernelMode{}).contains("portable"));
  const auto differences = [&](const KernelMode& mode, const char* branch) {
    std::vector<std::string> found = compare_modes(mode, {{"mkl", {{"branch", branch}}}});
    std::erase_if(found, [](const std::string& line) { return line.find("not recorded") != line.npos; });
    return found;
  };
  CHECK(differences(portable, "AUTO") == std::vector<std::string>{"portable: requested COMPATIBLE, effective AUTO"});
  CHECK(differences(portable, "COMPATIBLE").empty());
  CHECK(differences(KernelMode{}, "AUTO").empty());
}

TEST_CASE("an identity holds six axes, autotune only where it is on, and nulls under inherit") {
  CHECK(results::canonical(identity_axes(KernelMode{})) ==
        R"({"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"tf32":false,"threads":1})");
  CHECK(identity_axes(mode_from_name("nondeterministic+autotune", "", roomy)).at("autotune") == true);
  CHECK(results::canonical(identity_axes(mode_from_name("inherit", "", roomy))) ==
        R"({"deterministic":null,"fused":null,"isa":null,"onednn":null,"tf32":null,"threads":null})");
}

TEST_CASE("a mode document reads back to the same mode, on any machine") {
  for (const ModePreset& preset : mode_presets()) CHECK(mode_from_document(mode_document(preset.mode)) == preset.mode);
  const KernelMode odd{.threads = 300, .isa = "avx512", .onednn = false, .tf32 = true, .fused = true};
  CHECK(mode_from_document(mode_document(odd)) == odd);
  CHECK_THROWS_AS(mode_from_document(Json::object()), Error);
  CHECK_THROWS_AS(mode_from_document({{"preset", "deterministic"}, {"speed", 3}}), Error);
}

TEST_CASE("the deterministic environment pins every library to one instruction set and thread count") {
  const std::map<std::string, std::string> cpu = {{"OMP_NUM_THREADS", "1"},       {"MKL_NUM_THREADS", "1"},
                                                  {"OMP_DYNAMIC", "FALSE"},       {"MKL_DYNAMIC", "FALSE"},
                                                  {"OMP_WAIT_POLICY", "passive"}, {"ATEN_CPU_CAPABILITY", "avx2"},
                                                  {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"MKL_CBWR", "AVX2,STRICT"}};
  for (const char* name : {"deterministic", "nondeterministic", "nondeterministic+autotune"}) {
    const auto set = variables_of(mode_from_name(name, "", roomy));
    for (const auto& [variable, value] : cpu) CHECK(set.at(variable) == value);
    CHECK(set.at("NVIDIA_TF32_OVERRIDE") == "0");
    CHECK(set.contains("CUBLAS_WORKSPACE_CONFIG") == (std::string(name) == "deterministic"));
  }
  CHECK_FALSE(variables_of(KernelMode{.tf32 = true}).contains("NVIDIA_TF32_OVERRIDE"));
  CHECK(variables_of(KernelMode{.threads = 2}).at("MKL_NUM_THREADS") == "2");
  CHECK(variables_of(KernelMode{.isa = "avx512"}).at("MKL_CBWR") == "AVX512,STRICT");
  CHECK(variables_of(KernelMode{.isa = "avx512"}).at("ONEDNN_MAX_CPU_ISA") == "AVX512_CORE");
  CHECK(variables_of(KernelMode{.isa = "default"}).at("MKL_CBWR") == "COMPATIBLE");
  CHECK(variables_of(KernelMode{.isa = "default"}).at("ATEN_CPU_CAPABILITY") == "default");
}

TEST_CASE("variables of the table that a mode leaves unset are cleared, others pass") {
  const std::map<std::string, std::string> base = {{"PATH", "/bin"},
                                                   {"OMP_NUM_THREADS", "7"},
                                                   {"OMP_SCHEDULE", "dynamic"},
                                                   {"ONEDNN_VERBOSE", "1"},
                                                   {"DNNL_MAX_CPU_ISA", "ALL"},
                                                   {"TORCH_CUDNN_V8_API_NEW_KNOB", "1"},
                                                   {"CUDA_VISIBLE_DEVICES", "3"},
                                                   {"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA"}};
  const auto environment = environment_for(KernelMode{}, base);
  CHECK(environment.at("PATH") == "/bin");
  CHECK(environment.at("CUDA_VISIBLE_DEVICES") == "3");
  CHECK(environment.at("OMP_NUM_THREADS") == "1");
  for (const char* gone :
       {"OMP_SCHEDULE", "ONEDNN_VERBOSE", "DNNL_MAX_CPU_ISA", "TORCH_CUDNN_V8_API_NEW_KNOB", "GLIBC_TUNABLES"})
    CHECK_FALSE(environment.contains(gone));
  CHECK(environment.size() == 2 + variables_of(KernelMode{}).size());
}

TEST_CASE("inherit changes no variable") {
  const std::map<std::string, std::string> base = {{"OMP_NUM_THREADS", "7"}, {"MKL_CBWR", "AUTO"}, {"HOME", "/h"}};
  CHECK(environment_for(mode_from_name("inherit", "", roomy), base) == base);
  CHECK(variables_of(mode_from_name("inherit", "", roomy)).empty());
}

TEST_CASE("every variable a mode can set is one the manifest records") {
  for (const ModePreset& preset : mode_presets())
    for (const auto& [name, value] : variables_of(preset.mode))
      CHECK(std::find(recorded_variables().begin(), recorded_variables().end(), name) != recorded_variables().end());
}

TEST_CASE("a mode that took effect shows no difference") {
  for (const ModePreset& preset : mode_presets()) CHECK(compare_modes(preset.mode, effective_of(preset.mode)).empty());
  CHECK(compare_modes(KernelMode{.tf32 = true}, effective_of(KernelMode{.tf32 = true})).empty());
}

TEST_CASE("each axis that did not take effect is named with both values") {
  const KernelMode mode{.threads = 2};
  const std::vector<std::pair<std::string, std::pair<Json, std::string>>> planted = {
      {"/threads", {1, "threads: requested 2, effective 1"}},
      {"/cpu_capability", {"AVX512", "isa: requested AVX2, effective AVX512"}},
      {"/deterministic_algorithms", {false, "deterministic: requested true, effective false"}},
      {"/deterministic_warn_only", {true, "warn_only: requested false, effective true"}},
      {"/onednn", {false, "onednn: requested true, effective false"}},
      {"/cudnn_benchmark", {true, "autotune: requested false, effective true"}},
      {"/float32_precision/cuda.conv", {"tf32", "tf32: requested ieee, effective tf32"}},
      {"/float32_precision/onednn.conv", {"mixed-api", "tf32: requested ieee, effective mixed-api"}},
      {"/mxcsr_pool", {"9fc0", "flush_denormal: requested 1f80, effective 9fc0"}}};
  for (const auto& [place, change] : planted) {
    Json effective = effective_of(mode);
    effective[Json::json_pointer(place)] = change.first;
    CHECK(compare_modes(mode, effective) == std::vector<std::string>{change.second});
  }
}

TEST_CASE("a read-back without a field is a difference, one without LibTorch is not") {
  Json effective = effective_of(KernelMode{});
  effective.erase("threads");
  CHECK(compare_modes(KernelMode{}, effective) ==
        std::vector<std::string>{"threads: requested 1, effective not recorded"});
  CHECK(compare_modes(KernelMode{}, {{"torch", nullptr}}).empty());
  effective["onednn"] = "unsupported";
  effective["threads"] = 1;
  CHECK(compare_modes(KernelMode{}, effective).empty());
}

TEST_CASE("nothing is compared under inherit") {
  Json effective = effective_of(KernelMode{});
  effective["threads"] = 77;
  CHECK(compare_modes(mode_from_name("inherit", "", roomy), effective).empty());
}

TEST_CASE("this machine has a core and the default instruction set") {
  CHECK(this_host().cores >= 1);
  REQUIRE_FALSE(this_host().isas.empty());
  CHECK(this_host().isas[0] == "default");
}

}  // namespace retrial::tests::kernel_mode_tests
