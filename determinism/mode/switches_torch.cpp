#include "determinism/mode/switches.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <utility>

#include "determinism/mode/float32_precision_torch.hpp"
#include "determinism/portable/own_operators.hpp"
#include "results/text/error.hpp"

namespace retrial::determinism::inline mode {
namespace {

/// Calls a setter if this LibTorch has it. Without it, a mode that requests a non-default value cannot take effect.
template <typename Setter>
void set(const char* name, bool is_default, Setter setter) {
  if constexpr (std::is_invocable_v<Setter, at::Context&>)
    setter(at::globalContext());
  else if (!is_default)
    throw Error({.exit = Exit::measurement,
                 .code = "mode.unsupported",
                 .where = "kernel mode",
                 .field = name,
                 .problem = "this LibTorch has no such switch"});
}

// Members come and go between releases, so each is detected by its own call, not by the library's version number.
#define RETRIAL_SET(is_default, member, ...) \
  set(#member, is_default,                   \
      [=](auto& context) -> decltype(context.member(__VA_ARGS__)) { return context.member(__VA_ARGS__); })

void set_threads(int threads) {
  at::set_num_threads(threads);
  if (std::cmp_equal(at::get_num_interop_threads(), threads)) return;
  try {
    at::set_num_interop_threads(threads);
  } catch (const c10::Error&) {
    // Allowed once per process, and only before its first use; it changes no bits, and read_back() records it.
  }
}

void set_determinism(bool on, bool autotune) {
  RETRIAL_SET(false, setDeterministicAlgorithms, on, false);
  RETRIAL_SET(true, setDeterministicFillUninitializedMemory, true);
  RETRIAL_SET(!on, setDeterministicCuDNN, on);
  RETRIAL_SET(true, setDeterministicMkldnn, on);  // without effect on a CPU, so its absence has none either
  RETRIAL_SET(!autotune, setBenchmarkCuDNN, autotune);
}

// A deterministic mode has one order of summation; other modes have the library's defaults.
void set_reductions(bool on) {
  RETRIAL_SET(true, setAllowFP16ReductionCuBLAS, !on, !on);
  RETRIAL_SET(true, setAllowBF16ReductionCuBLAS, !on, !on);
  RETRIAL_SET(true, setAllowFP16AccumulationCuBLAS, false);
  RETRIAL_SET(true, setAllowFP16BF16ReductionMathSDP, false);
}

void set_attention(const std::string& kernels) {
  const bool any = kernels == "any";
  RETRIAL_SET(true, setSDPUseFlash, any || kernels == "flash");
  RETRIAL_SET(true, setSDPUseMemEfficient, any || kernels == "efficient");
  RETRIAL_SET(true, setSDPUseMath, any || kernels == "math");
  RETRIAL_SET(true, setSDPUseCuDNN, any || kernels == "cudnn");
  RETRIAL_SET(true, setSDPUseOverrideable, any);
  RETRIAL_SET(true, setSDPUseFA3, false);
}

// Accepted only where there is a device.
void set_linear_algebra(const KernelMode& mode) {
  if (!at::hasCUDA()) return;
  const bool lt = mode.blas == "cublaslt", on = mode.deterministic;
  RETRIAL_SET(!lt, setBlasPreferredBackend, lt ? at::BlasBackend::Cublaslt : at::BlasBackend::Cublas);
  RETRIAL_SET(true, setLinalgPreferredBackend, on ? at::LinalgBackend::Cusolver : at::LinalgBackend::Default);
}

#undef RETRIAL_SET

}  // namespace

void apply_kernel_mode(const KernelMode& mode) {
  if (mode.inherit()) return;
  at::globalContext().setFlushDenormal(false);  // must precede the first parallel region, or pool threads do not get it
  set_threads(mode.threads);
  set_determinism(mode.deterministic, mode.autotune);
  set_reductions(mode.deterministic);
  set_attention(mode.attention_in_force());
  set_linear_algebra(mode);
  if (mode.on_gpu()) at::globalContext().setUserEnabledCuDNN(mode.cudnn);
  at::globalContext().setUserEnabledMkldnn(mode.onednn);
  set_float32_precision(at::globalContext(), mode.tf32);
  use_own_operators(mode.portable);
}

}  // namespace retrial::determinism::inline mode
