// Expected values are the tables of axes and variables of the GPU specification, and the identities that studies of the
// CPU have had since before there was a device.
#include "determinism/mode/device_axes.hpp"
#include "determinism/mode/devices.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::device_axes_tests {

using namespace retrial;
using namespace retrial::determinism;

namespace {

const HostCpu roomy{.cores = 8, .isas = {"default", "avx2", "avx512"}};

template <typename Read>
ErrorText refusal_of(Read read) {
  try {
    (void)read();
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return error.text;
  }
  FAIL("accepted");
  return {};
}
ErrorText refusal(const Json& table) {
  return refusal_of([&] { return mode_from_json(table, "s.toml:3", roomy); });
}
ErrorText refusal_of_name(const std::string& name) {
  return refusal_of([&] { return mode_from_name(name, "--mode", roomy); });
}

KernelMode mode_of(const Json& table) {
  return mode_from_json(table, "", roomy);
}

std::string identity(const KernelMode& mode) {
  return results::canonical(identity_axes(mode));
}

}  // namespace

TEST_CASE("a mode of the CPU has the identity that it had before there was a device") {
  for (const Json& table : {Json::object(), Json{{"device", "cpu"}}})
    CHECK(identity(mode_of(table)) ==
          R"({"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"tf32":false,"threads":1})");
  for (const ModePreset& preset : mode_presets())
    for (const std::string& axis : device_axis_names()) CHECK_FALSE(mode_document(preset.mode).contains(axis));
}

TEST_CASE("an axis of a GPU is in the identity only where it differs from the preset") {
  const std::string head = R"({"deterministic":true,"device":"cuda","fused":false,)",
                    tail = R"("isa":"avx2","onednn":true,"tf32":false,"threads":1})";
  CHECK(identity(mode_of({{"device", "cuda"}})) == head + tail);
  CHECK(
      identity(mode_of(
          {{"device", "cuda"}, {"cudnn", true}, {"workspace", "4096x8"}, {"attention", "math"}, {"blas", "cublas"}})) ==
      head + tail);
  const Json axes = identity_axes(mode_of(
      {{"device", "cuda"}, {"cudnn", false}, {"workspace", "none"}, {"attention", "flash"}, {"blas", "cublaslt"}}));
  CHECK(axes.at("cudnn") == false);
  CHECK(axes.at("workspace") == "none");
  CHECK(axes.at("attention") == "flash");
  CHECK(axes.at("blas") == "cublaslt");
  // What is the exception of one preset is the rule of the other.
  const KernelMode loose =
      mode_of({{"deterministic", false}, {"device", "cuda"}, {"workspace", "none"}, {"attention", "any"}});
  CHECK_FALSE(identity_axes(loose).contains("workspace"));
  CHECK_FALSE(identity_axes(loose).contains("attention"));
  CHECK(
      identity_axes(mode_of({{"deterministic", false}, {"device", "cuda"}, {"workspace", "4096x8"}})).at("workspace") ==
      "4096x8");
}

TEST_CASE("a name with a device is the table with the device") {
  CHECK(mode_from_name("deterministic,cuda", "", roomy) == mode_of({{"device", "cuda"}}));
  CHECK(mode_from_name("deterministic,cpu", "", roomy) == KernelMode{});
  CHECK(mode_from_name("nondeterministic,cuda", "", roomy) == mode_of({{"deterministic", false}, {"device", "cuda"}}));
  CHECK(mode_of("nondeterministic+autotune,cuda").autotune);
}

TEST_CASE("a mode of a GPU reads back from its document, and is told to people") {
  for (const Json& table :
       {Json{{"device", "cuda"}}, Json{{"device", "cuda"}, {"cudnn", false}, {"attention", "efficient"}},
        Json{{"device", "cuda"}, {"deterministic", false}, {"workspace", "16x8"}, {"blas", "cublaslt"}}})
    CHECK(mode_from_document(mode_document(mode_of(table))) == mode_of(table));
  CHECK(mode_text(mode_document(mode_of({{"device", "cuda"}, {"cudnn", false}}))) ==
        "deterministic: threads 1, isa avx2, onednn, no tf32, no fused, device cuda, no cudnn");
}

TEST_CASE("an unknown device names the nearest, and what other programs call cuda is cuda") {
  for (const char* name : {"gpu", "nvidia", "cuda:0", "cud"}) {
    const ErrorText text = refusal({{"device", name}});
    CHECK(text.field == "mode.device");
    CHECK(text.value == name);
    CHECK(text.allowed == "cpu, cuda");
    CHECK(text.help == "did you mean 'cuda'?");
  }
  CHECK(refusal_of_name("deterministic,gpu").help == "did you mean 'cuda'?");
  CHECK(refusal_of_name("deterministic,").field == "mode.device");
  CHECK(refusal_of_name("deterministic,cuda,flash").value == "cuda,flash");
  for (const char* name : {"cuda", "gpu"}) CHECK(refusal_of_name(name).help == "did you mean 'deterministic,cuda'?");
  CHECK(refusal_of_name("determinstic,cuda").help == "did you mean 'deterministic'?");
}

