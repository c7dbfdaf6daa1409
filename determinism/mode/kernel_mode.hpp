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

  [[nodiscard]] bool inherit() const { return preset == "inherit"; }
  bool operator==(const KernelMode&) const = default;
};

/// The presets in the order of `retrial list modes`, with one line each.
struct ModePreset {
  std::string name, summary;
  KernelMode mode;
};
[[nodiscard]] const std::vector<ModePreset>& mode_presets();

/// Throws Error{usage} with the nearest name for an unknown name.
[[nodiscard]] KernelMode mode_from_name(const std::string& name, const std::string& where,
                                        const HostCpu& host = this_host());
/// A TOML/JSON table { deterministic, threads, isa, onednn, tf32, fused, autotune, portable }, or a preset's name.
/// Omitted axes come from the preset "deterministic" ("nondeterministic" when deterministic = false). autotune needs
/// deterministic = false, because it chooses algorithms by timing them. portable fixes every axis but onednn.
[[nodiscard]] KernelMode mode_from_json(const Json& table, const std::string& where, const HostCpu& host = this_host());
/// Throws Error{usage} if `host` cannot run the mode: threads outside 1..cores, or an isa that it lacks (naming those
/// it has). Both parsers above call it; a mode read from a store is not checked.
void require_available(const KernelMode& mode, const std::string& where, const HostCpu& host = this_host());

/// The axes as they enter an identity: autotune and portable only if they are on; all null under inherit.
[[nodiscard]] Json identity_axes(const KernelMode& mode);
/// For the protocol and the study document; mode_from_document reads it back.
[[nodiscard]] Json mode_document(const KernelMode& mode);
[[nodiscard]] KernelMode mode_from_document(const Json& document);
/// A mode document for people: "deterministic: threads 1, isa avx2, onednn, no tf32, no fused"; "inherit: nothing set,
/// nothing cleared"; "unknown" for no document.
[[nodiscard]] std::string mode_text(const Json& document);

/// Variables that decide which kernels run, in a fixed order (determinism spec 5.5): recorded always.
[[nodiscard]] const std::vector<std::string>& recorded_variables();

/// The environment of a worker: `base`, with the variables of the mode set, the other recorded variables cleared, and
/// nothing else changed. Under inherit, `base` unchanged. CUDA_VISIBLE_DEVICES is kept: a scheduler uses it to assign
/// devices, and it does not choose kernels.
[[nodiscard]] std::map<std::string, std::string> environment_for(const KernelMode& mode,
                                                                 std::map<std::string, std::string> base);
/// The variables that environment_for sets, for printing.
[[nodiscard]] std::map<std::string, std::string> variables_of(const KernelMode& mode);

/// The differences of requested and effective: "threads: requested 2, effective 1". Empty if the mode took effect.
/// `effective` is the result of read_back(). Nothing is compared under inherit.
[[nodiscard]] std::vector<std::string> compare_modes(const KernelMode& requested, const Json& effective);

}  // namespace retrial::determinism::inline mode
