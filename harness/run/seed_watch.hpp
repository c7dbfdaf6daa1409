#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/run/run_study.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline run {

/// Stops a run once a variant is known to ignore its seed: its further trials would be copies.
class SeedWatch {
 public:
  /// `trials` are as stored, with their bodies. Watches nothing where the workload reads its seeds, the judged metric
  /// is a cost, or a design holds sources by turns.
  SeedWatch(const results::Store& store, const Study& study, const std::vector<PlannedTrial>& trials);

  /// Hooks itself into a run's settings, after what is there; `say` gets a sentence on a score at its bound.
  void follow(RunSettings& settings, std::function<void(const std::string&)> say);

  /// One for each variant whose seed is dead.
  [[nodiscard]] const std::vector<SeedFinding>& dead() const { return dead_; }

 private:
  struct Watched {
    std::string metric;
    SeedRuns runs;
    SeedEffect known = SeedEffect::unknown;
    [[nodiscard]] bool settled() const { return known == SeedEffect::shown || known == SeedEffect::none; }
  };
  /// The variant whose seed is still in question.
  [[nodiscard]] Watched* open(const std::string& variant);
  void add(const results::PlanEntry& entry, const results::TrialRecord& record);

  std::map<std::string, Watched> variants_;
  std::vector<SeedFinding> dead_;
  std::vector<std::string> news_;
};

}  // namespace retrial::harness::inline run
