#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "determinism/mode/host_cpu.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// The settings that decide which kernels run. A mode is requested, applied, and read back; both are in the manifest.
/// Under `inherit` nothing is set, cleared or compared, and every axis of the identity is null.
struct KernelMode {
  std::string preset = "deterministic";  ///< one of mode_presets()
  bool deterministic = true;
  int threads = 1;
  std::string isa = "avx2";  ///< default, avx2, avx512
  bool onednn = true, tf32 = false, fused = false, autotune = false;
  /// Equal bits on every x86-64 CPU with AVX2 (determinism spec 5.10): deterministic, 1 thread, avx2 kernels, the one
  /// branch of MKL that every CPU runs alike, and own operators where the library's differ by CPU.
  bool portable = false;
  /// Where tensors are: cpu, cuda. The next four choose kernels of a GPU and are at their defaults on the CPU.
  std::string device = "cpu";
  bool cudnn = true;
  std::string blas = "cublas";                      ///< cublas, cublaslt
  std::optional<std::string> workspace, attention;  ///< where they differ from the preset's, see the functions below

  [[nodiscard]] bool on_gpu() const { return device == "cuda"; }
  /// Memory that cuBLAS may use for one product: 4096x8 (deterministic), 16x8, none (the library's choice).
  [[nodiscard]] std::string workspace_in_force() const { return workspace.value_or(deterministic ? "4096x8" : "none"); }
  /// The kernels of attention that may be used: math (deterministic), flash, efficient, cudnn, any.
  [[nodiscard]] std::string attention_in_force() const { return attention.value_or(deterministic ? "math" : "any"); }
  [[nodiscard]] bool inherit() const { return preset == "inherit"; }
  bool operator==(const KernelMode&) const = default;
};

/// The presets in the order of `retrial list modes`, with one line each.
struct ModePreset {
  std::string name, summary;
  KernelMode mode;
};
[[nodiscard]] const std::vector<ModePreset>& mode_presets();

/// A preset, or PRESET,DEVICE as in "deterministic,cuda". Throws Error{usage} with the nearest name for an unknown
/// name.
[[nodiscard]] KernelMode mode_from_name(const std::string& name, const std::string& where,
                                        const HostCpu& host = this_host());
/// A TOML/JSON table { deterministic, threads, isa, onednn, tf32, fused, autotune, portable, device, cudnn, workspace,
/// attention, blas }, or a name as above.
/// Omitted axes come from the preset "deterministic" ("nondeterministic" when deterministic = false). autotune needs
/// deterministic = false, because it chooses algorithms by timing them. portable fixes every axis but onednn. The last
/// four need device = "cuda".
[[nodiscard]] KernelMode mode_from_json(const Json& table, const std::string& where, const HostCpu& host = this_host());
/// Throws Error{usage} if `host` cannot run the mode: threads outside 1..cores, or an isa that it lacks (naming those
/// it has). Both parsers above call it; a mode read from a store is not checked.
void require_available(const KernelMode& mode, const std::string& where, const HostCpu& host = this_host());

/// The axes as they enter an identity: autotune and portable only if they are on, device only if it is cuda, and the
/// four of a GPU only where they differ from the preset's; all null under inherit.
[[nodiscard]] Json identity_axes(const KernelMode& mode);
/// For the protocol and the study document; mode_from_document reads it back.
[[nodiscard]] Json mode_document(const KernelMode& mode);
[[nodiscard]] KernelMode mode_from_document(const Json& document);
/// A mode document for people: "deterministic: threads 1, isa avx2, onednn, no tf32, no fused"; "inherit: nothing set,
/// nothing cleared"; "unknown" for no document.
[[nodiscard]] std::string mode_text(const Json& document);

/// Variables that decide which kernels run, in a fixed order (determinism spec 5.5): recorded always.
[[nodiscard]] const std::vector<std::string>& recorded_variables();

/// The recorded variables that say which devices may be used, not which kernels run: a scheduler sets them.
[[nodiscard]] const std::vector<std::string>& passed_variables();

/// The environment of a worker: `base`, with the variables of the mode set, the other recorded variables cleared, and
/// nothing else changed. Under inherit, `base` unchanged. Those of passed_variables() are kept.
[[nodiscard]] std::map<std::string, std::string> environment_for(const KernelMode& mode,
                                                                 std::map<std::string, std::string> base);
/// The variables that environment_for sets, for printing.
[[nodiscard]] std::map<std::string, std::string> variables_of(const KernelMode& mode);

/// The differences of requested and effective: "threads: requested 2, effective 1". Empty if the mode took effect.
/// `effective` is the result of read_back(). Nothing is compared under inherit.
[[nodiscard]] std::vector<std::string> compare_modes(const KernelMode& requested, const Json& effective);

}  // namespace retrial::determinism::inline mode
