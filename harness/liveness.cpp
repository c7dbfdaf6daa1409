#include "harness/liveness.hpp"

#include <algorithm>

#include "harness/liveness_changes.hpp"
#include "harness/output.hpp"
#include "results/error.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

using results::PlanEntry;
using results::TrialRecord;

/// "give the same 12 digests and 30 metric values after 3 optimiser steps".
std::string same_outcome(const TrialRecord& record, const CheckSettings& settings) {
  const auto outcomes = std::count_if(record.metrics.begin(), record.metrics.end(), [&](const auto& metric) {
    return std::any_of(record.defs.begin(), record.defs.end(), [&](const auto& def) {
      return def.name == metric.name && def.nature == results::Nature::outcome;
    });
  });
  return "give the same " + counted(static_cast<std::int64_t>(record.digests.size()), "digest") + " and " +
         counted(outcomes, "metric value") +
         (settings.most_steps > 0 ? " after " + counted(settings.most_steps, "optimiser step") + " at most" : "");
}

std::string place_text(const Difference& difference) {
  return difference.what + (difference.step >= 0 ? " at step " + std::to_string(difference.step) : " at the end") +
         ": " + difference.a + " and " + difference.b;
}

/// The check of one study, phase by phase.
class Liveness {
 public:
  Liveness(const Study& study, const PlanInputs& inputs, const CheckSettings& settings)
      : study_(study),
        inputs_(inputs),
        settings_(settings),
        document_(study_document(study)),
        workers_(settings.pool) {}

  LivenessReport run() {
    for (const auto& variant : study_.variants) {
      check_selection(variant);
      check_changes(variant);
    }
    check_probes();
    check_order();
    return std::move(report_);
  }

 private:
  template <typename Pool>
  std::vector<TrialRecord> records(const std::vector<PlanEntry>& entries, Pool& pool, const std::string& phase,
                                   bool keep_failures) {
    report_.trials += entries.size();
    return run_trials(entries, document_, pool, settings_, phase,
                      {.most_steps = settings_.most_steps, .keep_failures = keep_failures});
  }

  PlanEntry base_of(const StudyVariant& variant) const { return make_trial(study_, variant, inputs_, {}, 0); }

  void check_selection(const StudyVariant& variant) {
    const auto& declaration = workloads::find_workload(study_.workload, "");
    const std::string key = declaration.selects_on_test ? declaration.selects_on_test(variant.values) : "";
    if (!key.empty())
      report_.findings.push_back({"test-selection", variant.name, "key " + key,
                                  "what is reported is chosen by its score on the test set, which flatters it"});
  }

  /// In rounds: the next value of every key that nothing has changed yet.
  void check_changes(const StudyVariant& variant) {
    const std::string phase = "variant " + variant.name;
    const auto base = records({base_of(variant)}, workers_, phase, false).front();
    auto dead = changes_of(study_, variant, inputs_, report_);
    std::vector<Change> without_effect;
    for (std::size_t round = 0; !dead.empty(); ++round) {
      std::vector<PlanEntry> entries;
      for (const auto& change : dead) entries.push_back(change.trials[round]);
      const auto changed = records(entries, workers_, phase, true);
      std::vector<Change> left;
      for (std::size_t i = 0; i < dead.size(); ++i) {
        if (first_difference(base, changed[i])) continue;
        (round + 1 < dead[i].trials.size() ? left : without_effect).push_back(std::move(dead[i]));
      }
      dead = std::move(left);
    }
    for (const auto& change : without_effect)
      report_.findings.push_back(
          {change.kind, variant.name, change.subject, change.tried + " " + same_outcome(base, settings_)});
  }

  void check_probes() {
    for (const auto& probe : workloads::find_workload(study_.workload, "").probes) report_.probes.push_back(probe.name);
    if (report_.probes.empty()) return;
    std::vector<PlanEntry> entries;
    for (const auto& variant : study_.variants) entries.push_back(base_of(variant));
    const auto reports = run_probes(entries, workers_, settings_, report_.probes);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const std::string& variant = study_.variants[i].name;
      for (const auto& finding : reports[i].findings)
        report_.findings.push_back({finding.kind, variant, finding.subject, finding.compared});
      for (const auto& part : reports[i].looked_at) report_.looked_at.push_back(variant + ": " + part);
    }
  }

  /// One process, once forward and once backward: what ran before must not matter.
  void check_order() {
    auto single = settings_.pool;
    single.jobs = 1;
    std::vector<PlanEntry> bases;
    for (const auto& variant : study_.variants) bases.push_back(base_of(variant));
    const auto forward = records(bases, single, "in order", false);
    const auto backward = records({bases.rbegin(), bases.rend()}, single, "in reverse order", false);
    for (std::size_t i = 0; i < bases.size(); ++i) {
      if (const auto difference = first_difference(forward[i], backward[bases.size() - 1 - i]))
        report_.findings.push_back({"order-dependent", study_.variants[i].name, "order of the variants",
                                    "forward and in reverse, in one process, " + place_text(*difference)});
      for (std::size_t j = 0; j < i; ++j)
        if (!first_difference(forward[j], forward[i]))
          report_.findings.push_back({"duplicate-variants", study_.variants[i].name,
                                      "variant " + study_.variants[j].name,
                                      "the two " + same_outcome(forward[i], settings_)});
    }
  }

  const Study& study_;
  const PlanInputs& inputs_;
  const CheckSettings& settings_;
  Json document_;
  WorkerPool workers_;
  LivenessReport report_;
};

}  // namespace

LivenessReport check_liveness(const Study& study, const PlanInputs& inputs, const CheckSettings& settings) {
  return Liveness(study, inputs, settings).run();
}

}  // namespace retrial::harness
