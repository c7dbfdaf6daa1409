#pragma once

#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline checks {

/// Whether the key is the user's own: no key of the workload, which has keys of the user's own.
[[nodiscard]] bool is_own_key(const workloads::Declaration& declaration, const std::string& key);

/// The values of one variant with the user's own keys, from [set] and from its own table, put in. Error{study.own_key}
/// for a key without a value, a key in the variant's own table that the variant does not use, and for names and values
/// that the workload refuses.
[[nodiscard]] Values with_own_keys(const workloads::Declaration& declaration, const StudyDraft& draft,
                                   const StudyDraft::DraftVariant& given, Values values);

/// Error{study.own_key} for a key of [set] that no variant uses. `values`: of every variant, before keys are put in.
void demand_used(const workloads::Declaration& declaration, const StudyDraft& draft, const std::vector<Values>& values);

}  // namespace retrial::harness::inline study::inline checks
