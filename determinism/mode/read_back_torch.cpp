#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include "determinism/mode/devices.hpp"
#include "determinism/mode/float32_precision_torch.hpp"
#include "determinism/mode/numeric_state.hpp"
#include "determinism/mode/switches.hpp"
#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

Json plain(bool value) {
  return value;
}
Json plain(int value) {
  return value;
}
template <typename E>
requires std::is_enum_v<E> Json plain(E value) {
  return static_cast<int>(value);
}
template <typename E, std::size_t n>
Json plain(const std::array<E, n>& values) {
  Json list = Json::array();
  for (const E value : values) list.push_back(static_cast<int>(value));
  return list;
}

/// The value of one getter: "unsupported" if this LibTorch lacks it, "mixed-api" if it throws because both the older
/// and the newer precision switches were used.
template <typename Getter>
Json ask(Getter getter) {
  if constexpr (std::is_invocable_v<Getter, at::Context&>) {
    try {
      return plain(getter(at::globalContext()));
    } catch (const c10::Error&) {
      return "mixed-api";
    }
  } else {
    return "unsupported";
  }
}

#define RETRIAL_ASK(member) ask([](auto& context) -> decltype(context.member()) { return context.member(); })

Json determinism_switches() {
  return {{"deterministic_algorithms", RETRIAL_ASK(deterministicAlgorithms)},
          {"deterministic_warn_only", RETRIAL_ASK(deterministicAlgorithmsWarnOnly)},
          {"fill_uninitialised", RETRIAL_ASK(deterministicFillUninitializedMemory)},
          {"cudnn", RETRIAL_ASK(userEnabledCuDNN)},
          {"cudnn_benchmark", RETRIAL_ASK(benchmarkCuDNN)},
          {"cudnn_benchmark_limit", RETRIAL_ASK(benchmarkLimitCuDNN)},
          {"cudnn_deterministic", RETRIAL_ASK(deterministicCuDNN)},
          {"onednn", RETRIAL_ASK(userEnabledMkldnn)},
          {"onednn_deterministic", RETRIAL_ASK(deterministicMkldnn)},
          {"onednn_deterministic_effect", "none on a CPU"},
          {"onednn_isa", "unsupported"},  // the library exports no function for it
          {"nnpack", RETRIAL_ASK(userEnabledNNPACK)},
          {"release_weights_when_prepacking", RETRIAL_ASK(releaseWeightsWhenPrepacking)},
          {"quantised_engine", RETRIAL_ASK(qEngine)}};
}

Json precision_switches() {
  return {{"float32_precision", read_float32_precision(at::globalContext())},
          {"float32_matmul_precision", RETRIAL_ASK(float32MatmulPrecision)},
          {"tf32_cublas", RETRIAL_ASK(allowTF32CuBLAS)},
          {"tf32_cudnn", RETRIAL_ASK(allowTF32CuDNN)},
          {"tf32_onednn", RETRIAL_ASK(allowTF32OneDNN)},
          {"fp16_reduction_cublas", RETRIAL_ASK(allowFP16ReductionCuBLAS)},
          {"bf16_reduction_cublas", RETRIAL_ASK(allowBF16ReductionCuBLAS)},
          {"fp16_accumulation_cublas", RETRIAL_ASK(allowFP16AccumulationCuBLAS)},
          {"fp16_reduction_cpu", RETRIAL_ASK(allowFP16ReductionCPU)},
          {"linalg_backend", RETRIAL_ASK(linalgPreferredBackend)},
          {"blas_backend", RETRIAL_ASK(blasPreferredBackend)}};
}

Json attention_switches() {
  return {{"flash", RETRIAL_ASK(userEnabledFlashSDP)},
          {"flash3", RETRIAL_ASK(userEnabledFA3SDP)},
          {"memory_efficient", RETRIAL_ASK(userEnabledMemEfficientSDP)},
          {"math", RETRIAL_ASK(userEnabledMathSDP)},
          {"cudnn", RETRIAL_ASK(userEnabledCuDNNSDP)},
          {"overrideable", RETRIAL_ASK(userEnabledOverrideableSDP)},
          {"math_reduced_precision", RETRIAL_ASK(allowFP16BF16ReductionMathSDP)},
          {"priority", RETRIAL_ASK(sDPPriorityOrder)}};
}

#undef RETRIAL_ASK

Json thread_state() {
  return {{"threads", at::get_num_threads()},
          {"threads_inter", at::get_num_interop_threads()},
          {"openmp_threads", answer_of("omp_get_max_threads")},
          {"blas_threads", answer_of("mkl_serv_get_max_threads")},
          {"mxcsr_main", mxcsr()},
          {"mxcsr_pool", pool_mxcsr(at::get_num_threads())},
          {"rounding", rounding_mode()},
          {"cpu_capability", at::get_cpu_capability()},
          {"mkl", mkl_reproducibility()}};
}

/// The version of the loaded library, not of the headers this file was compiled with.
std::string runtime_version() {
  const std::string config = at::show_config(), key = "TORCH_VERSION=";
  const auto at = config.find(key);
  if (at == std::string::npos) return "unknown";
  const auto start = at + key.size();
  return config.substr(start, config.find_first_of(", \n", start) - start);
}

/// Cached: constant in a process, and slow to assemble.
const Json& libraries() {
  static const Json versions{{"torch", runtime_version()},
                             {"mkl", at::get_mkl_version()},
                             {"onednn", at::get_mkldnn_version()},
                             {"openmp", at::get_openmp_version()}};
  return versions;
}

}  // namespace

Json read_back() {
  Json state = thread_state();
  state.update(determinism_switches());
  state.update(precision_switches());
  state["attention"] = attention_switches();
  state["libraries"] = libraries();
  state["torch"] = state["libraries"]["torch"];
  if (Json found = found_devices(); !found.is_null()) state["cuda"] = std::move(found);
  return state;
}

}  // namespace retrial::determinism::inline mode
