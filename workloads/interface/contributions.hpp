#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"

/// The contributors to a study: its workload, and every shared folder that it uses.
namespace retrial::workloads::inline interface {

/// The contribution of a folder that is not a workload and that several workloads use, such as a kind of data.
struct SharedContribution {
  std::string name;  ///< name of the folder; different from every workload
  /// Whether trials of this workload with these values use the folder; empty if it adds nothing to a study.
  std::function<bool(const Declaration&, const Values&)> used;
  Contribution contributes;
};

/// Registers itself when constructed at namespace scope, as Register does.
struct RegisterSharedContribution {
  explicit RegisterSharedContribution(SharedContribution shared);
};

/// Sorted by name. std::logic_error for contributions that contradict themselves, all at once.
[[nodiscard]] const std::vector<SharedContribution>& shared_contributions();

struct Contributor {
  std::string name;  ///< name of the workload or the shared folder
  const Contribution* contributes = nullptr;
};
/// The workload first, then the shared folders that any of its variants uses, by name.
[[nodiscard]] std::vector<Contributor> contributions_of(const Declaration& declaration,
                                                        std::span<const Values> variants);

}  // namespace retrial::workloads::inline interface
