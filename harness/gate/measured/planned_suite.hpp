#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/gate/gate.hpp"
#include "harness/plan/plan.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline gate::inline measured {

/// One benchmark of a suite: a study of two variants, or of one of them.
struct Bench {
  std::string name;  ///< as verdicts name it
  Study study;
  Plan plan;
  Json design;                                ///< retrial.design/1, kind gate
  std::vector<results::MetricDef> metrics;    ///< what is judged
  std::pair<std::string, std::string> sides;  ///< names of baseline and candidate
};

/// Everything that a gate runs, in the order of the names; planned before the first run.
struct PlannedSuite {
  std::string name, baseline, candidate;
  GateSettings settings;
  std::vector<Bench> benches;
  std::vector<std::pair<std::string, std::string>> alone = {};  ///< benchmarks of one side's program, and that side

  [[nodiscard]] std::int64_t pairs() const { return benches.front().study.pairs; }
  /// Claims that have a p, and whether one of them is judged by pairs, which takes more of them.
  struct Tested {
    std::int64_t claims = 0;
    bool paired = false;
  };
  [[nodiscard]] Tested tested() const;
  /// Of all benchmarks, each once.
  [[nodiscard]] std::vector<results::MetricDef> metrics() const;
};

/// Options of a suite that the gate runs, apart from those of judging.
[[nodiscard]] std::vector<Option> suite_options();

/// The variants that are run: one of them alone makes a baseline, is compared with a stored one, or with itself. A
/// watch judges by no threshold, and may run the baseline once more as its control.
enum class RunSides { both, baseline, candidate, watched };

/// The benchmarks of the suite files or of --command, checked, with seeds and plans. Error{usage} for a design that
/// cannot reject, for commands of a file without --allow-commands; Error{incomparable} where there is no baseline.
/// `control`: the name of the baseline's second runs, for a watch; empty: none.
[[nodiscard]] PlannedSuite planned_suite(const Arguments& arguments, RunSides sides = RunSides::both,
                                         const std::string& control = {});

/// Its trials in order, hashed, the design of the gate among what is hashed. The study's seed must be set. `several`:
/// benchmarks take turns, each in an order of its own.
void plan_bench(Bench& bench, bool several, const PlanInputs& inputs);
/// Which of the two sides of each pair is run first: 1 for the candidate.
void order_pairs(Bench& bench, const std::string& candidate, const std::vector<int>& first);

/// --db, else the user's setting, else NAME.db in this folder.
[[nodiscard]] std::filesystem::path suite_store(const Arguments& arguments, const std::string& name);

}  // namespace retrial::harness::inline gate::inline measured
