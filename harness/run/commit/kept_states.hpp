#pragma once

#include <filesystem>
#include <map>

#include "harness/run/commit/leases.hpp"
#include "results/record/record.hpp"

namespace retrial::harness::inline run::inline commit {

/// The states of trials that are running, in STORE.under-way, where the workers keep them: one that is killed goes on
/// from its state in the next launch. Deleting the folder changes no result.
class KeptStates {
 public:
  explicit KeptStates(const std::filesystem::path& store);
  /// Removes the folder if nothing is left in it.
  ~KeptStates();
  KeptStates(const KeptStates&) = delete;
  KeptStates& operator=(const KeptStates&) = delete;

  [[nodiscard]] std::filesystem::path file(const Place& trial) const;
  void remove(const Place& trial) const;
  /// Removes what killed launches have left of finished trials, and files that were never finished.
  void remove_leftovers(const std::vector<Place>& finished) const;

 private:
  std::filesystem::path folder_;
};

/// True where the next attempt may go on from where this one was: something from outside ended it. One that failed by
/// itself would fail there again.
[[nodiscard]] bool ended_from_outside(const results::TrialRecord& record);

}  // namespace retrial::harness::inline run::inline commit
