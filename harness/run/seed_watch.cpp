#include "harness/run/seed_watch.hpp"

#include <algorithm>

#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline run {
namespace {

/// The judged metric, else the first outcome; nothing for a cost, which differs by itself.
std::optional<std::string> watched_metric(const Study& study, const workloads::Declaration& declaration,
                                          const StudyVariant& variant) {
  if (study.compare) {
    const auto judged = judged_metric(study);
    return judged.nature == results::Nature::cost ? std::nullopt : std::optional(judged.name);
  }
  const auto defs = workloads::metrics_under(declaration, variant.values);
  const auto outcome = std::ranges::find(defs, results::Nature::outcome, &results::MetricDef::nature);
  return outcome == defs.end() ? "" : outcome->name;
}

}  // namespace

SeedWatch::SeedWatch(const results::Store& store, const Study& study, const std::vector<PlannedTrial>& trials) {
  const auto& declaration = workloads::find_workload(study.workload, "study");
  if (!declaration.printed || (study.variance && study.variance->design != "ideal")) return;
  for (const auto& variant : study.variants) {
    if (constant_by_declaration(study.workload, variant.values)) continue;
    if (auto metric = watched_metric(study, declaration, variant))
      variants_[variant.name] = {.metric = std::move(*metric), .runs = {}};
  }
  for (const auto& trial : trials)
    // A record is read only while it can tell something: two different scores settle a variant.
    if (trial.state == TrialState::done && open(trial.entry.variant) != nullptr)
      add(trial.entry, store.record(trial.row->id));
}

SeedWatch::Watched* SeedWatch::open(const std::string& variant) {
  const auto found = variants_.find(variant);
  return found == variants_.end() || found->second.settled() ? nullptr : &found->second;
}

void SeedWatch::add(const results::PlanEntry& entry, const results::TrialRecord& record) {
  Watched* const watched = open(entry.variant);
  if (watched == nullptr) return;
  if (!results::has_outcome(record.status)) return;
  auto& [metric, runs, known] = *watched;
  runs.add(seeded_run(TrialBody(entry), record, metric));
  const auto before = std::exchange(known, runs.effect());
  const SeedFinding finding{.variant = entry.variant,
                            .metric = metric,
                            .effect = known,
                            .seeds = runs.different_seeds(),
                            .score = runs.score()};
  if (known == SeedEffect::none) dead_.push_back(finding);
  if (known == SeedEffect::bound && before != known) news_.push_back(seed_sentence(finding));
}

void SeedWatch::follow(RunSettings& settings, std::function<void(const std::string&)> say) {
  settings.ended = [this, before = std::move(settings.ended), say = std::move(say)](
                       const results::PlanEntry& entry, const results::TrialRecord& record) {
    if (before) before(entry, record);
    add(entry, record);
    for (const auto& text : std::exchange(news_, {})) say(text);
  };
  settings.stop_requested = [this, before = std::move(settings.stop_requested)] {
    return !dead_.empty() || (before && before());
  };
}

}  // namespace retrial::harness::inline run
