#include <algorithm>
#include <array>
#include <optional>

#include "determinism/mode/kernel_mode.hpp"

namespace retrial::determinism::inline mode {
namespace {

constexpr std::string_view cudnn_prefix = "TORCH_CUDNN_V8_API_";

struct IsaVariables {
  const char *isa, *aten, *onednn, *mkl;
};
// The three libraries dispatch independently, so one variable alone does not make two machines agree. MKL without
// STRICT would depend on the thread count. COMPATIBLE is the only MKL branch that every CPU supports, so it is that of
// the portable mode: the others silently become the automatic branch on CPUs that are not Intel's.
constexpr const char* mkl_of_every_cpu = "COMPATIBLE";
constexpr std::array isa_variables = {
    IsaVariables{"default", "default", "SSE41", mkl_of_every_cpu},
    IsaVariables{"avx2", "avx2", "AVX2", "AVX2,STRICT"},
    IsaVariables{"avx512", "avx512", "AVX512_CORE", "AVX512,STRICT"},
};

const IsaVariables& variables_of_isa(const std::string& isa) {
  return *std::find_if(isa_variables.begin(), isa_variables.end() - 1,
                       [&](const IsaVariables& row) { return isa == row.isa; });
}

/// "4096x8", eight buffers of 4096 KiB, as cuBLAS spells it.
std::optional<std::string> workspace_variable(const std::string& axis) {
  const auto by = axis.find('x');
  if (by == axis.npos) return std::nullopt;
  return ":" + axis.substr(0, by) + ":" + axis.substr(by + 1);
}

}  // namespace

const std::vector<std::string>& recorded_variables() {
  static const std::vector<std::string> names = {
      // ATen
      "ATEN_CPU_CAPABILITY",
      // oneDNN; it still reads variables with the prefix of its old name
      "ONEDNN_MAX_CPU_ISA", "ONEDNN_CPU_ISA_HINTS", "ONEDNN_DEFAULT_FPMATH_MODE", "ONEDNN_VERBOSE", "DNNL_MAX_CPU_ISA",
      "DNNL_CPU_ISA_HINTS", "DNNL_DEFAULT_FPMATH_MODE", "DNNL_VERBOSE",
      // MKL
      "MKL_CBWR", "MKL_DYNAMIC", "MKL_NUM_THREADS", "MKL_ENABLE_INSTRUCTIONS", "MKL_VERBOSE",
      // OpenBLAS
      "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
      // OpenMP
      "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_WAIT_POLICY",
      "KMP_DETERMINISTIC_REDUCTION", "GOMP_CPU_AFFINITY",
      // libm
      "GLIBC_TUNABLES",
      // CUDA
      "CUBLAS_WORKSPACE_CONFIG", "NVIDIA_TF32_OVERRIDE", "CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING",
      "CUBLASLT_WORKSPACE_SIZE", "TORCH_CUDNN_V8_API_DISABLED", "TORCH_CUDNN_V8_API_DEBUG",
      "TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "TORCH_LINALG_PREFER_CUSOLVER",
      "TORCH_BLAS_PREFER_CUBLASLT", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_NO_CUDA_MEMORY_CACHING",
      "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING", "CUDA_CACHE_DISABLE", "CUDNN_LOGLEVEL_DBG", "CUDA_MPS_PIPE_DIRECTORY",
      "NVIDIA_VISIBLE_DEVICES",
      // several GPUs
      "NCCL_ALGO", "NCCL_PROTO", "NVTE_ALLOW_NONDETERMINISTIC_ALGO"};
  return names;
}

std::map<std::string, std::string> variables_of(const KernelMode& mode) {
  if (mode.inherit()) return {};
  const std::string threads = std::to_string(mode.threads);
  const IsaVariables& isa = variables_of_isa(mode.isa);
  std::map<std::string, std::string> set = {
      {"OMP_NUM_THREADS", threads},       {"MKL_NUM_THREADS", threads},
      {"OMP_DYNAMIC", "FALSE"},           {"MKL_DYNAMIC", "FALSE"},
      {"OMP_WAIT_POLICY", "passive"},     {"ATEN_CPU_CAPABILITY", isa.aten},
      {"ONEDNN_MAX_CPU_ISA", isa.onednn}, {"MKL_CBWR", mode.portable ? mkl_of_every_cpu : isa.mkl}};
  if (!mode.tf32) set.emplace("NVIDIA_TF32_OVERRIDE", "0");
  if (const auto workspace = workspace_variable(mode.workspace_in_force())) set["CUBLAS_WORKSPACE_CONFIG"] = *workspace;
  if (mode.deterministic) set.insert({{"NCCL_ALGO", "Ring"}, {"NVTE_ALLOW_NONDETERMINISTIC_ALGO", "0"}});
  if (mode.on_gpu()) set.insert({{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}, {"CUDA_MODULE_LOADING", "LAZY"}});
  return set;
}

const std::vector<std::string>& passed_variables() {
  static const std::vector<std::string> names = {"CUDA_VISIBLE_DEVICES", "CUDA_MPS_PIPE_DIRECTORY",
                                                 "NVIDIA_VISIBLE_DEVICES"};
  return names;
}

std::map<std::string, std::string> environment_for(const KernelMode& mode, std::map<std::string, std::string> base) {
  if (mode.inherit()) return base;
  const auto& passed = passed_variables();
  for (const std::string& name : recorded_variables())
    if (std::find(passed.begin(), passed.end(), name) == passed.end()) base.erase(name);
  std::erase_if(base, [](const auto& entry) { return entry.first.starts_with(cudnn_prefix); });
  for (const auto& [name, value] : variables_of(mode)) base[name] = value;
  return base;
}

}  // namespace retrial::determinism::inline mode
