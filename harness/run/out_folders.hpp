#pragma once

#include <filesystem>

#include "harness/plan/trial_body.hpp"
#include "harness/system/host.hpp"
#include "results/store/store.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline run {

/// Where trials write their files: a scratch folder that lasts as long as this object, or, for what is to be kept, a
/// folder beside the store.
class OutFolders {
 public:
  OutFolders(const workloads::Declaration& workload, std::filesystem::path store);

  /// The folder of an attempt, which exists if the workload needs one.
  [[nodiscard]] std::filesystem::path make(const results::PlanEntry& entry, const TrialBody& body,
                                           const results::Id16& attempt) const;
  /// Removes the folder of an attempt that has ended, unless it is kept.
  void remove(const std::filesystem::path& out) const;
  [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_.path(); }

 private:
  [[nodiscard]] bool keeps(const TrialBody& body) const;
  [[nodiscard]] std::filesystem::path place(const results::PlanEntry& entry, const TrialBody& body,
                                            const results::Id16& attempt) const;

  const workloads::Declaration& workload_;
  std::filesystem::path store_;
  ScratchFolder scratch_;
};

}  // namespace retrial::harness::inline run
