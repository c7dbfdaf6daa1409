#include "harness/check/liveness.hpp"

#include <algorithm>

#include "harness/check/check_protocol.hpp"
#include "harness/check/liveness_changes.hpp"
#include "harness/system/host.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline check {
namespace {

using results::PlanEntry;
using results::TrialRecord;

/// "give the same 12 digests and 30 metric values after 3 optimizer steps".
std::string same_outcome(const TrialRecord& record, const CheckSettings& settings) {
  const auto outcomes = std::count_if(record.metrics.begin(), record.metrics.end(), [&](const auto& metric) {
    return std::any_of(record.defs.begin(), record.defs.end(), [&](const auto& def) {
      return def.name == metric.name && def.nature == results::Nature::outcome;
    });
  });
  return "give the same " + counted(static_cast<std::int64_t>(record.digests.size()), "digest") + " and " +
         counted(outcomes, "metric value") +
         (settings.max_steps > 0 ? " after at most " + counted(settings.max_steps, "optimizer step") : "");
}

std::string both_sides_text(const Difference& difference) {
  return difference.what + place_text(difference) + ": " + difference.a + " and " + difference.b;
}

/// A change of one variant, by its index in the study.
struct OpenChange {
  std::size_t variant = 0;
  Change change;
};

/// The check of one study, phase by phase. Trainings that many trials start with are cached, except for the trials "in
/// order": comparing those with the others shows a cache that changes a bit.
class Liveness {
 public:
  Liveness(const Study& study, const PlanInputs& inputs, const CheckSettings& settings)
      : study_(study), inputs_(inputs), settings_(settings), document_(study_document(study)) {
    if (settings_.max_steps > 0) settings_.cache = scratch_.path();
  }

  LivenessReport run() {
    std::vector<PlanEntry> bases;
    for (const auto& variant : study_.variants) bases.push_back(make_trial(study_, variant, inputs_, {}, 0));
    auto untouched = settings_;
    untouched.cache.clear();
    const auto forward = in_one_process(bases, untouched, "in order");
    const auto backward = in_one_process({bases.rbegin(), bases.rend()}, settings_, "in reverse order");
    for (const auto& variant : study_.variants) check_selection(variant);
    WorkerPool workers(settings_.pool);
    check_changes(forward, workers);
    check_probes(bases, workers);
    check_order(forward, {backward.rbegin(), backward.rend()});
    return std::move(report_);
  }

 private:
  std::vector<TrialRecord> records(const std::vector<PlanEntry>& entries, WorkerPool& pool,
                                   const CheckSettings& settings, const std::string& phase, bool keep_failures) {
    report_.trials += entries.size();
    return run_trials(entries, document_, pool, settings, phase,
                      {.max_steps = settings.max_steps, .keep_failures = keep_failures});
  }

  std::vector<TrialRecord> in_one_process(const std::vector<PlanEntry>& entries, const CheckSettings& settings,
                                          const std::string& phase) {
    auto single = settings.pool;
    single.jobs = 1;
    WorkerPool pool(single);
    return records(entries, pool, settings, phase, false);
  }

  void check_selection(const StudyVariant& variant) {
    const auto& declaration = workloads::find_workload(study_.workload, "");
    const std::string key = declaration.selects_on_test ? declaration.selects_on_test(variant.values) : "";
    if (!key.empty())
      report_.findings.push_back(
          {"test-selection", variant.name, "key " + key,
           "the reported result is selected by its score on the test set, which biases it upwards"});
  }

  std::vector<OpenChange> all_changes() {
    std::vector<OpenChange> all;
    for (std::size_t i = 0; i < study_.variants.size(); ++i)
      for (auto& change : changes_of(study_, study_.variants[i], inputs_, report_))
        all.push_back({i, std::move(change)});
    return all;
  }

  /// In rounds over all variants: the next value of every key without an effect so far.
  void check_changes(const std::vector<TrialRecord>& bases, WorkerPool& workers) {
    auto open = all_changes();
    std::vector<OpenChange> without_effect;
    for (std::size_t round = 0; !open.empty(); ++round) {
      std::vector<PlanEntry> entries;
      for (const auto& one : open) entries.push_back(one.change.trials[round]);
      const auto changed = records(entries, workers, settings_, "changed keys and sources", true);
      std::vector<OpenChange> left;
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (first_difference(bases[open[i].variant], changed[i])) continue;
        (round + 1 < open[i].change.trials.size() ? left : without_effect).push_back(std::move(open[i]));
      }
      open = std::move(left);
    }
    std::stable_sort(without_effect.begin(), without_effect.end(),
                     [](const auto& a, const auto& b) { return a.variant < b.variant; });
    for (const auto& [variant, change] : without_effect)
      report_.findings.push_back({change.kind, study_.variants[variant].name, change.subject,
                                  change.tried + " " + same_outcome(bases[variant], settings_)});
  }

  void check_probes(const std::vector<PlanEntry>& bases, WorkerPool& workers) {
    for (const auto& probe : workloads::find_workload(study_.workload, "").probes) report_.probes.push_back(probe.name);
    if (report_.probes.empty()) return;
    const auto reports = run_probes(bases, workers, settings_, report_.probes);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const std::string& variant = study_.variants[i].name;
      for (const auto& finding : reports[i].findings)
        report_.findings.push_back({finding.kind, variant, finding.subject, finding.compared});
      for (const auto& part : reports[i].looked_at) report_.looked_at.push_back(variant + ": " + part);
    }
  }

  /// One process per direction: what ran before must not matter.
  void check_order(const std::vector<TrialRecord>& forward, const std::vector<TrialRecord>& backward) {
    for (std::size_t i = 0; i < forward.size(); ++i) {
      if (const auto difference = first_difference(forward[i], backward[i]))
        report_.findings.push_back({"order-dependent", study_.variants[i].name, "order of the variants",
                                    "forward and in reverse, in one process, " + both_sides_text(*difference)});
      for (std::size_t j = 0; j < i; ++j)
        if (!first_difference(forward[j], forward[i]))
          report_.findings.push_back({"duplicate-variants", study_.variants[i].name,
                                      "variant " + study_.variants[j].name,
                                      "the two " + same_outcome(forward[i], settings_)});
    }
  }

  const Study& study_;
  const PlanInputs& inputs_;
  CheckSettings settings_;
  Json document_;
  ScratchFolder scratch_;
  LivenessReport report_;
};

}  // namespace

LivenessReport check_liveness(const Study& study, const PlanInputs& inputs, const CheckSettings& settings) {
  return Liveness(study, inputs, settings).run();
}

}  // namespace retrial::harness::inline check
