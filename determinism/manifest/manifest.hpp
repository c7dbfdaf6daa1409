#pragma once

#include <optional>
#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline manifest {

/// Facts that the worker records about itself when it starts: numeric environment requested and read back, machine,
/// libraries by build id, the recorded variables. Canonical JSON, schema retrial.manifest/1 (determinism spec 20.1).
[[nodiscard]] Json base_manifest(const KernelMode& requested, const Json& effective);

/// GNU build id of this program, or of an ELF file, in hex. Throws Error{incomparable} when it has none.
[[nodiscard]] std::string own_build_id();
[[nodiscard]] std::string build_id_of(const std::string& elf_file);

/// The role of a manifest field when the bits of two trials differ (determinism spec 20.3).
enum class FieldClass { explanatory, volatile_, evidence };
[[nodiscard]] FieldClass class_of(const std::string& path);

struct FieldDifference {
  std::string path, a, b;  ///< "not_recorded" if one side lacks the field
  FieldClass kind = FieldClass::explanatory;
};

/// same_bits, explained_by, or unexplained with the label `permitted` (at least one mode was nondeterministic) or
/// `violation` (both claimed determinism).
struct Explanation {
  std::string verdict, label;
  std::vector<FieldDifference> explanatory;  ///< most specific first: randomness, inputs, numeric, identity, machine
  std::vector<FieldDifference> others;
};
/// `digests_equal`: whether the two trials' outcome digests agree.
[[nodiscard]] Explanation diff_manifests(const Json& a, const Json& b, bool digests_equal);

}  // namespace retrial::determinism::inline manifest
