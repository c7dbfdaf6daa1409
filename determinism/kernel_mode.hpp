#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/json.hpp"

namespace retrial::determinism {

/// What decides which kernels run. A mode is requested, applied, and read back; both stand in the manifest.
/// Under `inherit` nothing is set, cleared or compared, and every axis of the identity is null.
struct KernelMode {
  std::string preset = "deterministic";  ///< deterministic, nondeterministic, nondeterministic+autotune, inherit
  bool deterministic = true;
  int threads = 1;
  std::string isa = "avx2";  ///< default, avx2, avx512
  bool onednn = true, tf32 = false, fused = false, autotune = false;

  [[nodiscard]] bool inherit() const { return preset == "inherit"; }
  bool operator==(const KernelMode&) const = default;
};

/// The presets in the order `retrial list modes` shows them, with one line each.
struct ModePreset {
  std::string name, summary;
  KernelMode mode;
};
[[nodiscard]] const std::vector<ModePreset>& mode_presets();

/// Throws Error{usage} with the nearest name.
[[nodiscard]] KernelMode mode_from_name(const std::string& name, const std::string& where);
/// A TOML/JSON table { deterministic, threads, isa, onednn, tf32, fused, autotune }; left-out axes come from the
/// preset "deterministic" ("nondeterministic" when deterministic = false). Checks threads >= 1 and the isa's name.
[[nodiscard]] KernelMode mode_from_json(const Json& table, const std::string& where);

/// The axes as they enter an identity: autotune only where it is on; all null under inherit.
[[nodiscard]] Json identity_axes(const KernelMode& mode);
/// For the protocol and the study document; mode_from_document reads it back.
[[nodiscard]] Json mode_document(const KernelMode& mode);
[[nodiscard]] KernelMode mode_from_document(const Json& document);

/// Variables that decide which kernels run, in a fixed order (determinism spec 5.5): recorded always.
[[nodiscard]] const std::vector<std::string>& recorded_variables();

/// The environment of a worker: `base` with the variables the mode sets set, the others of the table cleared, and
/// nothing else changed. Under inherit: `base` as it is.
[[nodiscard]] std::map<std::string, std::string> environment_for(const KernelMode& mode, std::map<std::string, std::string> base);
/// What environment_for sets, for printing.
[[nodiscard]] std::map<std::string, std::string> variables_of(const KernelMode& mode);

/// Where requested and effective differ: "threads: requested 2, effective 1". Empty: the mode took effect.
/// `effective` is what read_back() returned. Nothing is compared under inherit.
[[nodiscard]] std::vector<std::string> compare_modes(const KernelMode& requested, const Json& effective);

}  // namespace retrial::determinism
