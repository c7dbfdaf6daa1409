#pragma once

#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline checks {

/// The variants of a draft whose grid is written out, with all their keys; without any, the first two that the workload
/// declares. Error{study.no_variant, study.variant_name, study.variant_twice, study.unknown_variant,
/// study.unknown_preset, study.keys, study.unread_key, study.own_key}: a key that the workload refuses, that this mode
/// or another key rules out, or that nothing reads.
[[nodiscard]] std::vector<StudyVariant> resolved_variants(const workloads::Declaration& declaration,
                                                          const StudyDraft& draft, const determinism::KernelMode& mode);

}  // namespace retrial::harness::inline study::inline checks
