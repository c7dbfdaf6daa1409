#include "harness/judge/design/twins.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "harness/stored/plan_state.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

constexpr std::size_t min_pairs = 3;  // fewer pairs of coarse scores agree by chance
constexpr double no_effect = 1e-3;    // in standard deviations of the scores

using ScoresByPair = std::vector<std::optional<double>>;  // by pair
using ValueOfAttempt = std::map<std::int64_t, double>;    // by attempt

/// The attempts of a store, read once, and the final values of its metrics.
class Attempts {
 public:
  explicit Attempts(const results::Store& store)
      : store_(store), rows_(std::make_shared<const std::vector<results::TrialRow>>(store.trials())) {}

  /// By variant.
  std::map<std::string, ScoresByPair> scores_of(const StudyView& study, const std::string& metric) {
    std::map<std::string, ScoresByPair> out;
    for (const PlannedTrial& trial : trials_of(study)) {
      if (trial.state != TrialState::done) continue;
      const auto value = values_of(metric).find(trial.row->id);
      if (value == values_of(metric).end()) continue;
      auto& scores = out[trial.entry.variant];
      const auto pair = static_cast<std::size_t>(trial.entry.pair_index);
      if (pair >= study.plan.size()) continue;  // no honest plan has such a pair
      scores.resize(std::max(scores.size(), pair + 1));
      scores[pair] = value->second;
    }
    return out;
  }

 private:
  const std::vector<PlannedTrial>& trials_of(const StudyView& study) {
    const auto [at, added] = trials_.try_emplace(study.digest);
    if (added) at->second = plan_state(store_, study.plan, rows_);
    return at->second;
  }
  const ValueOfAttempt& values_of(const std::string& metric) {
    const auto [at, added] = values_.try_emplace(metric);
    if (!added) return at->second;
    const auto stored = store_.final_values(metric);
    at->second.insert(stored.begin(), stored.end());
    return at->second;
  }

  const results::Store& store_;
  std::shared_ptr<const std::vector<results::TrialRow>> rows_;
  std::map<results::Digest, std::vector<PlannedTrial>> trials_;
  std::map<std::string, ValueOfAttempt> values_;
};

double tolerance_of(std::span<const std::optional<double>> scores) {
  std::vector<double> values;
  for (const auto& score : scores)
    if (score && std::isfinite(*score)) values.push_back(*score);
  return std::max(variance::tie_tolerance({}, values), no_effect * variance::sd(values).value_or(0));
}

std::vector<std::string> with_scores(const ScoresByPair& ours, const std::map<std::string, ScoresByPair>& theirs) {
  std::vector<std::string> out;
  for (const auto& [variant, scores] : theirs)
    if (same_scores(ours, scores)) out.push_back(variant);
  return out;
}

std::vector<results::StudyRow> looked_at_before(const results::Store& store, const StudyView& study,
                                                const results::Digest& question, const std::vector<Look>& looks) {
  std::set<results::Digest> seen;
  for (const auto& look : looks)
    if (look.question != question) seen.insert(look.study);
  auto rows = store.studies();
  std::erase_if(rows, [&](const auto& row) {
    return row.digest == study.digest || !seen.contains(row.digest) ||
           row.document.value("seed", Json()) != Json(study.seed);
  });
  return rows;
}

}  // namespace

bool same_scores(std::span<const std::optional<double>> ours, std::span<const std::optional<double>> theirs) {
  const double tolerance = tolerance_of(ours);
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (!ours[i] || !theirs[i]) continue;
    if (!(std::fabs(*ours[i] - *theirs[i]) <= tolerance)) return false;
    ++pairs;
  }
  return pairs >= min_pairs;
}

std::vector<Twin> twins_of(const results::Store& store, const StudyView& study, const Question& asked,
                           const results::Digest& question, const std::vector<Look>& looks) {
  const auto others = looked_at_before(store, study, question, looks);
  if (others.empty()) return {};
  Attempts attempts(store);
  auto ours = attempts.scores_of(study, asked.metric);
  std::vector<Twin> out;
  for (const auto& row : others) {
    const auto other = read_study(store, row);
    for (const auto& def : store.metric_defs()) {
      const auto theirs = attempts.scores_of(other, def.name);
      for (const auto& baseline : with_scores(ours[asked.baseline], theirs))
        for (const auto& candidate : with_scores(ours[asked.candidate], theirs))
          for (const char* direction : {"higher", "lower"})
            if (baseline != candidate)
              out.push_back({row.digest, digest_of({baseline, candidate, def.name, direction}, store, other)});
    }
  }
  return out;
}

}  // namespace retrial::harness::inline judge::inline design
