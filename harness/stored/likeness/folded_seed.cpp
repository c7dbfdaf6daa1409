#include "harness/stored/likeness/folded_seed.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "harness/stored/likeness/seed_effect.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline stored::inline likeness {
namespace {

struct BothTrials {
  const PlannedTrial* baseline = nullptr;
  const PlannedTrial* candidate = nullptr;
};

std::vector<BothTrials> finished_pairs(const std::vector<PlannedTrial>& trials, const std::string& baseline,
                                       const std::string& candidate) {
  std::map<std::int64_t, BothTrials> pairs;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    if (trial.entry.variant == baseline) pairs[trial.entry.pair_index].baseline = &trial;
    if (trial.entry.variant == candidate) pairs[trial.entry.pair_index].candidate = &trial;
  }
  std::vector<BothTrials> out;
  for (const auto& [index, both] : pairs)
    if (both.baseline != nullptr && both.candidate != nullptr) out.push_back(both);
  return out;
}

/// Outcomes are read from the store only where scores repeat: a score that never repeats settles the question.
bool scores_repeat(const std::vector<BothTrials>& pairs, const std::map<std::int64_t, double>& scores) {
  std::set<std::uint64_t> different;
  for (const auto& both : pairs)
    if (const auto found = scores.find(both.baseline->row->id); found != scores.end())
      different.insert(std::bit_cast<std::uint64_t>(found->second));
  return std::ssize(pairs) - std::ssize(different) >= repeats_of_folded;
}

SeededRun stored_run(const results::Store& store, const StudyView& study, const PlannedTrial& trial,
                     const std::string& metric) {
  return seeded_run(TrialBody(store.trial_body(study.digest, trial.entry.ordinal)), store.record(trial.row->id),
                    metric);
}

std::string outcome_of(const SeededRun& run) {
  return (run.score ? std::to_string(std::bit_cast<std::uint64_t>(*run.score)) : "none") + "\n" + run.left;
}

}  // namespace

std::optional<FoldedSeed> folded_seed(const std::vector<PairOutcome>& pairs) {
  std::set<std::string> seeds;
  std::set<std::pair<std::string, std::string>> outcomes;
  std::set<std::string> of_baseline, of_candidate;
  std::int64_t tied = 0;
  for (const auto& pair : pairs) {
    if (!seeds.insert(pair.seeds).second) continue;
    outcomes.emplace(pair.baseline, pair.candidate);
    of_baseline.insert(pair.baseline);
    of_candidate.insert(pair.candidate);
    tied += pair.tied ? 1 : 0;
  }
  const FoldedSeed found{.pairs = std::ssize(seeds), .outcomes = std::ssize(outcomes)};
  const bool one_to_one = of_baseline.size() == outcomes.size() && of_candidate.size() == outcomes.size();
  if (!one_to_one || found.outcomes < 2) return {};
  if (found.pairs - found.outcomes < repeats_of_folded || 2 * tied > found.pairs) return {};
  return found;
}

std::string folded_seed_remark(const results::Store& store, const StudyView& study,
                               const std::vector<PlannedTrial>& trials, const std::string& baseline,
                               const std::string& candidate, const results::MetricDef& metric) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->printed || metric.nature == results::Nature::cost) return "";
  if (study.variance && study.variance->design != "ideal") return "";
  const auto both = finished_pairs(trials, baseline, candidate);
  const auto scores = store.final_values(metric.name);
  if (!scores_repeat(both, {scores.begin(), scores.end()})) return "";
  std::vector<PairOutcome> pairs;
  for (const auto& [first, second] : both) {
    const auto a = stored_run(store, study, *first, metric.name), b = stored_run(store, study, *second, metric.name);
    pairs.push_back({.seeds = a.seeds + b.seeds,
                     .baseline = outcome_of(a),
                     .candidate = outcome_of(b),
                     .tied = a.score && a.score == b.score});
  }
  const auto found = folded_seed(pairs);
  if (!found) return "";
  const auto many = std::to_string(found->pairs), few = std::to_string(found->outcomes);
  return many + " pairs with different seeds gave only " + few + " different outcomes, and " + baseline + " and " +
         candidate +
         " repeat in the same pairs: they may use only a part of their seed, as seed % 10 does; then only " + few +
         " pairs are independent, not " + many;
}

}  // namespace retrial::harness::inline stored::inline likeness