TEST_CASE("an axis of a GPU without a GPU is refused, its default too") {
  for (const auto& [axis, value] : std::vector<std::pair<std::string, Json>>{
           {"cudnn", true}, {"cudnn", false}, {"workspace", "none"}, {"attention", "math"}, {"blas", "cublas"}}) {
    const ErrorText text = refusal({{axis, value}});
    CHECK(text.field == "mode." + axis);
    CHECK_THAT(text.help, has_text("device = \"cuda\"") && has_text(axis));
    CHECK_NOTHROW(mode_of({{"device", "cuda"}, {axis, value}}));
  }
}

TEST_CASE("a wrong value of an axis of a GPU is refused with the allowed ones") {
  for (const auto& [axis, value] : std::vector<std::pair<std::string, Json>>{
           {"cudnn", "no"}, {"workspace", ":4096:8"}, {"workspace", 8}, {"attention", "flsh"}, {"blas", "cutlass"}}) {
    const ErrorText text = refusal({{"device", "cuda"}, {axis, value}});
    CHECK(text.field == "mode." + axis);
    CHECK_FALSE(text.allowed.empty());
  }
  CHECK(refusal({{"device", true}}).problem == "wrong type");
  CHECK(refusal({{"device", "cuda"}, {"attention", "flsh"}}).help == "did you mean 'flash'?");
}

TEST_CASE("portable and inherit are refused on a GPU, both named") {
  for (const ErrorText& text : {refusal({{"portable", true}, {"device", "cuda"}}), refusal_of_name("portable,cuda")}) {
    CHECK(text.field == "mode.device");
    CHECK(text.value == "cuda");
    CHECK(text.problem == "contradicts portable = true");
  }
  CHECK_THAT(refusal_of_name("inherit,cuda").problem, has_text("inherit"));
}

TEST_CASE("the environment of a GPU is set before the worker starts, and the devices that may be used are kept") {
  const auto set = variables_of(mode_of({{"device", "cuda"}}));
  CHECK(set.at("CUDA_DEVICE_ORDER") == "PCI_BUS_ID");
  CHECK(set.at("CUDA_MODULE_LOADING") == "LAZY");
  CHECK(set.at("CUBLAS_WORKSPACE_CONFIG") == ":4096:8");
  CHECK(variables_of(mode_of({{"device", "cuda"}, {"workspace", "16x8"}})).at("CUBLAS_WORKSPACE_CONFIG") == ":16:8");
  CHECK_FALSE(variables_of(mode_of({{"device", "cuda"}, {"workspace", "none"}})).contains("CUBLAS_WORKSPACE_CONFIG"));
  CHECK_FALSE(variables_of(KernelMode{}).contains("CUDA_DEVICE_ORDER"));

  const std::vector<std::string> cleared = {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF",
                                            "PYTORCH_NO_CUDA_MEMORY_CACHING", "CUDA_CACHE_DISABLE",
                                            "CUDNN_LOGLEVEL_DBG"};
  std::map<std::string, std::string> base;
  for (const auto& name : cleared) base[name] = "1";
  for (const auto& name : passed_variables()) base[name] = "0";
  const auto environment = environment_for(mode_of({{"device", "cuda"}}), base);
  for (const auto& name : cleared) CHECK_FALSE(environment.contains(name));
  for (const auto& name : passed_variables()) CHECK(environment.at(name) == "0");
  for (const auto& [name, value] : environment)
    CHECK(std::find(recorded_variables().begin(), recorded_variables().end(), name) != recorded_variables().end());
}

TEST_CASE("a worker that found no device, or several, is not in a mode of a GPU") {
  const KernelMode mode = mode_of({{"device", "cuda"}, {"cudnn", false}});
  const auto said = [&](const Json& effective) {
    std::vector<std::string> lines = compare_modes(mode, effective);
    std::erase_if(lines, [](const std::string& line) { return line.find("not recorded") != line.npos; });
    return lines;
  };
  const Json attention = {{"math", true}, {"flash", false}, {"memory_efficient", false}, {"cudnn", false}};
  const Json sound = {{"cuda", {{"devices", 1}}}, {"cudnn", false}, {"blas_backend", 1}, {"attention", attention}};
  CHECK(said(sound).empty());
  for (const int devices : {0, 2}) {
    Json other = sound;
    other["cuda"]["devices"] = devices;
    CHECK(said(other) == std::vector<std::string>{"devices: requested 1, effective " + std::to_string(devices)});
  }
  Json loose = sound;
  loose["cudnn"] = true, loose["attention"]["flash"] = true;
  CHECK(said(loose) == std::vector<std::string>{"cudnn: requested false, effective true",
                                                "attention: requested false, effective true"});
}

TEST_CASE("a program without CUDA code has nothing to say of devices") {
  CHECK(found_devices().is_null());
}

}  // namespace retrial::tests::device_axes_tests
