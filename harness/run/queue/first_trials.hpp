#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline run::inline queue {

/// Whether a study is worth going on with, by the first trial of each variant in plan order. A mistyped metric or a
/// missing module fails them all alike, and would fail every other trial in the same way.
class FirstTrials {
 public:
  /// `plan` must outlive it.
  explicit FirstTrials(const std::vector<results::PlanEntry>& plan);

  /// The place in the plan of each variant's first trial.
  [[nodiscard]] std::vector<std::size_t> places() const;
  void worked() { works_ = true; }
  void failed(const results::PlanEntry& entry, results::Status status, const std::string& message);

  /// True until a trial has worked, two first trials have failed in different ways, or all have failed.
  [[nodiscard]] bool unknown() const;
  /// Some first trials have failed and no trial has worked.
  [[nodiscard]] bool failing() const;
  /// Common failure of the first trials of all variants ("command.exit"); empty if any of them differs.
  [[nodiscard]] std::optional<std::string> failed_alike() const;

 private:
  struct First {
    std::size_t place = 0;
    std::string failure;  ///< empty: not known to have failed
  };
  /// Whether those that have failed did so in the same way.
  [[nodiscard]] bool alike() const;
  [[nodiscard]] bool all_failed() const;

  const std::vector<results::PlanEntry>& plan_;
  std::map<std::string, First> firsts_;  ///< by variant
  bool works_ = false;
};

}  // namespace retrial::harness::inline run::inline queue
